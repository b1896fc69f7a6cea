"""What counts as hiding what a reader would see, and what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

from unmeta.kb.load import Catalogue, load
from unmeta.kb.snippet_rules import nothing_is_muted
from unmeta.kb.snippets import Snippet

GOOD = Path(__file__).resolve().parents[1] / "good"


@pytest.fixture(scope="module")
def good() -> Catalogue:
    return load(GOOD)


def muted(good: Catalogue, code: str, key: str = "half-copied/broken.py") -> list[int]:
    from dataclasses import replace

    changed = replace(good, snippets={key: Snippet(key, code)})
    return [finding.line for finding in nothing_is_muted(changed)]


@pytest.mark.parametrize(
    "code",
    [
        "logging.getLogger('accelerate').setLevel(logging.ERROR)",
        "logging.disable(logging.WARNING)",
        "logging.captureWarnings(True)",
        "transformers.logging.set_verbosity_error()",
        "transformers.utils.logging.set_verbosity(40)",
        "hf.logging.disable_default_handler()",
        "warnings.filterwarnings('ignore')",
        "from warnings import simplefilter\nsimplefilter('ignore')",
        "with warnings.catch_warnings():\n    pass",
        "with contextlib.redirect_stderr(io.StringIO()):\n    pass",
        "logger.addFilter(lambda record: False)",
        "logger.removeHandler(handler)",
        "logger.propagate = False",
        "logger.disabled = True",
        "sys.stderr = open(os.devnull, 'w')",
        "logging.lastResort = None",
        "os.dup2(null, 2)",
        "os.dup2(null, sys.stderr.fileno())",
        "os.environ['TRANSFORMERS_VERBOSITY'] = 'error'",
        "os.environ |= {'HF_HUB_VERBOSITY': 'error'}",
        "os.environ.setdefault('ACCELERATE_LOG_LEVEL', 'ERROR')",
        "os.environ['PYTHONWARNINGS'] = 'ignore'",
        "class M(PreTrainedModel):\n    _keys_to_ignore_on_load_missing = ['head']",
        "model._keys_to_ignore_on_load_unexpected = ['x']",
        "setattr(model, '_keys_to_ignore_on_save', ['x'])",
        "Config(_keys_to_ignore_on_load_missing=['x'])",
    ],
)
def test_muting_is_found(good: Catalogue, code: str) -> None:
    assert muted(good, code)
    assert muted(good, code, "facts/copy-raises.py")


@pytest.mark.parametrize(
    "code",
    [
        "logger = logging.getLogger('accelerate')",
        "logging.basicConfig()",
        "logger.propagate = True",
        "logger.disabled = False",
        "os.dup2(1, 3)",
        "os.environ['WORLD_SIZE'] = '1'",
        "level = model.level",
        "print('warnings')",
    ],
)
def test_what_hides_nothing_passes(good: Catalogue, code: str) -> None:
    assert not muted(good, code)


def test_a_fact_may_catch_warnings_to_look_at_them(good: Catalogue) -> None:
    code = (
        "import warnings\n"
        "with warnings.catch_warnings(record=True) as caught:\n"
        "    warnings.simplefilter('always')\n"
        "assert caught\n"
    )
    assert not muted(good, code, "facts/copy-raises.py")
    assert muted(good, code) == [2, 3]
    assert muted(good, code + "warnings.simplefilter('ignore')\n", "facts/copy-raises.py") == [5]
