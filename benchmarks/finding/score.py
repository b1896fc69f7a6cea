"""How often a report leads to its cause: the matcher beside search engines on the same rows.

    python benchmarks/finding/score.py REPORTS.jsonl [--write]

A report has `report` (what was printed) or `symptom_told` (what was seen), `context` (what was done),
`cause`, `also` (other causes that an expert would accept), `evidence` and `evidence_with_context`
(decisive, partial or none), and `context_tells_cause`. `cause` is `not-meta` for near misses.
--write saves results.json beside this script.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mangle import FORMS, Part, cpython, parts_of, renamed

from unmeta.kb import evidence
from unmeta.kb.load import Catalogue, load
from unmeta.kb.runs import printed_text
from unmeta.kb.snippets import Role, cases_of_cause
from unmeta.match.compile import compile_index, to_json
from unmeta.match.rank import Matcher
from unmeta.match.template import fold

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
Row = dict[str, Any]
Ranker = Callable[[Sequence[str]], list[list[str]]]
ENGINES = ("matcher", "longest message", "lunr (Material)", "MiniSearch", "BM25")


def matcher_of(catalogue: Catalogue) -> Matcher:
    """A matcher made from a catalogue and this checkout's runs."""
    index = compile_index(catalogue, evidence.load(ROOT).values())
    return Matcher(json.loads(to_json(index)))


def alone(row: Row) -> str:
    """What was printed, or what was seen where nothing was printed."""
    return str(row.get("report") or row.get("symptom_told") or "")


def with_context(row: Row) -> str:
    """The same with the sentence on what was done."""
    return f"{alone(row)}\n{row['context']}"


def sets(rows: Sequence[Row]) -> dict[str, tuple[list[Row], Callable[[Row], str]]]:
    """The rows of each measure and how their text is made."""
    positive = [row for row in rows if row["cause"] != "not-meta"]
    return {
        "report alone, decisive": (
            [row for row in positive if row["evidence"] == "decisive"],
            alone,
        ),
        "with context, decisive": (
            [
                row
                for row in positive
                if row["evidence_with_context"] == "decisive" and not row.get("context_tells_cause")
            ],
            with_context,
        ),
        "with context, all": (positive, with_context),
        "report alone, all": (positive, alone),
        "context alone, all": (positive, lambda row: str(row["context"])),
    }


def share(count: int, total: int) -> float:
    """Per cent, one digit."""
    return round(100 * count / total, 1) if total else 0.0


def pages(catalogue: Catalogue) -> list[dict[str, str]]:
    """The text of each cause's page, as a site's own search would see it."""
    out = []
    for cause in catalogue.causes.values():
        texts = [cause.summary, cause.cause]
        for shown in cause.shown():
            symptom = catalogue.symptoms.get(shown.id)
            texts += [wording.text for wording in symptom.messages.values()] if symptom else []
            texts += [clue.ask for clue in shown.clues if clue.ask]
        for fix in cause.fixes:
            texts += [fix.title, fix.why]
        for case in cases_of_cause(cause):
            if case.key in catalogue.snippets:
                texts.append(catalogue.snippets[case.key].text)
        out.append({"id": cause.id, "title": cause.title, "text": "\n".join(texts)})
    return out


def longest_message(catalogue: Catalogue, matcher: Matcher) -> Ranker:
    """Causes of the symptom with the longest literal in the text, by number of reports."""

    def rank(texts: Sequence[str]) -> list[list[str]]:
        out = []
        for text in texts:
            folded = fold(text)
            best, size = "", 0
            for symptom in catalogue.symptoms.values():
                for row in matcher.index["symptoms"][matcher.ids[symptom.id]]["wordings"]:
                    length = sum(map(len, row[1]))
                    if length > size and all(literal in folded for literal in row[1]):
                        best, size = symptom.id, length
            causes = [c for c in catalogue.causes.values() if any(s.id == best for s in c.shown())]
            causes.sort(key=lambda cause: (-len(cause.reports), cause.id))
            out.append([cause.id for cause in causes])
        return out

    return rank


