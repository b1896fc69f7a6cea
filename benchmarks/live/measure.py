"""How often doctor, explain, strict and scan name the right cause, over snippets and programs.

`python benchmarks/live/measure.py [--only PART] [--rows FILE] [--write]` in the environment of the reference
stack. Programs are split into halves by a hash of their names: *seen* may be read and tuned on, *unseen* is
only measured. `--rows` keeps one line of JSON for each run of the seen half, never of the other.
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
import watch  # noqa: E402


def is_seen(key: str) -> bool:
    """Whether a program is of the half that may be read."""
    return hashlib.sha256(key.encode()).digest()[0] % 2 == 0


def look(case: forks.Case, folder: Path) -> dict[str, Any]:
    """What explain and doctor say where the script ends."""
    import unmeta
    from unmeta import match
    from unmeta.live import doctor, explaining, met

    end, error, seen = watch.run(folder / case.argv[0])
    asked = watch.telling(end, error, seen)
    told: dict[str, Any] = {"end": end, "error": type(asked).__name__ if asked is not None else None}
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
    for found in met.of_values(list(seen.values.values())[::-1]):
        reports.append(doctor.examine(found.model, found.name, found.state, found.optimizer, given=False))
    if broken:
        if report is None or not report.problems:
            report = next((item for item in reports if item.problems), report or (reports or [None])[0])
        told["doctor"] = _causes(report)
        told["subject"] = report.subject if report is not None else None
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
    import runpy

    import unmeta

    try:
        with unmeta.strict():
            runpy.run_path(str(folder / case.argv[0]), run_name="__main__")
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
        yield forks.Case(
            case.key, {name: text}, (name,), entry.needs.processes, {"cause": case.owner, "role": role}
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
                "half": "seen" if is_seen(program.key) else "unseen",
            }
            yield forks.Case(edition.key, edition.files, edition.argv, edition.processes, more)


def main() -> None:
    """Measure what the arguments ask for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", default="look,strict")
    parser.add_argument("--only", help="keys that hold this text")
    parser.add_argument("--role", default="broken,fix")
    parser.add_argument("--half", choices=["seen", "unseen", "both"], default="seen")
    parser.add_argument("--kind", default="snippets,programs")
    parser.add_argument("--rows", type=Path)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    from unmeta.kb.load import load
    from unmeta.verify.sandbox import installed

    catalogue, versions = load(ROOT), installed()
    forks.settle()
    started = time.monotonic()
    rows = []
    for part, body in (("look", look), ("strict", strict)):
        if part not in chosen.part.split(","):
            continue
        cases = []
        if "snippets" in chosen.kind:
            cases += list(snippets(catalogue, "broken", "fix"))
        if "programs" in chosen.kind and part == "look":
            cases += [
                case
                for case in programs(catalogue, versions)
                if chosen.half == "both" or case.more["half"] == chosen.half
            ]
        cases = [case for case in cases if not chosen.only or chosen.only in case.key]
        cases = [case for case in cases if case.more["role"] in chosen.role]
        told = forks.run(cases, body, chosen.jobs)
        rows += [{"part": part, "key": case.key, **case.more, **told[case.key]} for case in cases]
    print(f"{len(rows)} runs in {time.monotonic() - started:.0f} s", file=sys.stderr)
    if chosen.rows:
        chosen.rows.write_text("".join(f"{json.dumps(row)}\n" for row in rows if row.get("half") != "unseen"))


if __name__ == "__main__":
    main()
