"""Which files are looked at, and the forms of what was found: text, JSON, SARIF, annotations of GitHub."""

from __future__ import annotations

import functools
import gc
import os
import sys
from dataclasses import dataclass, field

from unmeta.scan.read import findings
from unmeta.scan.rules import SAYS
from unmeta.scan.tree import SourceError

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from unmeta.scan.rules import Found

SKIPPED = {"__pycache__", "node_modules", "site-packages", "venv", "build", "dist"}
MAX_BYTES = 2_000_000
"""A larger file is generated; it is left out, with a word."""
TOO_LARGE = f"left out, larger than {MAX_BYTES:,} bytes"


class ConfigError(ValueError):
    """`[tool.unmeta.scan]` of pyproject.toml is not what it should be."""


@dataclass
class Looked:
    """What a look at files told.

    `unread` says where and why a file could not be looked at, `left_out` which were not meant to be.
    """

    found: list[Found] = field(default_factory=list)
    unread: list[str] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    count: int = 0


def scan(paths: Sequence[str], exclude: Iterable[str] = (), ignore: Iterable[str] = ()) -> Looked:
    """Look at all Python files below the paths; `exclude` are patterns of shell names, `ignore` causes.

    Raises FileNotFoundError for a path that is not there.
    """
    _names.cache_clear()
    beside.cache_clear()
    looked, found = Looked(), set()
    left_out = frozenset(ignore)
    collecting = gc.isenabled()
    gc.disable()  # trees hold no cycles, and a third of the time went to looking for them
    try:
        for file in files(paths, exclude, looked.left_out):
            looked.count += 1
            more, word = look(file)
            found |= {
                item for item in more if item.cause not in left_out and not _excluded(item.path, exclude)
            }
            if word is not None:
                (looked.left_out if word.endswith(TOO_LARGE) else looked.unread).append(word)
    finally:
        if collecting:
            gc.enable()
    looked.found = sorted(found)
    return looked


def files(
    paths: Sequence[str], exclude: Iterable[str] = (), left_out: list[str] | None = None
) -> Iterator[str]:
    """Python files below the paths, sorted. A file that is named always comes.

    Links out of a folder that is named, and what is no file, are left out, with a word in `left_out`.
    Raises FileNotFoundError for a path that is not there.
    """
    words = left_out if left_out is not None else []
    for path in paths:
        if not os.path.exists(path):
            raise FileNotFoundError(path)
        if not os.path.isdir(path):
            yield path
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(n for n in folders if n not in SKIPPED and not n.startswith("."))
            for name in sorted(names):
                file = os.path.join(folder, name)
                if not name.endswith(".py") or _excluded(file, exclude):
                    continue
                if os.path.islink(file) and not _below(file, path):
                    words.append(f"{_shown(file)}: left out, a link out of {_shown(path)}")
                elif not os.path.isfile(file):
                    words.append(f"{_shown(file)}: left out, no file")
                else:
                    yield file


def _excluded(file: str, exclude: Iterable[str]) -> bool:
    from fnmatch import fnmatch

    return any(fnmatch(_shown(file), pattern) for pattern in exclude)


def _shown(file: str) -> str:
    return os.path.normpath(file).replace(os.sep, "/")


def _below(file: str, folder: str) -> bool:
    """Whether what a link stands for lies below a folder."""
    top = os.path.join(os.path.realpath(folder), "")
    return os.path.realpath(file).startswith(top)


def look(file: str) -> tuple[list[Found], str | None]:
    """Findings of one file and of what it imports from beside it, and a word where it could not be read."""
    shown = _shown(file)
    try:
        if not os.path.isfile(file):
            return [], f"{shown}: cannot be read: no file"
        if os.path.getsize(file) > MAX_BYTES:
            return [], f"{shown}: {TOO_LARGE}"
        return findings(_text(file), shown, beside), None
    except SourceError as error:
        return [], str(error)
    except SyntaxError as error:  # of the line that names the encoding
        return [], f"{shown}:1: cannot be read: {error.msg}"
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        return [], f"{shown}:{line}: cannot be read: a byte that is no {error.encoding}"
    except OSError as error:
        return [], f"{shown}: cannot be read: {error.strerror or error}"


def _text(file: str) -> str:
    """The text of a file in the encoding that it names."""
    import io
    import tokenize

    with open(file, "rb") as opened:
        raw = opened.read()
    encoding, _ = tokenize.detect_encoding(io.BytesIO(raw).readline)
    return raw.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")


@functools.cache
def _names(folder: str) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder or "."))
    except OSError:
        return frozenset()


@functools.lru_cache(maxsize=64)
def beside(path: str) -> str | None:
    """The text of a file that another imports; None where there is none, or it cannot be read."""
    folder, name = os.path.split(path)
    if name not in _names(folder) or (os.path.islink(path) and not _below(path, os.path.join(folder, ".."))):
        return None
    try:
        return _text(path) if os.path.isfile(path) and os.path.getsize(path) <= MAX_BYTES else None
    except (OSError, SyntaxError, UnicodeError):
        return None


def config(folder: str) -> dict[str, list[str]]:
    """`exclude` and `ignore` of `[tool.unmeta.scan]` in the nearest pyproject.toml upwards.

    Raises ConfigError for a file that is no TOML, an unknown key, or an unknown cause.
    """
    import tomllib

    here = os.path.abspath(folder)
    while True:
        path = os.path.join(here, "pyproject.toml")
        if os.path.isfile(path):
            break
        above = os.path.dirname(here)
        if above == here:
            return {}
        here = above
    try:
        with open(path, "rb") as file:
            table = tomllib.load(file).get("tool", {}).get("unmeta", {}).get("scan", {})
    except (OSError, tomllib.TOMLDecodeError, UnicodeError) as error:
        raise ConfigError(f"{path}: {error}") from error
    for key, value in table.items():
        if key not in ("exclude", "ignore") or not isinstance(value, list):
            raise ConfigError(
                f"{path}: [tool.unmeta.scan] takes exclude = [...] and ignore = [...], not {key}"
            )
    for cause in table.get("ignore", []):
        if cause not in SAYS:
            raise ConfigError(f"{path}: no rule {cause!r}; rules: {', '.join(SAYS)}")
    return dict(table)


def github_lines(found: Iterable[Found]) -> Iterator[str]:
    """Lines that GitHub shows beside the code."""
    for item in found:
        path = item.path.replace("%", "%25").replace(",", "%2C").replace(":", "%3A")
        place = f"file={path},line={item.line},col={item.column}"
        yield f"::warning {place},title={item.cause}::{item.says}"


def sarif(found: Iterable[Found], version: str, url: Any) -> dict[str, Any]:
    """The findings as SARIF 2.1.0; `url` gives the address of a cause."""
    return {
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "unmeta",
                        "version": version,
                        "rules": [
                            {"id": cause, "shortDescription": {"text": says}, "helpUri": url(cause)}
                            for cause, says in SAYS.items()
                        ],
                    }
                },
                "results": [
                    {
                        "ruleId": item.cause,
                        "level": "warning",
                        "message": {"text": item.says},
                        "locations": [
                            {
                                "physicalLocation": {
                                    "artifactLocation": {"uri": item.path},
                                    "region": {"startLine": item.line, "startColumn": item.column},
                                }
                            }
                        ],
                    }
                    for item in found
                ],
            }
        ],
    }


def warn(text: str) -> None:
    """A word that is no finding."""
    print(f"unmeta: {text}", file=sys.stderr)