def bm25(documents: list[dict[str, str]]) -> Ranker | None:
    """BM25 over the pages; None where the package bm25s is missing."""
    try:
        import bm25s
    except ImportError:
        return None
    corpus = [f"{page['title']}\n{page['text']}" for page in documents]
    retriever = bm25s.BM25()
    retriever.index(bm25s.tokenize(corpus, stopwords="en", show_progress=False), show_progress=False)

    def rank(texts: Sequence[str]) -> list[list[str]]:
        out = []
        for text in texts:
            tokens = bm25s.tokenize([text or " "], stopwords="en", show_progress=False)
            if not tokens.ids[0]:
                out.append([])
                continue
            found, scores = retriever.retrieve(tokens, k=len(documents), show_progress=False)
            out.append(
                [documents[at]["id"] for at, score in zip(found[0], scores[0], strict=True) if score > 0]
            )
        return out

    return rank


def engines(documents: list[dict[str, str]]) -> Callable[[Sequence[str]], dict[str, list[list[str]]]] | None:
    """lunr as Material queries it, and MiniSearch; None where node or the packages are missing."""
    node = shutil.which("node")
    if node is None or not (HERE / "node_modules" / "lunr").is_dir():
        return None

    def rank(texts: Sequence[str]) -> dict[str, list[list[str]]]:
        asked = json.dumps({"pages": documents, "queries": list(texts)})
        done = subprocess.run(
            [node, str(HERE / "engines.js")], input=asked, capture_output=True, text=True, check=True
        )
        answer: dict[str, list[list[str]]] = json.loads(done.stdout)
        return answer

    return rank


def table(rows: Sequence[Row], catalogue: Catalogue, matcher: Matcher) -> dict[str, dict[str, Any]]:
    """First and top-three rates per measure and engine."""
    documents = pages(catalogue)
    rankers: dict[str, Ranker] = {
        "matcher": lambda texts: [[c["id"] for c in matcher.explain(text)["causes"]] for text in texts],
        "longest message": longest_message(catalogue, matcher),
    }
    words = bm25(documents)
    if words:
        rankers["BM25"] = words
    browsers = engines(documents)
    out: dict[str, dict[str, Any]] = {}
    for name, (selected, text_of) in sets(rows).items():
        texts = [text_of(row) for row in selected]
        answers = {engine: rank(texts) for engine, rank in rankers.items()}
        if browsers:
            found = browsers(texts)
            answers["lunr (Material)"], answers["MiniSearch"] = found["lunr"], found["minisearch"]
        out[name] = {"rows": len(selected)}
        for engine in ENGINES:
            if engine not in answers:
                continue
            first = three = 0
            for row, ids in zip(selected, answers[engine], strict=True):
                accepted = {row["cause"], *row.get("also", ())}
                first += bool(accepted.intersection(ids[:1]))
                three += bool(accepted.intersection(ids[:3]))
            out[name][engine] = [share(first, len(selected)), share(three, len(selected))]
    return out


def honesty(rows: Sequence[Row], matcher: Matcher) -> dict[str, Any]:
    """Printed meta messages that are recognised, and near misses that are wrongly called meta."""
    printed = [
        row
        for row in rows
        if row["cause"] != "not-meta"
        and row.get("message")
        and row.get("report")
        and row.get("final_line") not in ("missing", "none")
    ]
    missed = [row["id"] for row in printed if not matcher.explain(row["report"])["known"]]
    near = [row for row in rows if row["cause"] == "not-meta"]
    called = {row["id"] for text_of in (alone, with_context) for row in near
              if matcher.explain(text_of(row))["known"]}  # fmt: skip
    return {
        "printed": len(printed),
        "recognised": share(len(printed) - len(missed), len(printed)),
        "missed": missed,
        "near misses": len(near),
        "called meta": sorted(called),
    }


