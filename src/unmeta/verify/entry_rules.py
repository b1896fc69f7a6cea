"""Rules that hold an entry against what its own runs printed, and the runs against what there is."""

from __future__ import annotations

import difflib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Set

from unmeta.kb import evidence
from unmeta.kb.check import at, shown_with_paths
from unmeta.kb.findings import Finding, named
from unmeta.kb.load import Catalogue
from unmeta.kb.runfiles import path_of
from unmeta.kb.runs import Runs, printed_text
from unmeta.kb.snippets import Role
from unmeta.match.compile import compile_index, grammar_here, to_json, weights_here
from unmeta.match.read import Reader
from unmeta.match.score import Matcher
from unmeta.match.telling import Function, function_of, passed, passed_by, seen_in, telling, written
from unmeta.verify.ledger import known
from unmeta.verify.placing import Places

RANKS_ANOTHER = named(
    "ranks-another", "what an entry's own snippet prints leads to that entry among the first three"
)
UNSEEN_FUNCTION = named(
    "unseen-function", "a function of `through` stands in a traceback of a run or a report, or says why not"
)
ORPHAN_RUNS = named("orphan-runs", "every run is of a script that there is")
MOVED_STACK = named("moved-stack", "runs are of the versions that kb/stacks.toml names")
SUGGESTED = 3
AMONG = 3  # answers that the box shows at once


def entries_find_themselves(catalogue: Catalogue, runs: Mapping[str, Runs]) -> Iterator[Finding]:
    """Pasting what a broken snippet printed on the reference stack leads to its own cause, among the first.

    Not always first: two causes can end in one and the same output, and then only the reader can tell.
    """
    own = runs.get(catalogue.reference.id)
    if own is None:
        return
    weights = weights_here()
    matcher = Matcher(json.loads(to_json(compile_index(catalogue, weights=weights))))
    places = Places(matcher)
    by_cause: Mapping[str, set[Function]] = {}
    for run in evidence.counted(catalogue, [own], Role.BROKEN):
        if not run.claimed or run.observation.outcome != "raised":
            continue
        text = printed_text(run.observation)
        if places.before(run.case.owner, text) < AMONG:
            continue
        found = matcher.explain(text)["causes"][:AMONG]
        if not found or any(cause["id"] == run.case.owner for cause in found):
            continue
        first = found[0]
        by_cause = by_cause or passed_by(catalogue, runs.values())
        functions = telling(passed(run.observation.events), [first["id"]], by_cause)
        some = " or ".join(f"`through: {written(function)}`" for function in functions[-SUGGESTED:])
        cause = catalogue.causes[run.case.owner]
        place = next((("faces", at) for at, face in enumerate(cause.faces) if face.id == run.case.face), ())
        yield at(
            catalogue,
            "causes",
            cause.id,
            (*place, "symptoms"),
            RANKS_ANOTHER,
            f"what snippets/{run.case.key} prints leads to {first['id']!r} first",
            (
                ""
                if cause.id in weights.get("bias", {})
                else "run `nox -s fit`, for the search knows nothing of it; or "
            )
            + f"add a clue that {first['id']!r} lacks ({some or 'an earlier message, a word of the code'}), "
            f"then `nox -s fit`, or make this a face of {first['id']!r}",
        )


def functions_were_seen(catalogue: Catalogue, runs: Mapping[str, Runs]) -> Iterator[Finding]:
    """A function that no traceback ever named is misspelt, or nobody knows that it tells anything."""
    seen = seen_in(observation for item in runs.values() for observation in item.snippets.values())
    reader = Reader(grammar_here())
    for report in catalogue.reports:
        for frame in reader.read(report.text()).frames:
            if frame.module:
                seen.add((frame.module.replace("/", "."), frame.function.rpartition(".")[2]))
    names = sorted(map(written, seen))
    for cause in catalogue.causes.values():
        for shown, path in shown_with_paths(cause):
            for index, clue in enumerate(shown.clues):
                steps = [step for name in clue.through or () for step in name.split(" > ")]
                unseen = [step for step in steps if not _passed(function_of(step), seen)]
                place = (*path, "clues", index)
                if unseen and not clue.unseen:
                    near = difflib.get_close_matches(written(function_of(unseen[0])), names, 1, 0.8)
                    hint = f"did you mean {near[0]}?" if near else "take one of the snippet's traceback,"
                    yield at(
                        catalogue,
                        "causes",
                        cause.id,
                        (*place, "through"),
                        UNSEEN_FUNCTION,
                        f"no recorded traceback and no report goes through {', '.join(unseen)}",
                        f"{hint} or add the report that does to kb/reports.jsonl, "
                        "or say why there is none: `unseen: <reason>`",
                    )
                elif clue.unseen and not unseen:
                    message = "every function of `through` was seen"
                    yield at(
                        catalogue,
                        "causes",
                        cause.id,
                        (*place, "unseen"),
                        UNSEEN_FUNCTION,
                        message,
                        "remove it",
                    )


def _passed(function: Function, seen: Set[Function]) -> bool:
    return function[0] in ("user", "*") or function in seen


def runs_belong(catalogue: Catalogue, runs: Mapping[str, Runs]) -> Iterator[Finding]:
    """Runs of a script that is gone would be lost unseen with the next recording."""
    there = known(catalogue)
    gone: dict[str, set[str]] = {}
    for item in runs.values():
        for key in item.snippets:
            if key not in there:
                path, name = path_of(key)
                gone.setdefault(path, set()).add(name)
    for path, names in sorted(gone.items()):
        some = ", ".join(sorted(names)[:SUGGESTED])
        yield Finding(
            f"{evidence.FOLDER}/{path}",
            1,
            ORPHAN_RUNS,
            f"no script is called {some}" + (" …" if len(names) > SUGGESTED else ""),
            "`unmeta rename OLD NEW` takes runs along; delete those of a script that is gone",
        )


def stacks_hold_still(catalogue: Catalogue, runs: Mapping[str, Runs]) -> Iterator[Finding]:
    """A stack that moved on makes all its runs stale: that is one thing to do, not one a script."""
    for name, item in runs.items():
        reasons = Counter(
            reason.message for key in item.snippets if (reason := evidence.moved(catalogue, item, key))
        )
        if not reasons:
            continue
        stack = catalogue.stacks.get(item.stack)
        remedy = (
            f'nox -s "stacks({item.stack})" -- --record --stale'
            if stack is not None
            else f"give [{item.stack}] back to kb/stacks.toml, or `unmeta runs drop {name}`"
        )
        message = f"{sum(reasons.values())} of {len(item.snippets)} runs of {name}: {next(iter(reasons))}"
        yield Finding("kb/stacks.toml", 1, MOVED_STACK, message, remedy)


ENTRY_PROOF_RULES = (entries_find_themselves, functions_were_seen, runs_belong, stacks_hold_still)
