"""Which files are looked at, and the forms of what was found: text, JSON, SARIF, annotations of GitHub."""

from __future__ import annotations

import functools
import os
import sys

from unmeta.scan.read import SourceError, findings
from unmeta.scan.rules import SAYS

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from typing import Any

    from unmeta.scan.rules import Found

SKIPPED = {"__pycache__", "node_modules", "site-packages", "venv", "build", "dist"}
MAX_BYTES = 2_000_000
"""A larger file is generated; it is left out, with a word."""


class ConfigError(ValueError):
    """`[tool.unmeta.scan]` of pyproject.toml is not what it should be."""


def files(paths: Sequence[str], exclude: Iterable[str] = ()) -> Iterator[str]:
    """Python files below the paths, sorted; `exclude` are patterns of shell names. A named file always comes.

    Raises FileNotFoundError for a path that is not there.
    """
    from fnmatch import fnmatch

    for path in paths:
        if not os.path.exists(path):
            raise FileNotFoundError(path)
        if os.path.isfile(path):
            yield path
            continue
        for folder, folders, names in os.walk(path):
            folders[:] = sorted(n for n in folders if n not in SKIPPED and not n.startswith("."))
            for name in sorted(names):
                file = os.path.join(folder, name)
                shown = os.path.normpath(file).replace(os.sep, "/")
                if name.endswith(".py") and not any(fnmatch(shown, pattern) for pattern in exclude):
                    yield file


def look(file: str, ignore: Iterable[str] = ()) -> tuple[list[Found], str | None]:
    """Findings of one file, and a word where it could not be read."""
    import tokenize

    shown = os.path.normpath(file).replace(os.sep, "/")
    try:
        if os.path.getsize(file) > MAX_BYTES:
            return [], f"{shown}: left out, larger than {MAX_BYTES:,} bytes"
        with tokenize.open(file) as opened:
            source = opened.read()
        found = findings(source, shown, beside)
    except SourceError as error:
        return [], str(error)
    except (OSError, SyntaxError, UnicodeError) as error:
        return [], f"{shown}: cannot be read: {getattr(error, 'strerror', None) or error}"
    left_out = set(ignore)
    return [item for item in found if item.cause not in left_out], None


@functools.cache
def _names(folder: str) -> frozenset[str]:
    try:
        return frozenset(os.listdir(folder or "."))
    except OSError:
        return frozenset()


@functools.lru_cache(maxsize=64)
def beside(path: str) -> str | None:
    """The text of a file that another imports; None where there is none, or it cannot be read."""
    import tokenize

    folder, name = os.path.split(path)
    if name not in _names(folder) or os.path.getsize(path) > MAX_BYTES:
        return None
    try:
        with tokenize.open(path) as opened:
            return opened.read()
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