def recorded(matcher: Matcher, catalogue: Catalogue) -> dict[str, Any]:
    """Every recorded traceback of every stack: whole, its last 12 lines, and mangled."""
    recorded = evidence.load(ROOT).values()
    counted = {
        (found.runs.name, found.case.key): found.case
        for found in evidence.counted(catalogue, recorded, Role.BROKEN)
        if found.claimed and found.observation.outcome == "raised"
    }
    whole: list[tuple[str, list[str], str]] = []
    tail: list[tuple[str, list[str], str]] = []
    mangled: list[tuple[str, list[str], str]] = []
    forms = list(FORMS.values())
    for runs in recorded:
        for seed, (key, observation) in enumerate(runs.snippets.items()):
            case = counted.get((runs.name, key))
            if case is None:
                continue
            text = printed_text(observation)

            def ids(text: str) -> list[str]:
                return [cause["id"] for cause in matcher.explain(text)["causes"]]

            name = f"{runs.name}/{key}"
            owner = case.owner
            whole.append((name, ids(text), owner))
            tail.append((name, ids("\n".join(text.splitlines()[-12:])), owner))
            parts: list[Part] = [
                part for event in observation.events if event.kind == "exception" for part in parts_of(event)
            ]
            before = text.partition("Traceback (most recent call last)")[0]
            form = forms[seed % len(forms)]
            changed = renamed(parts, seed)
            mangled.append((name, ids(before + form(changed)), owner))
            mangled.append(
                (name, ids(before + cpython(changed, "/opt/x/lib/python3.9/site-packages/")), owner)
            )
    out: dict[str, Any] = {}
    for name, found in (("whole", whole), ("last 12 lines", tail), ("mangled", mangled)):
        first = [entry for entry in found if entry[1][:1] == [entry[2]]]
        three = [entry for entry in found if entry[2] in entry[1][:3]]
        out[name] = {
            "count": len(found),
            "first": share(len(first), len(found)),
            "top three": share(len(three), len(found)),
            "missed": [f"{entry[0]} → {entry[1][0] if entry[1] else None}" for entry in found
                       if entry[1][:1] != [entry[2]]],
        }  # fmt: skip
    return out


def show(results: dict[str, Any], verbose: bool) -> None:
    """Print the results as tables."""
    names = [name for name in ENGINES if name in next(iter(results["ranking"].values()))]
    print(f"{'first / in the first three, %':34}{'rows':>5}" + "".join(f"{name:>18}" for name in names))
    for measure, row in results["ranking"].items():
        cells = "".join(f"{row[name][0]:>9} /{row[name][1]:>6} " for name in names)
        print(f"{measure:34}{row['rows']:>5}{cells}")
    told = results["honesty"]
    print(
        f"\nprinted messages recognised: {told['recognised']} % of {told['printed']} {told['missed'] or ''}"
    )
    print(
        f"near misses called meta: {len(told['called meta'])} of {told['near misses']}"
        f" {told['called meta'] or ''}"
    )
    for name, found in results["recorded"].items():
        print(
            f"recorded, {name}: first {found['first']} %, top three {found['top three']} %"
            f" of {found['count']}"
        )
        if verbose:
            print("".join(f"    {missed}\n" for missed in found["missed"]), end="")


def without_names(results: Any) -> Any:
    """The figures alone: the lists of rows and runs that were missed are for the eye of who tunes."""
    if isinstance(results, dict):
        return {key: without_names(value) for key, value in results.items() if key != "missed"}
    return results


def main() -> int:
    """Score the given file and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("reports", type=Path)
    parser.add_argument("--write", action="store_true", help="save results.json beside this script")
    parser.add_argument("-v", "--verbose", action="store_true", help="name the rows that were missed")
    options = parser.parse_args()
    rows: list[Row] = [
        json.loads(line) for line in options.reports.read_text("utf-8").splitlines() if line.strip()
    ]
    catalogue = load(ROOT)
    scored = {row.get("source") for row in rows}
    others = tuple(report for report in catalogue.reports if report.source not in scored)
    matcher = matcher_of(replace(catalogue, reports=others))
    results = {
        "causes": len(catalogue.causes),
        "rows": len(rows),
        "learnt from": len(others),
        "ranking": table(rows, catalogue, matcher),
        "honesty": honesty(rows, matcher),
        "recorded": recorded(matcher_of(catalogue), catalogue),
    }
    show(results, options.verbose)
    if options.verbose:
        for name, (selected, text_of) in sets(rows).items():
            print(f"\n{name}")
            for row in selected:
                ids = [cause["id"] for cause in matcher.explain(text_of(row))["causes"][:3]]
                if not {row["cause"], *row.get("also", ())}.intersection(ids[:1]):
                    print(f"    {row['id']} {row['cause']}: {', '.join(ids)}")
    if options.write:
        path = HERE / "results.json"
        kept = json.loads(path.read_text("utf-8")) if path.is_file() else {}
        text = json.dumps({**kept, **without_names(results)}, indent=1, ensure_ascii=False)
        path.write_text(text + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
