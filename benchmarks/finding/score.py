"""How often a paste leads to its cause, by weights that never saw it, beside search engines on the same rows.

    python benchmarks/finding/score.py [--write] [--forms] [-v]

Grouped cross-validation of everything learned: no row is answered by a fit that saw its repository, its
program or its snippet. --forms puts every program into every form and not into some. --write saves
results.json beside this script; -v names the rows that were missed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from unmeta.kb.load import Catalogue, load
from unmeta.kb.snippets import cases_of_cause
from unmeta.match.compile import weights_here
from unmeta.match.template import fold
from unmeta.train.build import causes_of, plain_matcher, rows_of
from unmeta.train.measure import Judged, cross_validated, figures, named, sets_of, table

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
Ranker = Callable[[Sequence[str]], list[list[str]]]
ENGINES = ("longest message", "lunr (Material)", "MiniSearch", "BM25")
COMPARED = (
    "report, with context", "report, alone", "program, decisive, as printed", "program, partial, as printed",
)  # fmt: skip


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


def longest_message(catalogue: Catalogue) -> Ranker:
    """Causes of the symptom with the longest literal in the text, by number of reports."""
    index = plain_matcher(catalogue).index

    def rank(texts: Sequence[str]) -> list[list[str]]:
        out = []
        for text in texts:
            folded = fold(text)
            best, size = "", 0
            for symptom in index["symptoms"]:
                for _, literals in symptom["wordings"]:
                    length = sum(map(len, literals))
                    if length > size and all(literal in folded for literal in literals):
                        best, size = symptom["id"], length
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


def others(judged: Sequence[Judged], catalogue: Catalogue) -> dict[str, dict[str, list[float]]]:
    """First and top three of each engine on the rows of the compared sets."""
    documents = pages(catalogue)
    rankers: dict[str, Ranker] = {"longest message": longest_message(catalogue)}
    if words := bm25(documents):
        rankers["BM25"] = words
    browsers = engines(documents)
    out: dict[str, dict[str, list[float]]] = {}
    for name in COMPARED:
        rows = [one.example for one in judged if name in sets_of(one.example)]
        texts = [row.text for row in rows]
        if not texts:
            continue
        answers = {engine: rank(texts) for engine, rank in rankers.items()}
        if browsers:
            found = browsers(texts)
            answers["lunr (Material)"], answers["MiniSearch"] = found["lunr"], found["minisearch"]
        out[name] = {}
        for engine in ENGINES:
            if engine in answers:
                own = [
                    Judged(row, tuple(ids), 0.0, True) for row, ids in zip(rows, answers[engine], strict=True)
                ]
                told = figures(own)
                out[name][engine] = [told["first"], told["three"]]
    return out


def sure(judged: Sequence[Judged]) -> dict[str, list[float]]:
    """How often one cause is named, and how often it is right then."""
    sets: dict[str, list[Judged]] = {}
    for one in judged:
        for name in sets_of(one.example):
            if name in COMPARED:
                sets.setdefault(name, []).append(one)
    return {name: list(named(own)) for name, own in sorted(sets.items())}


def show(results: dict[str, Any]) -> None:
    """Print the results as tables."""
    print(f"{'unseen rows':38}{'rows':>6}{'groups':>8}{'first':>8}{'three':>8}{'known':>8}   other engines")
    for name, row in results["sets"].items():
        rest = results["engines"].get(name, {})
        told = "  ".join(f"{engine} {first}/{three}" for engine, (first, three) in rest.items())
        print(
            f"{name:38}{row['rows']:>6}{row['groups']:>8}{row['first']:>8}{row['three']:>8}"
            f"{row['known']:>8}   {told}"
        )
    print(f"\none cause is named from {results['sure']} % on:")
    for name, (often, right) in results["named"].items():
        print(f"  {name:36} named {often:5} %, right then {right:5} %")


def main() -> int:
    """Cross-validate this checkout and print the tables."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="save results.json beside this script")
    parser.add_argument("--forms", action="store_true", help="put programs into every form")
    parser.add_argument("--printed", type=Path, help="as `python -m unmeta.train` takes it")
    parser.add_argument("-v", "--verbose", action="store_true", help="name the rows that were missed")
    options = parser.parse_args()
    catalogue, causes = load(ROOT), causes_of(ROOT)
    rows = rows_of(ROOT, options.forms, options.printed)
    judged = cross_validated(rows, causes, lambda test: print(f"fold {test + 1} done", file=sys.stderr))
    least = weights_here()["sure"]
    results = {
        "causes": len(causes),
        "sets": table(judged),
        "engines": others(judged, catalogue),
        "sure": least,
        "named": sure(judged),
    }
    show(results)
    if options.verbose:
        for one in judged:
            if any(name in COMPARED for name in sets_of(one.example)) and one.rank():
                right = ", ".join(one.example.right)
                print(f"    {one.example.group}: {right} ← {', '.join(one.ranked[:3])}")
    if options.write:
        path = HERE / "results.json"
        kept = json.loads(path.read_text("utf-8")) if path.is_file() else {}
        kept = {key: kept[key] for key in ("speed", "unseen") if key in kept}
        path.write_text(json.dumps({**results, **kept}, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
