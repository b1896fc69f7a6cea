"""What counts as hiding what a reader would see or reaching into what records it, and what does not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from unmeta.kb.honesty import nothing_is_muted, nothing_reaches_in
from unmeta.kb.load import Catalogue, load
from unmeta.kb.snippets import Snippet

GOOD = Path(__file__).resolve().parents[1] / "good"


@pytest.fixture(scope="module")
def good() -> Catalogue:
    return load(GOOD)


def reaching(good: Catalogue, code: str) -> list[str]:
    changed = replace(good, snippets={"half-copied/broken.py": Snippet("half-copied/broken.py", code)})
    return [finding.message for finding in nothing_reaches_in(changed)]


def muted(good: Catalogue, code: str, key: str = "half-copied/broken.py") -> list[int]:
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


@pytest.mark.parametrize(
    "code",
    [
        "exec('x = 1')",
        "exec(compile(source, torch.nn.__file__, 'exec'))",
        "eval('1')",
        "__import__('torch')",
        "sys.settrace(f)",
        "threading.setprofile(f)",
        "sys.monitoring.use_tool_id(1, 'x')",
        "from sys import _getframe",
        "sys._getframe(2).f_back",
        "inspect.currentframe()",
        "error.__traceback__.tb_frame",
        "getattr(sys, '_getframe')(1)",
        "Future().set_exception(NotImplementedError())",
        "print(error.with_traceback(other))",
        "f.__code__ = g.__code__",
        "sys.modules['torch'] = fake",
        "sys.excepthook = print",
        "logging.Logger.callHandlers = print",
        "warnings.showwarning = print",
        "import ctypes",
        "from unittest import mock",
        "import unittest.mock as mock",
        "import gc",
    ],
)
def test_reaching_in_is_found(good: Catalogue, code: str) -> None:
    assert reaching(good, code)


@pytest.mark.parametrize(
    "code",
    [
        "model = torch.compile(model)",
        "model.eval()",
        "re.compile('x')",
        "with ThreadPoolExecutor() as pool:\n    pool.submit(f).result()",
        "setattr(model, 'head', head)",
        "import inspect\ninspect.signature(f)",
        "model.compile()",
    ],
)
def test_what_a_reader_writes_reaches_into_nothing(good: Catalogue, code: str) -> None:
    assert not reaching(good, code)
