"""How often doctor, explain, strict and scan name the right cause, over snippets and programs.

`python benchmarks/live/measure.py [--only PART] [--rows FILE] [--write]` in the environment of the reference
stack. Programs are split into halves by a hash of their names: *seen* may be read and tuned on, *unseen* is
only measured. `--rows` keeps one line of JSON for each run of the seen half, never of the other. `--write`
keeps the figures of what was run, snippets or a half, beside those of the rest.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(Path(__file__).parent))

import forks  # noqa: E402
import page  # noqa: E402
import watch  # noqa: E402

SPLIT = "2"
"""Which split into halves; a new one where both halves of the last were looked at."""


def is_seen(key: str, split: str = "") -> bool:
    """Whether a program is of the half that may be read."""
    return hashlib.sha256(f"{split}{key}".encode()).digest()[0] % 2 == 0


def look(case: forks.Case, folder: Path) -> dict[str, Any]:
    """What explain and doctor say where the script ends."""
    import unmeta
    from unmeta import match
    from unmeta.live import doctor, explaining, met, scene

    end, error, seen = watch.run(folder / case.argv[0])
    ended = time.time()
    asked = watch.telling(end, error, seen)
    told: dict[str, Any] = {"end": end, "error": type(asked).__name__ if asked is not None else None}
    told["at"] = ended
    broken = case.more["role"] == "broken"
    report = None
    if asked is not None and broken:
        answer = unmeta.explain(asked)
        told["explain"] = [cause["id"] for cause in answer["causes"][:3]] if answer["known"] else []
        text = match.explain(asked)
        told["text"] = {
            "verdict": text["verdict"],
            "known": text["known"],
            "causes": [[cause["id"], cause.get("share")] for cause in text["causes"][:8]],
            "last": str(asked)[:200],
        }
        evidence = explaining.see(asked)
        report = evidence.report
        told["seen"] = {
            "state": evidence.state,
            "problems": evidence.problems,
            "code": sorted(evidence.code),
            "packages": sorted(evidence.packages),
            "through": evidence.through,
            "building": met.is_building(asked),
            "findings": [[item.cause, item.level] for item in report.findings] if report is not None else [],
        }
    reports = []
    around = met.scene_of(asked) if asked is not None and broken else scene.scene(None, [])
    for found in met.of_values(list(seen.values.values())[::-1]):
        reports.append(
            doctor.examine(found.model, found.name, found.state, found.optimizer, given=False, around=around)
        )
    if broken:
        if report is None or not report.problems:
            report = next((item for item in reports if item.problems), report or (reports or [None])[0])
        told["doctor"] = _causes(report)
        told["subject"] = report.subject if report is not None else None
        told["report"] = str(report) if report is not None and report.findings else ""
    else:
        told["doctor"] = [cause for item in reports for cause in _causes(item, notes=False)]
        told["models"] = [item.subject for item in reports]
        told["says"] = [str(item) for item in reports if not item.ok]
    return told


def _causes(report: Any, notes: bool = True) -> list[str]:
    if report is None:
        return []
    return [item.cause for item in report.findings if notes or item.level == "problem"]


def strict(case: forks.Case, folder: Path) -> dict[str, Any]:
    """How the script ends inside `strict()`."""
    import types

    import unmeta
    from unmeta.verify.probe import halves

    path = folder / case.argv[0]
    main = types.ModuleType("__main__")
    main.__dict__.update(__file__=str(path), __builtins__=__builtins__)
    sys.modules["__main__"] = main
    body, goal = halves(path.read_text(encoding="utf-8"), str(path))
    try:
        for code in filter(None, (body, goal)):  # a reader's code, then what it was for
            with unmeta.strict():
                exec(code, main.__dict__)
    except unmeta.StrictError as error:
        return {"end": "strict", "says": str(error)[:300], "cause": error.cause}
    except SystemExit as stop:
        return {"end": "exited" if stop.code else "passed"}
    except BaseException as error:
        chain: Any = error
        while chain is not None:
            if isinstance(chain, unmeta.StrictError):
                return {"end": "strict", "says": str(chain)[:300], "cause": chain.cause}
            chain = chain.__cause__ or chain.__context__
        # load_state_dict() catches what its copies raise, and tells it in a message of its own
        if "nothing is stored" in str(error) or "nobody wrote" in str(error):
            return {"end": "strict", "says": str(error)[:300]}
        return {"end": "raised", "says": f"{type(error).__name__}: {str(error)[:300]}"}
    return {"end": "passed"}


def snippets(catalogue: Any, *roles: str) -> Iterator[forks.Case]:
    """Broken snippets and fixes of the reference stack's versions."""
    from unmeta.verify.sandbox import installed

    versions = installed()
    from unmeta.kb.model import inside

    for case in catalogue.cases():
        entry = catalogue.causes.get(case.owner)
        if entry is None or case.role.value not in roles or case.key not in catalogue.snippets:
            continue
        needs = {**entry.needs.packages, **case.needs.packages}
        if (entry.needs.device or "cpu") != "cpu" or not inside({**needs, **case.applies}, versions):
            continue
        text = catalogue.snippets[case.key].text
        name = case.key.rpartition("/")[2]
        role = "broken" if case.role.value == "broken" else "fix"
        silent = any(catalogue.symptoms[item.id].kind.value == "silent" for item in case.shows)
        yield forks.Case(
            case.key,
            {name: text},
            (name,),
            entry.needs.processes,
            {"cause": case.owner, "role": role, "silent": silent},
        )


