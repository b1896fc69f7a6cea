"""How long the gate takes: `unmeta check` on many made-up causes, and a run in which nothing is stale.

    python benchmarks/check/speed.py            # 2,000 causes, three turns each
    python benchmarks/check/speed.py 200 1

Prints the least time of each; README.md says how to read it.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from unmeta.kb.load import load
from unmeta.kb.runs import Event, Frame, Observation, Outcome, Raised, Runs
from unmeta.verify import ledger

ROOT = Path(__file__).resolve().parents[2]
MESSAGE = "Cannot copy out of meta tensor; no data!"
STACKS = '[here]\ntitle = "One stack"\nreference = true\npython = "3.11"\npackages = {torch = "2.13.0"}\n'
SYMPTOM = f"""\
title: {MESSAGE}
kind: exception
type: NotImplementedError
messages:
  bare: {MESSAGE}
near_misses:
  - Tensor on device meta is not on the expected device cpu!
"""
CAUSE = """\
title: Step {number} moves a meta tensor
area: torch
summary: Build the layer of step {number} on the CPU. Nothing can be copied from a meta tensor.
symptoms:
  - id: nothing-to-copy
    tells: with
    clues:
      - through: made_up.part_{group}:Step{number}.move_{number}
      - ask: Does step {number} build its layer under torch.device("meta")?
cause: |
  `Step{number}.move()` copies bytes, and a meta tensor has none.
fixes:
  - id: real
    title: Build it on the CPU
    why: Then there are bytes to copy.
traps:
  - id: empty
    title: Call to_empty()
    why: The memory is uninitialised.
    ends: wrong-result
"""
SCRIPT = '''\
"""Build the layer of step {number} and move it."""

import torch
from torch import nn

# code
with torch.device("{device}"):
    layer = nn.Linear({number}, 2)

layer.{move}

# goal
assert layer.weight.sum().item() != 0
'''
SCRIPTS = {
    "broken": ("meta", 'to("cpu")', "raised"),
    "fix-real": ("cpu", 'to("cpu")', "passed"),
    "trap-empty": ("meta", 'to_empty(device="cpu").weight.data.zero_()', "missed"),
}


def main() -> None:
    """Measure both and print the figures."""
    count, turns = [*map(int, sys.argv[1:]), *(2000, 3)[len(sys.argv) - 1 :]]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        synthetic(root, count)
        check = [sys.executable, "-m", "unmeta", "check", "--root", str(root)]
        print(f"unmeta check, {count:,} causes with {3 * count:,} runs: {best(check, turns, root)}")
    stale = [sys.executable, "-m", "pytest", "snippets", "--stale", "-q"]
    print(f"pytest snippets --stale, nothing stale: {best(stale, turns, ROOT)}")


def best(command: list[str], turns: int, folder: Path) -> str:
    """The least wall time of several calls, and the least of the processor. Raises SystemExit on failure."""
    times, used = [], []
    for _ in range(turns):
        start, before = time.perf_counter(), os.times()
        done = subprocess.run(
            command, cwd=folder, env=os.environ, capture_output=True, text=True, check=False
        )
        times.append(time.perf_counter() - start)
        after = os.times()
        used.append(
            after.children_user - before.children_user + after.children_system - before.children_system
        )
        if done.returncode not in (0, 5):  # pytest: no test was left to run
            sys.exit(f"{' '.join(command)} failed:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return f"{min(times):.2f} s ({min(used):.2f} s of the processor)"


def synthetic(root: Path, count: int) -> None:
    """A catalogue of `count` causes of one message, each told by a function, with its runs."""
    write(root / "kb" / "stacks.toml", STACKS)
    write(root / "kb" / "symptoms" / "nothing-to-copy.yaml", SYMPTOM)
    for number in range(count):
        name = f"step-{number}"
        write(root / "kb" / "causes" / f"{name}.yaml", CAUSE.format(number=number, group=number // 10))
        for script, (device, move, _) in SCRIPTS.items():
            text = SCRIPT.format(number=number, device=device, move=move)
            write(root / "snippets" / name / f"{script}.py", text)
    catalogue = load(root)
    seen = {}
    for key, snippet in catalogue.snippets.items():
        owner, _, script = key.removesuffix(".py").partition("/")
        outcome = SCRIPTS[script][2]
        seen[key] = observation(snippet.digest, int(owner.removeprefix("step-")), script, outcome)
    ledger.record(root, [Runs("here", "cpu", catalogue.reference.versions, seen)], catalogue.snippets)


def observation(digest: str, number: int, script: str, outcome: Outcome) -> Observation:
    """What a run of one script would have shown."""
    own = Frame(f"{script}.py", 10 if outcome == "raised" else 13, "<module>", library=False)
    events: tuple[Event, ...] = ()
    if outcome == "raised":
        frames = (own, Frame(f"made_up/part_{number // 10}.py", number, f"move_{number}", "self.to(device)"))
        chain = (Raised("NotImplementedError", MESSAGE, frames),)
        events = (Event("exception", "NotImplementedError", MESSAGE, chain=chain),)
    elif outcome == "missed":
        events = (
            Event("exception", "AssertionError", "", "goal", chain=(Raised("AssertionError", "", (own,)),)),
        )
    return Observation(digest, outcome, outcome != "raised", events, date="2026-01-01")


def write(path: Path, text: str) -> None:
    """Write a file and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
