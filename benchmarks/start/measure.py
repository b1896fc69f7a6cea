"""How long the commands of a reader take to start and answer, against `python -c pass`.

    python benchmarks/start/measure.py [--turns 30]

Two installations are measured: the wheel, as readers have it, and this checkout, where each call looks first
whether what was compiled is still fresh. Times are CPU milliseconds of a fresh interpreter with its bytecode
compiled before, medians; they hold on a busy machine as well.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PASTE = b"NotImplementedError: Cannot copy out of meta tensor; no data!"
COMMANDS = {
    "python -c pass": ["-c", "pass"],
    "import unmeta": ["-c", "import unmeta"],
    "unmeta": ["-m", "unmeta"],
    "unmeta explain": ["-m", "unmeta", "explain"],
    "unmeta show, a cause": ["-m", "unmeta", "show", "to-after-dispatch"],
    "unmeta show, a message": ["-m", "unmeta", "show", "no-data-to-copy"],
    "unmeta completion --for": ["-m", "unmeta", "completion", "--for", "show", "to"],
}


def wheel(folder: Path) -> Path:
    """The contents of a wheel of this checkout."""
    from hatchling.build import build_wheel

    os.chdir(ROOT)
    with zipfile.ZipFile(folder / build_wheel(str(folder))) as archive:
        archive.extractall(folder / "lib")
    return folder / "lib"


def cpu(words: list[str], library: Path, turns: int) -> float:
    """Median CPU milliseconds of a command."""
    env = {**os.environ, "PYTHONPATH": str(library)}
    env.pop("PYTHONDONTWRITEBYTECODE", None)
    times = []
    for turn in range(turns + 1):
        process = subprocess.Popen(
            [sys.executable, *words],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=env,
            cwd=library,
        )
        assert process.stdin is not None
        process.stdin.write(PASTE)
        process.stdin.close()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode > 1:
            raise SystemExit(f"{words} ended with {process.returncode}")
        if turn:  # the first one compiles
            times.append((used.ru_utime + used.ru_stime) * 1000)
    return statistics.median(times)


def main() -> int:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--turns", type=int, default=30)
    turns = parser.parse_args().turns
    with tempfile.TemporaryDirectory() as folder:
        installed = wheel(Path(folder))
        print(f"{'':26} {'wheel ms':>9} {'ratio':>6} {'checkout ms':>12} {'ratio':>6}")
        base = [cpu(["-c", "pass"], library, turns) for library in (installed, ROOT / "src")]
        for name, words in COMMANDS.items():
            found = [cpu(words, library, turns) for library in (installed, ROOT / "src")]
            cells = [(time, time / nothing) for time, nothing in zip(found, base, strict=True)]
            print(f"{name:26} {cells[0][0]:9.1f} {cells[0][1]:6.2f} {cells[1][0]:12.1f} {cells[1][1]:6.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
