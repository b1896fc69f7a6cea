"""How fast both matchers answer, how large the index is and how both grow.

    python benchmarks/finding/speed.py [--write]

Times are milliseconds of processor time, the cold start's of wall time: run it on an idle machine.
--write adds them to results.json.
"""

from __future__ import annotations

import argparse
import copy
import gzip
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from unmeta.match.compile import compile_root, to_json
from unmeta.match.score import Matcher

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SCRIPT = ROOT / "docs" / "assets" / "javascripts" / "matcher.js"
MESSAGE = (
    "NotImplementedError: Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() "
    "instead of torch.nn.Module.to() when moving module from meta to a different device."
)


def paste(lines: int = 60, seed: int = 0) -> str:
    """A traceback of about `lines` lines through user code, transformers, accelerate and torch."""
    chance = random.Random(seed)
    out = [
        "/env/lib/python3.11/site-packages/torch/nn/modules/module.py:2025: UserWarning: for layers.0.weight:"
        " copying from a non-meta parameter in the checkpoint to a meta parameter in the current model, "
        "which is a no-op. (Did you mean to pass `assign=True`)",
        "Some weights of LlamaForCausalLM were not initialized from the model checkpoint",
        "Traceback (most recent call last):",
    ]
    files = (
        ("app/serve.py", "main"),
        ("/env/lib/python3.11/site-packages/transformers/modeling_utils.py", "from_pretrained"),
        ("/env/lib/python3.11/site-packages/accelerate/big_modeling.py", "dispatch_model"),
        ("/env/lib/python3.11/site-packages/torch/nn/modules/module.py", "_apply"),
    )
    while len(out) < lines - 1:
        path, name = files[min(3, len(out) * 4 // lines)]
        out.append(f'  File "{path}", line {chance.randint(1, 4000)}, in {name}')
        out.append(f"    module.{name}(value_{chance.randint(1, 99)}, device=device)")
    return "\n".join([*out[: lines - 1], MESSAGE])


def big_log(size: int = 1_000_000) -> str:
    """A training log of `size` characters that ends in a traceback."""
    line = "2025-01-02 03:04:05,678 INFO trainer step={} loss=1.2345 lr=3e-05 offload=False\n"
    text = "".join(line.format(step) for step in range(size // len(line) + 1))
    return text[: size - 5000] + "\n" + paste()


def grown(index: dict[str, Any], causes: int) -> dict[str, Any]:
    """An index with synthetic causes added: all share the symptoms of a real one, each has its own clues."""
    index = copy.deepcopy(index)
    real = len(index["causes"])
    for at in range(real, causes):
        like = index["causes"][at % real]
        shown = []
        for symptom, alone, clues in like["shown"]:
            own = []
            for clue in clues:
                key, name, *values = copy.deepcopy(index["clues"][clue])
                if key in ("calls", "holes", "says", "through", "not_through"):
                    values = [[rare, f"{value}{at}"] for rare, value in values]
                    index["written"].update((value, value) for _, value in values)
                own.append(len(index["clues"]))
                index["clues"].append([key, f"{name}-{at:x}", *values])
            shown.append([symptom, alone, own])
        index["causes"].append({**like, "id": f"synthetic-{at}", "shown": shown})
        index["bias"].append(index["bias"][at % real])
    return index


def timed(matcher: Matcher, text: str, turns: int) -> list[float]:
    """Milliseconds of each of `turns` answers, after three to warm up."""
    for _ in range(3):
        matcher.explain(text)
    times = []
    for _ in range(turns):
        start = time.process_time()
        matcher.explain(text)
        times.append((time.process_time() - start) * 1000)
    return times


def timed_in_node(index: dict[str, Any], text: str, turns: int) -> list[float]:
    """The same in node."""
    node = shutil.which("node")
    if node is None:
        return []
    asked = json.dumps({"index": index, "text": text, "turns": turns})
    done = subprocess.run(
        [node, str(HERE / "timing.js"), str(SCRIPT)], input=asked, capture_output=True, text=True, check=True
    )
    times: list[float] = json.loads(done.stdout)
    return times


def cold(code: str, turns: int = 15) -> float:
    """Milliseconds of a fresh interpreter that runs `code`, compiled before: the best of several turns."""
    times = []
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)
        for _ in range(turns + 1):
            start = time.perf_counter()
            subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, env=environment)
            times.append((time.perf_counter() - start) * 1000)
    return min(times)


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--write", action="store_true", help="add the times to results.json")
    options = parser.parse_args()
    text = to_json(compile_root(ROOT))
    index = json.loads(text)
    large = grown(index, 2000)
    size = len(gzip.compress(text.encode(), 9))
    rows: dict[str, Any] = {
        "causes": len(index["causes"]),
        "index kB": round(len(text) / 1000, 1),
        "index kB gzipped": round(size / 1000, 1),
        "bytes gzipped per cause": round(size / len(index["causes"])),
    }
    cases = {
        "60-line paste": (index, paste(), 1000),
        "60-line paste, 2,000 causes": (large, paste(), 50),
        "1 MB log": (index, big_log(), 20),
        "last line only": (index, MESSAGE, 200),
    }
    for name, (known, pasted, turns) in cases.items():
        for where, times in (
            ("Python", timed(Matcher(known), pasted, turns)),
            ("node", timed_in_node(known, pasted, turns)),
        ):
            if times:
                rows[f"{name}, {where}"] = {
                    "median ms": round(statistics.median(times), 2),
                    "worst ms": round(max(times), 2),
                }
    nothing = cold("pass")
    explain = cold("import unmeta.match as m; m.explain('Cannot copy out of meta tensor; no data!')")
    rows["cold start"] = {
        "python -c pass ms": round(nothing, 1),
        "explain ms": round(explain, 1),
        "ratio": round(explain / nothing, 2),
    }
    for name, row in rows.items():
        print(
            f"{name:42} {row if not isinstance(row, dict) else '  '.join(f'{k} {v}' for k, v in row.items())}"
        )
    if options.write:
        path = HERE / "results.json"
        results = json.loads(path.read_text("utf-8")) if path.is_file() else {}
        path.write_text(json.dumps({**results, "speed": rows}, indent=1, ensure_ascii=False) + "\n", "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
