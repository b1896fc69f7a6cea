"""How many small changes of the code no test notices: `nox -s mutants`, or `-- unmeta.verify.judge`.

mutmut changes one operator, constant or argument at a time and runs the tests that reach the changed
function. Of each module SIZE changes are tried, drawn with a fixed seed. A change that nothing can show
stands in `equivalent.toml` with the reason; it is printed, and counts as not noticed all the same.
"""

from __future__ import annotations

import argparse
import random
import re
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
EQUIVALENT = Path(__file__).with_name("equivalent.toml")
MODULES = (
    "unmeta.kb.evidence",
    "unmeta.kb.load",
    "unmeta.match.evidence",
    "unmeta.match.read",
    "unmeta.match.score",
    "unmeta.verify.judge",
    "unmeta.verify.ledger",
)
SEED, SIZE = 8, 150
GOAL = 0.85
NOTICED = ("killed", "timeout", "caught by type check", "segfault")
_RESULT = re.compile(r"^\s*(?P<name>[\w.ǁ]+__mutmut_\d+): (?P<state>.+)$", re.MULTILINE)


def mutmut(*words: str, quiet: bool = True) -> str:
    """Run a command of mutmut and return what it printed."""
    done = subprocess.run(
        [str(Path(sys.executable).with_name("mutmut")), *words],
        cwd=ROOT,
        stdout=subprocess.PIPE if quiet else None,
        text=True,
        check=False,
    )
    return done.stdout or ""


def states() -> dict[str, str]:
    """Every change by name, and what became of it."""
    return {found["name"]: found["state"] for found in _RESULT.finditer(mutmut("results", "--all", "true"))}


def of_module(name: str) -> str:
    """The module that a change is in."""
    return name.rpartition(".")[0]


def drawn(names: Sequence[str], size: int, seed: int) -> list[str]:
    """The changes of one module that are tried: the same ones for the same code."""
    ordered = sorted(names)
    return ordered if len(ordered) <= size else sorted(random.Random(seed).sample(ordered, size))


def lines(diff: str) -> tuple[str, ...]:
    """What a diff takes away and adds: it names a change whatever number mutmut gives it."""
    return tuple(
        f"{line[0]} {line[1:].strip()}" for line in diff.splitlines() if re.match(r"[-+](?![-+]{2} )", line)
    )


def reasons() -> dict[tuple[str, tuple[str, ...]], str]:
    """Why a change cannot be noticed, by module and lines."""
    rows = tomllib.loads(EQUIVALENT.read_text(encoding="utf-8"))["change"]
    return {(row["module"], tuple(row["lines"])): row["why"] for row in rows}


def table(
    tried: Mapping[str, Sequence[str]], all_: Mapping[str, Sequence[str]], seen: Mapping[str, str]
) -> bool:
    """Print a line for each module; tell whether all reach the goal."""
    print(f"{'module':24} changes  tried  noticed")
    good = True
    for module, names in tried.items():
        noticed = sum(seen.get(name) in NOTICED for name in names)
        good = good and noticed >= GOAL * len(names)
        print(f"{module:24} {len(all_[module]):7}  {len(names):5}  {noticed:4} = {noticed / len(names):.1%}")
    return good


def main() -> int:
    """Draw, run, print; 1 where a module misses the goal or a survivor has no reason."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="*", help="all by default")
    parser.add_argument("--size", type=int, default=SIZE, help="changes of a module that are tried")
    parser.add_argument("--seed", type=int, default=SEED)
    asked = parser.parse_args()
    wanted = asked.modules or MODULES
    # The first call writes the changed code and learns which tests reach which function.
    mutmut("run", f"{MODULES[0]}.*__mutmut_1", quiet=False)
    all_: dict[str, list[str]] = {module: [] for module in wanted}
    for name in states():
        if of_module(name) in all_:
            all_[of_module(name)].append(name)
    tried = {module: drawn(names, asked.size, asked.seed) for module, names in all_.items()}
    mutmut("run", *(name for names in tried.values() for name in names), quiet=False)
    seen = states()
    good = table(tried, all_, seen)
    known, unread = reasons(), 0
    for name in (name for names in tried.values() for name in names if seen.get(name) not in NOTICED):
        diff = lines(mutmut("show", name))
        why = known.get((of_module(name), diff))
        unread += why is None
        print(
            f"\n{name}: {seen.get(name)}", *diff, f"  {why or 'no reason is known: write a test'}", sep="\n  "
        )
    return int(not good or unread > 0)


if __name__ == "__main__":
    sys.exit(main())
