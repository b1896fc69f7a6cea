"""A note on the exception itself: `install()` for a process, `%load_ext unmeta` for IPython.

The program stays as it is: its exception, exit code and output are its own, with at most six lines added
under a meta error, once for each message. What fails in here is swallowed.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

MOST_LINES = 6
WIDTH = 100
SIGNS = ("meta", "offload", "KeyError", "uninitiali", "invalid gradient", "device_map")
"""Words of which a message must hold one before anything is looked at: other errors pass untouched."""

FAILED = "unmeta: could not look at this error"
_said: set[str] = set()
_before: dict[str, Callable[..., Any]] = {}


def install() -> None:
    """Add a note to meta errors that end the program or a thread. Calling it twice changes nothing."""
    import threading

    if "sys" not in _before:
        _before["sys"], sys.excepthook = sys.excepthook, _on_exit
        _before["threading"], threading.excepthook = threading.excepthook, _on_thread
    shell = _shell()
    if shell is not None:
        load_ipython_extension(shell)


def uninstall() -> None:
    """Put back the hooks that were there before `install()`, where nobody replaced ours since."""
    import threading

    if sys.excepthook is _on_exit:
        sys.excepthook = _before.pop("sys")
    if threading.excepthook is _on_thread:
        threading.excepthook = _before.pop("threading")
    shell = _shell()
    if shell is not None:
        unload_ipython_extension(shell)


def load_ipython_extension(shell: Any) -> None:
    """`%load_ext unmeta`: the same for the cells of a notebook."""
    shell.set_custom_exc((Exception,), _in_shell)


def unload_ipython_extension(shell: Any) -> None:
    """`%unload_ext unmeta`."""
    shell.set_custom_exc((), None)


def _shell() -> Any:
    module = sys.modules.get("IPython")
    return module.get_ipython() if module is not None else None


def _on_exit(kind: type[BaseException], error: BaseException, trace: Any) -> None:
    annotate(error)
    _before.get("sys", sys.__excepthook__)(kind, error, trace)


def _on_thread(arguments: Any) -> None:
    if arguments.exc_value is not None:
        annotate(arguments.exc_value)
    _before["threading"](arguments)


def _in_shell(shell: Any, kind: Any, error: Any, trace: Any, tb_offset: Any = None) -> None:
    annotate(error)
    shell.showtraceback((kind, error, trace), tb_offset=tb_offset)


def annotate(error: BaseException) -> bool:
    """Add a note (PEP 678) to a meta error; whether one was added. Never raises."""
    try:
        text = _chain_text(error)
        if text in _said:
            return False
        lines = lines_on(error)
        if not lines:
            return False
        error.add_note("\n".join(lines))
        if lines[0].startswith(FAILED):
            return False
        _said.add(text)
        return True
    except Exception:  # an exception that cannot be read or takes no notes
        return False


def lines_on(error: BaseException) -> list[str]:
    """At most six lines on a meta error; none on others, and one where the look fails. Never raises."""
    try:
        text = _chain_text(error)
        return note(error) if any(sign in text for sign in SIGNS) else []
    except Exception as ours:
        return [f"{FAILED} ({type(ours).__name__})"]


def note(error: BaseException) -> list[str]:
    """At most six lines on an exception: cause, tensors, change, address. Empty where none is known."""
    from unmeta.address import entry_url
    from unmeta.live.explaining import explain
    from unmeta.live.report import folded

    answer = explain(error)
    if not answer["known"] or not answer["causes"]:
        return []
    cause = answer["causes"][0]
    sure = answer["verdict"] == "cause" or _agrees(answer, cause["id"])
    lines = [f"unmeta: {cause['title']}" if sure else f"unmeta: likeliest cause: {cause['title']}"]
    finding = _finding(answer, cause["id"])
    if finding is not None:
        names = folded(tuple(finding["tensors"]), most=1)
        lines += [f"  on meta: {', '.join(names)}"] if names else []
        lines += [f"  {line}" for line in finding["change"][:2]]
    lines.append(f"  {entry_url(cause['id'])}")
    return [line if len(line) <= WIDTH else line[: WIDTH - 1] + "…" for line in lines[:MOST_LINES]]


def _finding(answer: Any, cause: str) -> Any:
    """The finding about the cause, or else the first one: it names the tensors."""
    findings = (answer.get("live") or {}).get("findings", [])
    return next((item for item in findings if item["cause"] == cause), findings[0] if findings else None)


def _agrees(answer: Any, cause: str) -> bool:
    findings = (answer.get("live") or {}).get("findings", [])
    return any(item["cause"] == cause and item["level"] == "problem" for item in findings)


def _chain_text(error: BaseException) -> str:
    parts: list[str] = []
    current: BaseException | None = error
    while current is not None and len(parts) < 10:
        parts.append(f"{type(current).__name__}: {current}")
        current = current.__cause__ or current.__context__
    return "\n".join(parts)
