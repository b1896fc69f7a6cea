"""Feed both matchers hostile texts of up to 1 MB: no crash, no slow answer, the same answer.

    python benchmarks/finding/fuzz.py [--count 10000] [--seed 1]

Prints the slowest texts of each. Most are short, one in a hundred has a megabyte.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

from unmeta.kb import evidence
from unmeta.match.compile import compile_root, to_json
from unmeta.match.score import Matcher
from unmeta.train.forms import FORMS, parts_of

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SCRIPT = ROOT / "docs" / "assets" / "javascripts" / "matcher.js"
UNITS = (
    "a",
    " ",
    "\n",
    "\r",
    "\t",
    "[",
    "]",
    "[0",
    "[0;",
    "\x1b[",
    "\x1b]",
    "\x1b",
    "&amp;",
    "&amp",
    "&",
    "<",
    "<br",
    "<span ",
    'File "',
    "File ",
    "File x.py:1, in f ",
    ", line 1, in ",
    "| ",
    "|",
    "> ",
    ">",
    "+-",
    "Error: ",
    "Error",
    "A.",
    "A.B.",
    "x.py",
    "x.py:",
    ".py",
    "[rank0]: ",
    "[1,0]<stderr>:",
    "(a pid=1) ",
    "2025-01-02 03:04:05 ",
    "12:13:14 ",
    "E   ",
    "é",
    "🦙",
    '\\n  File "a',
    "\\n",
    "torch==",
    "torch ",
    "In[1]",
    "Cell In[",
    "a_B1",
    "meta tensor ",
    "meta",
    "Meta",
    "on meta",
    "Traceback (most recent call last):",
    '", line ',
    "Cannot copy out of m",
    "cannotcopyoutofm",
    "no data!",
    "is on the meta d",
    "copying from a non-meta parameter",
    "for ",
    "base_model.model.",
    "KeyError: ",
    "0",
    "9",
    "--> 12 ",
    "----",
    "====",
    "transformers_modules/",
    "/site-packages/",
    "\\",
    "\u2028",
    "\u200b",
    "\ud800",
    "\x00",
    "'",
    "`",
    '"',
    "“",
    "…",
    "device=",
    "parameters: 1 of 2 on meta",
    "DEBUG ",
    "{",
    "}",
    "(",
    ")",
    "to(",
    "offload",
)


def texts(count: int, seed: int) -> list[str]:
    """`count` hostile texts, reproducible by `seed`."""
    chance = random.Random(seed)
    recorded = [
        FORMS[chance.choice(list(FORMS))](parts_of(event))
        for runs in evidence.load(ROOT).values()
        for observation in runs.snippets.values()
        for event in observation.events
        if event.chain
    ] or ["nothing recorded"]
    out = []
    for at in range(count):
        size = 1_000_000 if at % 100 == 0 else int(10 ** chance.uniform(0, 4.5))
        kind = at % 4
        if kind == 0:
            unit = chance.choice(UNITS) + (chance.choice(UNITS) if chance.random() < 0.5 else "")
            text = unit * (size // len(unit))
        elif kind == 1:
            some = [chance.choice(UNITS) for _ in range(6)]
            text = "".join(chance.choice(some) for _ in range(size // 6))
        elif kind == 2:
            text = chance.choice(recorded)
            for _ in range(chance.randint(1, 30)):
                place = chance.randint(0, len(text))
                text = (
                    text[:place]
                    + chance.choice(UNITS) * chance.randint(1, 20)
                    + text[place + chance.randint(0, 9) :]
                )
        else:
            text = "".join(
                chr(chance.choice((chance.randint(0, 127), chance.randint(128, 0x10FFFF))))
                for _ in range(min(size, 3000))
            )
        out.append(text[:1_000_000])
    return out


def main() -> int:
    """Run and print; exit status 1 where an answer differs."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--count", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    index = to_json(compile_root(ROOT))
    matcher = Matcher(json.loads(index))
    pasted = texts(options.count, options.seed)
    slowest: list[tuple[float, str]] = []
    ours = []
    for text in pasted:
        start = time.perf_counter()
        answer = matcher.explain(text)
        slowest.append(((time.perf_counter() - start) * 1000, text))
        ours.append(json.dumps(answer))
    print("Python, worst ms:", [(round(ms, 1), text[:30], len(text)) for ms, text in sorted(slowest)[-5:]])
    node = shutil.which("node")
    if node is None:
        return 0
    differ = 0
    worst: list[tuple[float, str]] = []
    for start_at in range(0, len(pasted), 500):
        batch = pasted[start_at : start_at + 500]
        asked = json.dumps({"index": json.loads(index), "texts": batch, "answers": True})
        done = subprocess.run(
            [node, str(HERE / "timing.js"), str(SCRIPT)],
            input=asked,
            capture_output=True,
            text=True,
            check=True,
        )
        for at, (ms, answer) in enumerate(json.loads(done.stdout)):
            worst.append((ms, batch[at]))
            if json.dumps(answer) != ours[start_at + at]:
                differ += 1
                if differ < 5:
                    print("differs:", repr(batch[at][:200]))
    print("node, worst ms:", [(round(ms, 1), text[:30], len(text)) for ms, text in sorted(worst)[-5:]])
    print(f"{len(pasted)} texts, {differ} answers differ")
    return int(differ > 0)


if __name__ == "__main__":
    sys.exit(main())