def programs(catalogue: Any, versions: dict[str, str]) -> Iterator[forks.Case]:
    """Both editions of every program that can be run here."""
    from unmeta.verify.programs import obstacle

    for program in catalogue.programs.values():
        if program.near_miss or obstacle(program, catalogue, versions, "cpu") is not None:
            continue
        for edition in program.editions():
            more = {
                "cause": program.claim.cause,
                "role": "broken" if edition is program.broken else "fix",
                "evidence": program.claim.evidence,
                "program": program.key,
                "half": "seen" if is_seen(program.key, SPLIT) else "unseen",
            }
            yield forks.Case(edition.key, edition.files, edition.argv, edition.processes, more)


STATES = frozenset(
    {
        "adapter-left-on-meta",
        "concurrent-from-pretrained",
        "diffusers-single-file-config",
        "dispatch-leaves-submodule-on-meta",
        "empty-init-never-loaded",
        "fsdp-meta-init",
        "fsdp2-meta-init",
        "hooks-removed-or-copied",
        "load-state-dict-no-op",
        "mismatched-or-new-head",
        "missing-keys-left-on-meta",
        "non-persistent-buffer-lost",
        "offload-folder-reused",
        "offloaded-weight-changed",
        "optimizer-before-materialise",
        "overlapping-empty-init",
        "peft-offload-key-mismatch",
        "peft-overwrites-base-checkpoint",
        "quantised-state-on-meta",
        "tensor-parallel-meta",
        "tied-params-split",
        "tied-weights-broken",
        "to-empty-uninitialised",
    }
)
"""Causes that are a state in which a model, an optimizer or the process was left: doctor should name them.

The others are things done to a model in such a state (moved, read, saved): of them the state is right.
"""


