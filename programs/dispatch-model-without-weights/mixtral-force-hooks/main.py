"""Answer prompts in a process pool, as our batch jobs do."""

import logging
import multiprocessing
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed

import engine

logging.basicConfig(level=logging.INFO, format="%(processName)s %(levelname)s %(message)s")
log = logging.getLogger("batch")


def main():
    expected = engine.make_weights("experts.pt")
    context = multiprocessing.get_context("fork")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        futures = {pool.submit(engine.answer, "experts.pt", ids): ids for ids in ([1, 2, 3],)}
        for future in as_completed(futures):
            token = future.result(timeout=60)
            log.info("%s -> %d", futures[future], token)
            if token != expected:
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
