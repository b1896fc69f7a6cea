"""Which imports every snippet still makes for itself: what `unmeta.verify.preload` should make ahead.

Runs a sample of snippets in forks of this process, after all groups were imported. Trusted snippets only:
nothing keeps them in.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import gc
import json
import os
import random
import shutil
import sys
import tempfile
import time
from pathlib import Path

from unmeta.kb.load import load
from unmeta.verify import preload
from unmeta.verify.judge import obstacle
from unmeta.verify.sandbox import environment, installed

ROOT = Path(__file__).resolve().parents[2]


def child(text: str, out: int) -> None:
    """Run a snippet and tell its processor time and the modules that it imported."""
    place = tempfile.mkdtemp()
    os.chdir(place)
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    before, began = set(sys.modules), time.process_time()
    with contextlib.suppress(BaseException):
        exec(compile(text, "snippet.py", "exec"), {"__name__": "__main__"})
    told = {"seconds": time.process_time() - began, "modules": sorted(set(sys.modules) - before)}
    with os.fdopen(out, "w") as stream:
        json.dump(told, stream)
    shutil.rmtree(place, ignore_errors=True)
    os._exit(0)


def main() -> None:
    """Print processor seconds, and the modules that most children import."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sample", type=int, default=100, help="how many snippets")
    options = parser.parse_args()
    os.environ.update(environment("cpu"))
    catalogue, versions = load(ROOT), installed()
    keys = [
        case.key
        for case in catalogue.cases()
        if case.key in catalogue.snippets and not case.needs.processes and not obstacle(case, versions, "cpu")
    ]
    keys = random.Random(0).sample(keys, min(options.sample, len(keys)))
    began = time.process_time()
    preload.prepare(preload.GROUPS)
    print(f"imported ahead in {time.process_time() - began:.1f} s")
    gc.collect()
    gc.freeze()
    count: collections.Counter[str] = collections.Counter()
    seconds = 0.0
    for key in keys:
        read, write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(read)
            child(catalogue.snippets[key].text, write)
        os.close(write)
        with os.fdopen(read) as stream:
            told = json.loads(stream.read() or '{"seconds": 0, "modules": []}')
        os.waitpid(pid, 0)
        count.update(told["modules"])
        seconds += told["seconds"]
    print(f"{len(keys)} bodies in {seconds:.1f} s, {seconds / len(keys):.3f} s each")
    for module, times in count.most_common(40):
        print(f"{times:5} {module}")


if __name__ == "__main__":
    main()
