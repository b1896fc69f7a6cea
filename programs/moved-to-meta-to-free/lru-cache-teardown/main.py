"""Smoke tests of a model zoo, run one after another in one process."""

import functools
import logging
import sys
import time

import torch
from zoo import NAMES, build, weights_file

logging.basicConfig(level=logging.INFO, format="%(message)s", stream=sys.stdout)
log = logging.getLogger("smoke")


@functools.cache
def get_model(name):
    model = build(name)
    model.load_state_dict(torch.load(weights_file(name), weights_only=True))
    log.info("  loaded %s", name)
    return model.eval()


def free(name):
    get_model(name).to("meta")


def test_shapes(name):
    out = get_model(name)(torch.zeros(2, 6))
    assert out.shape[0] == 2


def test_deterministic(name):
    x = torch.ones(1, 6)
    assert torch.equal(get_model(name)(x), get_model(name)(x))


def test_values(name):
    want = torch.load(f"{name}.out", weights_only=True)
    assert torch.allclose(get_model(name)(torch.ones(1, 6)), want, atol=1e-6)


def main():
    failed = []
    for test in (test_shapes, test_deterministic, test_values):
        for name in NAMES:
            start = time.perf_counter()
            try:
                with torch.no_grad():
                    test(name)
                verdict = "ok"
            except Exception as e:
                verdict = f"ERROR {type(e).__name__}: {e}"
                failed.append((test.__name__, name))
            finally:
                free(name)
            log.info("%s[%s] %s (%.0f ms)", test.__name__, name, verdict, 1e3 * (time.perf_counter() - start))
    log.info("%d failed", len(failed))
    return len(failed)


if __name__ == "__main__":
    sys.exit(main())
