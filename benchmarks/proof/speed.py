"""How long the proof takes, beside what it could take and what other tools take, on the same snippets.

    one process    all imports once, then every body, one after the other, without walls: imports + bodies
    pytest         `pytest snippets -n CORES`
    nbmake         a notebook per snippet, `pytest --nbmake -n CORES` (left out where it is not installed)
    each alone     a process per snippet, as scripts run by hand, CORES at a time

Of each the seconds that passed, and, where `perf` is installed, those of the processor, which other work on
the machine changes less. Snippets that need several ranks are left out on all sides. Trusted snippets only.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import importlib.util
import json
import os
import platform
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import nbformat
import psutil

from unmeta.kb.load import load
from unmeta.verify import preload
from unmeta.verify.judge import obstacle
from unmeta.verify.sandbox import environment, installed

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).with_name("results.json")
PLAIN = {**environment("cpu"), "PYTHONSAFEPATH": "", "PYTHONPATH": os.environ.get("PYTHONPATH", "")}


def bodies(texts: Sequence[str]) -> dict[str, float]:
    """Seconds of imports and of all bodies in one process, which forks for each body to keep them apart."""
    began, used = time.perf_counter(), time.process_time()
    preload.prepare(preload.wanted(texts))
    told = {"imports": time.perf_counter() - began, "imports_processor": time.process_time() - used}
    gc.collect()
    gc.freeze()
    seconds = processor = 0.0
    for text in texts:
        before = os.times()
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            with tempfile.TemporaryDirectory() as place:
                os.chdir(place)
                nowhere = os.open(os.devnull, os.O_RDWR)
                os.dup2(nowhere, 1)
                os.dup2(nowhere, 2)
                began = time.perf_counter()
                with contextlib.suppress(BaseException):
                    exec(compile(text, "snippet.py", "exec"), {"__name__": "__main__"})
                os.write(write, repr(time.perf_counter() - began).encode())
                os.chdir("/")
            os._exit(0)
        os.close(write)
        with os.fdopen(read) as stream:
            seconds += float(stream.read() or 0)
        os.waitpid(pid, 0)
        after = os.times()
        processor += after.children_user - before.children_user
        processor += after.children_system - before.children_system
    return {**told, "bodies": seconds, "bodies_processor": processor}


def timed(command: Sequence[str], folder: Path, env: dict[str, str]) -> dict[str, float]:
    """Seconds that pass and, where perf counts them, of the processor in all processes that it starts."""
    counter = Path(tempfile.mkstemp(prefix="unmeta-perf-")[1])
    perf = ["perf", "stat", "-x", ",", "-e", "task-clock", "-o", str(counter), "--"]
    began = time.perf_counter()
    done = subprocess.run(
        [*(perf if shutil.which("perf") else []), *command],
        cwd=folder,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    told = {"seconds": round(time.perf_counter() - began, 1)}
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command[:6])} … failed:\n{done.stderr[-2000:]}")
    for line in counter.read_text(encoding="utf-8").splitlines():
        if "task-clock" in line:
            told["processor"] = round(float(line.split(",")[0]) / 1000, 1)
    counter.unlink()
    return told


def run_alone(folder: Path, cores: int) -> None:
    """Run every script of a folder in an interpreter of its own, `cores` at a time."""

    def one(script: Path) -> None:
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with tempfile.TemporaryDirectory() as place:
            subprocess.run([sys.executable, str(script)], cwd=place, env=PLAIN, check=False, **quiet)

    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(one, sorted(folder.glob("*.py"))))


def others(texts: Sequence[str], cores: int, whole: int) -> dict[str, dict[str, float]]:
    """What other ways take for some snippets, reckoned up to `whole`."""
    told = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        (folder / "pytest.ini").write_text("[pytest]\n", encoding="utf-8")
        for number, text in enumerate(texts):
            (folder / f"s{number}.py").write_text(text, encoding="utf-8")
            notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text)])
            notebook.metadata["kernelspec"] = {"name": "python3", "display_name": "Python 3"}
            nbformat.write(notebook, folder / f"s{number}.ipynb")
        told["each_alone"] = timed(
            [sys.executable, __file__, "--run-alone", str(folder), "--cores", str(cores)], folder, PLAIN
        )
        if importlib.util.find_spec("nbmake"):
            pytest = [sys.executable, "-m", "pytest", "-p", "nbmake.pytest_plugin", "--nbmake", "-q"]
            if importlib.metadata.entry_points(group="pytest11", name="nbmake"):
                pytest[3:5] = []
            told["nbmake"] = timed([*pytest, "-n", str(cores), str(folder)], folder, PLAIN)
    share = whole / len(texts)
    return {name: {kind: round(value * share, 1) for kind, value in of.items()} for name, of in told.items()}


def main() -> None:
    """Measure and print; `--write` keeps the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sample", type=int, default=0, help="how many snippets; 0 for all")
    parser.add_argument("--others", type=int, default=40, help="how many of them are also run by other ways")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--isolate", default="require")
    parser.add_argument("--write", action="store_true", help="keep the figures in results.json")
    parser.add_argument("--run-alone", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.run_alone:
        return run_alone(options.run_alone, options.cores)
    catalogue, versions = load(ROOT), installed()
    keys = [
        case.key
        for case in catalogue.cases()
        if case.key in catalogue.snippets and not case.needs.processes and not obstacle(case, versions, "cpu")
    ]
    random.Random(0).shuffle(keys)
    keys = keys[: options.sample or len(keys)]
    texts = [catalogue.snippets[key].text for key in keys]
    load_before = psutil.getloadavg()[0]
    paths = [f"snippets/{key}" for key in keys]
    pytest = [sys.executable, "-m", "pytest", *paths, "-q", "-n", str(options.cores)]
    ours = timed([*pytest, "--isolate", options.isolate], ROOT, dict(os.environ))
    beside = others(texts[: options.others], options.cores, len(keys))
    os.environ.update(environment("cpu"))
    single = bodies(texts)
    ideal, ideal_processor = (
        single[f"imports{kind}"] + single[f"bodies{kind}"] / options.cores for kind in ("", "_processor")
    )
    figures = {
        "snippets": len(keys),
        "cores": options.cores,
        "load_before": round(load_before, 1),
        "python": platform.python_version(),
        "one_process": {name: round(value, 1) for name, value in single.items()},
        "ideal": round(ideal, 1),
        "pytest": ours,
        "pytest_over_ideal": round(ours["seconds"] / ideal, 2),
        "pytest_over_ideal_by_processor": round(
            ours.get("processor", 0) / options.cores / ideal_processor, 2
        ),
        **beside,
        "others_measured_on": min(options.others, len(texts)),
    }
    print(json.dumps(figures, indent=1))
    if options.write:
        RESULTS.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return None


if __name__ == "__main__":
    main()
