"""How long the proof takes, beside what it could take and what other tools take, on the same snippets.

    one process    all imports once, then every body, one after the other, without walls: imports + bodies
    pytest         `pytest snippets -n CORES`
    each alone     a process per snippet, as notebooks run by nbmake or scripts run by hand, CORES at a time

Snippets that end their process or need several ranks are left out on all sides. Trusted snippets only.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil

from unmeta.kb.load import load
from unmeta.verify import preload
from unmeta.verify.judge import obstacle
from unmeta.verify.sandbox import environment, installed

ROOT = Path(__file__).resolve().parents[2]
RESULTS = Path(__file__).with_name("results.json")


def bodies(texts: Sequence[str]) -> dict[str, float]:
    """Seconds of imports and of all bodies in one process, which forks for each body to keep them apart."""
    began = time.perf_counter()
    preload.prepare(preload.wanted(texts))
    imports = time.perf_counter() - began
    gc.collect()
    gc.freeze()
    total = 0.0
    for text in texts:
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
            total += float(stream.read() or 0)
        os.waitpid(pid, 0)
    return {"imports": imports, "bodies": total}


def run_pytest(keys: Sequence[str], cores: int, isolate: str) -> float:
    """Seconds of `pytest` over these snippets."""
    paths = [f"snippets/{key}" for key in keys]
    began = time.perf_counter()
    command = [sys.executable, "-m", "pytest", *paths, "-n", str(cores), "-q", "--isolate", isolate]
    subprocess.run(command, cwd=ROOT, stdout=subprocess.DEVNULL, check=False)
    return time.perf_counter() - began


def each_alone(texts: Sequence[str], cores: int) -> float:
    """Seconds of a new interpreter per snippet, `cores` at a time."""

    def one(text: str) -> None:
        with tempfile.TemporaryDirectory() as place:
            script = Path(place, "snippet.py")
            script.write_text(text, encoding="utf-8")
            subprocess.run(
                [sys.executable, str(script)],
                cwd=place,
                env={**environment("cpu"), "PYTHONSAFEPATH": ""},
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                check=False,
            )

    began = time.perf_counter()
    with ThreadPoolExecutor(cores) as pool:
        list(pool.map(one, texts))
    return time.perf_counter() - began


def main() -> None:
    """Measure and print; `--write` keeps the figures."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--sample", type=int, default=0, help="how many snippets; 0 for all")
    parser.add_argument("--alone", type=int, default=40, help="how many of them each in a process of its own")
    parser.add_argument("--cores", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--isolate", default="require")
    parser.add_argument("--write", action="store_true", help="keep the figures in results.json")
    options = parser.parse_args()
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
    pytest_seconds = run_pytest(keys, options.cores, options.isolate)
    alone = each_alone(texts[: options.alone], options.cores) / min(options.alone, len(texts)) * len(texts)
    os.environ.update(environment("cpu"))
    single = bodies(texts)
    ideal = single["imports"] + single["bodies"] / options.cores
    figures = {
        "snippets": len(keys),
        "cores": options.cores,
        "load_before": round(load_before, 1),
        "python": platform.python_version(),
        "one_process": {name: round(value, 1) for name, value in single.items()},
        "ideal": round(ideal, 1),
        "pytest": round(pytest_seconds, 1),
        "pytest_over_ideal": round(pytest_seconds / ideal, 2),
        "each_alone": round(alone, 1),
        "each_alone_measured_on": min(options.alone, len(texts)),
    }
    print(json.dumps(figures, indent=1))
    if options.write:
        RESULTS.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
