"""Running trains the search: what a snippet printed, pasted into the matcher, leads back to its own cause."""

import pytest

from unmeta.kb import evidence
from unmeta.kb.runs import printed_text
from unmeta.kb.snippets import Role


@pytest.fixture(scope="module")
def printed(catalogue, root):
    """(where, what was printed, the cause) of every run of a broken snippet that ended in a known symptom."""
    runs = evidence.load(root).values()
    return [
        (f"{found.runs.name}/{found.case.key}", printed_text(found.observation), found.case.owner)
        for found in evidence.counted(catalogue, runs, Role.BROKEN)
        if found.claimed and found.observation.outcome == "raised"
    ]


def ranks(matcher, printed, part=slice(None)):
    found = []
    for where, text, owner in printed:
        answer = matcher.explain("\n".join(text.splitlines()[part]))
        ids = [cause["id"] for cause in answer["causes"]]
        found.append((where, ids.index(owner) if owner in ids else 99, answer["known"]))
    return found


def test_recorded_tracebacks_lead_to_their_cause(matcher, printed):
    found = ranks(matcher, printed)
    # "mixed torch.Tensor and DTensor" and "no process group" are mostly met without meta tensors: not ours.
    assert sum(known for _, _, known in found) >= 0.97 * len(found)
    assert sum(rank == 0 for _, rank, _ in found) >= 0.95 * len(found), "equal outputs have one first answer"
    assert sum(rank < 3 for _, rank, _ in found) >= 0.97 * len(found)


def test_the_last_twelve_lines_lead_among_the_first_three(matcher, printed):
    found = ranks(matcher, printed, slice(-12, None))
    missed = [where for where, rank, _ in found if rank > 2]
    assert len(missed) <= len(found) // 4, missed


@pytest.mark.parametrize("file", ["BatchRulesDynamic.cpp:66 [kernel]", "BinaryOps.cpp:7 [kernel]"])
def test_the_end_of_a_backend_list_says_what_is_missing(matcher, file):
    lines = [
        "AutocastCPU: fallthrough registered at ../aten/src/ATen/autocast_mode.cpp:382 [backend fallback]",
        f"FuncTorchBatched: registered at ../aten/src/ATen/functorch/{file}",
        "PythonDispatcher: registered at ../aten/src/ATen/core/PythonFallback.cpp:157 [backend fallback]",
    ]
    answer = matcher.explain("\n".join(lines))
    assert not answer["known"]
    assert answer["why_not"]["id"] == "kernel-of-another-backend"
