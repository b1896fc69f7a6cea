"""`pytest --unmeta`: a section under each failed test whose exception is a meta error.

Without the option nothing is registered but the option itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the option."""
    parser.getgroup("unmeta").addoption(
        "--unmeta", action="store_true", help="explain meta tensor errors in a section under the failed test"
    )


def pytest_configure(config: pytest.Config) -> None:
    """Look at failures only where it was asked for."""
    if config.getoption("--unmeta"):
        config.pluginmanager.register(_Explainer(), "unmeta-explainer")


class _Explainer:
    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[Any]) -> Iterator[None]:
        del item
        outcome: Any = yield
        if call.excinfo is None or outcome.exception is not None:
            return
        report = outcome.get_result()
        if report.outcome != "failed":
            return
        from unmeta.live import notes

        lines = notes.lines_on(call.excinfo.value)
        if lines:
            report.sections.append(("unmeta", "\n".join(lines)))