def summary(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """The figures of some rows; of programs one for each half."""
    looks = [row for row in rows if row["part"] == "look"]
    broken = [row for row in looks if row["role"] == "broken"]
    fixes = [row for row in looks if row["role"] == "fix" and row["end"] == "passed"]
    stricts = [row for row in rows if row["part"] == "strict"]
    silent = [row for row in stricts if row["role"] == "broken" and row["silent"]]
    groups, fixed = _groups(broken), _groups(fixes)
    return {
        "explain": {name: _explained(group) for name, group in groups.items()},
        "doctor": {
            name: _count(
                (row.get("doctor") or [""])[0] == row["cause"] for row in group if row["cause"] in STATES
            )
            for name, group in groups.items()
        },
        "doctor_of_cause": {
            cause: {
                name: _count(
                    (row.get("doctor") or [""])[0] == cause for row in group if row["cause"] == cause
                )
                for name, group in groups.items()
            }
            for cause in sorted(STATES)
        },
        "doctor_on_fixes": {
            name: {
                "models": sum(len(row.get("models", ())) for row in group),
                "runs": len(group),
                "with_problem": sum(bool(_but_empty(row)) for row in group),
                "with_empty_model": sum(bool(row.get("doctor")) for row in group)
                - sum(bool(_but_empty(row)) for row in group),
            }
            for name, group in fixed.items()
        },
        "strict": {
            "silent": _count(row["end"] == "strict" for row in silent),
            "not_raised": sorted(row["key"] for row in silent if row["end"] != "strict"),
            "fixes": _count(row["end"] == "passed" for row in stricts if row["role"] == "fix"),
            "fixes_raised": {
                row["key"]: row.get("says", row["end"]).splitlines()[0]
                for row in stricts
                if row["role"] == "fix" and row["end"] != "passed"
            },
        },
    }


def _groups(rows: list[dict[str, Any]]) -> dict[str, list[dict[str, Any]]]:
    """Rows by what they are of: snippets, or a half of the programs; groups without rows are left out."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault(row.get("half", "snippets"), []).append(row)
    return groups


def _but_empty(row: dict[str, Any]) -> list[str]:
    """Findings on repaired code, but for models that are empty, or were emptied, on purpose."""
    empty = ("empty-init-never-loaded", "moved-to-meta-to-free")
    return [cause for cause in row.get("doctor", ()) if cause not in empty]


def _explained(rows: list[dict[str, Any]]) -> dict[str, list[int]]:
    """Right first answers, of exceptions whose text says what they are about, and of the others."""
    asked = [row for row in rows if "explain" in row and row["error"] != "SystemExit"]
    told = [row for row in asked if row["text"]["known"]]
    first = {id(row): bool(row["explain"]) and row["explain"][0] == row["cause"] for row in asked}
    return {
        "told": _count(first[id(row)] for row in told),
        "told_by_text_alone": _count(row["text"]["causes"][0][0] == row["cause"] for row in told),
        "bare": _count(first[id(row)] for row in told if row.get("evidence") == "none"),
        "silent": _count(first[id(row)] for row in asked if not row["text"]["known"]),
    }


def _count(right: Any) -> list[int]:
    values = list(right)
    return [sum(values), len(values)]


def scan(catalogue: Any) -> dict[str, Any]:
    """How often a rule fires on failing programs of its cause, and on what is repaired.

    `never_seen` are programs that are of the unseen half in both splits: the older rules were made on the
    first.
    """
    from unmeta.scan.read import findings
    from unmeta.scan.rules import SAYS

    def fired(files: Any) -> set[str]:
        return {
            item.cause
            for name, text in files.items()
            if name.endswith(".py")
            for item in findings(text, name, files.get)
        }

    halves: dict[str, list[bool]] = {"seen": [], "unseen": [], "never_seen": []}
    fixes: list[str | None] = []
    near = 0
    for program in catalogue.programs.values():
        if program.near_miss:
            near += bool(fired(program.files))
        elif program.claim.cause in SAYS:
            right = program.claim.cause in fired(program.files)
            seen = is_seen(program.key, SPLIT)
            halves["seen" if seen else "unseen"].append(right)
            if not seen and not is_seen(program.key):
                halves["never_seen"].append(right)
            if program.claim.cause in fired({**program.files, **program.repairs}):
                fixes.append(program.claim.fix)
    return {
        **{half: _count(values) for half, values in halves.items()},
        "repaired": len(fixes) - fixes.count("build-then-load"),
        "repaired_by_the_caller": fixes.count("build-then-load"),
        "near_misses": near,
        "libraries": _libraries(),
    }


def _libraries() -> dict[str, Any]:
    import importlib.util

    from unmeta.scan.files import files
    from unmeta.scan.files import scan as scanned

    folders = []
    for name in ("transformers", "accelerate", "peft", "diffusers"):
        spec = importlib.util.find_spec(name)
        folders += list(spec.submodule_search_locations or ()) if spec is not None else []
    every = list(files(folders))
    thousand = [every[place * len(every) // 1000] for place in range(1000)]
    started = time.process_time()
    scanned(thousand)
    middle = time.process_time()
    looked = scanned(folders)
    return {
        "files": looked.count,
        "findings": [str(item).split("site-packages/")[-1] for item in looked.found],
        "unread": len(looked.unread),
        "cpu_seconds": round(time.process_time() - middle, 1),
        "cpu_seconds_of_1000": round(middle - started, 1),
    }


def main() -> None:
    """Measure what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", default="look,strict,scan")
    parser.add_argument("--only", help="keys that hold this text")
    parser.add_argument("--role", default="broken,fix")
    parser.add_argument("--half", choices=["seen", "unseen", "both"], default="seen")
    parser.add_argument("--kind", default="snippets,programs")
    parser.add_argument("--rows", type=Path, help="write what was told of each run; not of the unseen half")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="keep the figures in results.json")
    chosen = parser.parse_args()
    if chosen.write and chosen.only:
        parser.error("--write keeps the figures of all; leave one of it and --only out")
    from unmeta.kb.load import load
    from unmeta.verify.sandbox import installed

    catalogue, versions = load(ROOT), installed()
    parts = chosen.part.split(",")
    figures: dict[str, Any] = {"scan": scan(catalogue)} if "scan" in parts else {}
    rows: list[dict[str, Any]] = []
    if {"look", "strict"} & set(parts):
        forks.settle()
    for part, body in (("look", look), ("strict", strict)):
        cases = []
        if part in parts and "snippets" in chosen.kind:
            cases += list(snippets(catalogue, "broken", "fix"))
        if part == "look" and part in parts and "programs" in chosen.kind:
            both = chosen.half == "both"
            cases += [
                case for case in programs(catalogue, versions) if both or case.more["half"] == chosen.half
            ]
        cases = [case for case in cases if not chosen.only or chosen.only in case.key]
        cases = [case for case in cases if case.more["role"] in chosen.role]
        if part == "strict":
            cases = [case for case in cases if case.more["role"] == "fix" or case.more["silent"]]
        told = forks.run(cases, body, chosen.jobs)
        rows += [{"part": part, "key": case.key, **case.more, **told[case.key]} for case in cases]
    if chosen.rows:
        chosen.rows.write_text("".join(f"{json.dumps(row)}\n" for row in rows if row.get("half") != "unseen"))
    if rows:
        measured = summary(rows)
        wanted = ["strict"] if "strict" in parts else []
        if "look" in parts:
            wanted += ["explain", "doctor", "doctor_of_cause"] if "broken" in chosen.role else []
            wanted += ["doctor_on_fixes"] if "fix" in chosen.role else []
        figures |= {name: measured[name] for name in wanted}
    print(json.dumps(figures, indent=1))
    if chosen.write:
        page.keep(figures, versions)
        if "look" in parts and "snippets" in chosen.kind and "broken" in chosen.role:
            page.keep_doctor(rows, catalogue)


if __name__ == "__main__":
    main()
