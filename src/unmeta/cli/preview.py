"""`unmeta preview`: see one page without building the site."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from unmeta.cli.checkout import load_catalogue, needing, root_of, rooted
from unmeta.cli.door import OK, UsageError

if TYPE_CHECKING:
    import argparse

SAYS = "Render the page of one entry."


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("id")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where to (default: .cache/unmeta/preview)")
    parser.add_argument("--open", action="store_true", help="show it in the browser")
    rooted(parser)


def run(arguments: argparse.Namespace) -> int:
    """Render it and print where it lies. Raises UsageError."""
    root = root_of(arguments)
    catalogue = load_catalogue(root)
    with needing("docs"):
        import mkdocs.commands.build  # noqa: F401

        from unmeta.site.preview import preview
    from unmeta.kb.check import nearest

    out = (arguments.out or root / ".cache" / "unmeta" / "preview").resolve()
    try:
        page = preview(root, arguments.id, out)
    except KeyError as error:
        known = {**catalogue.causes, **catalogue.symptoms, **catalogue.facts}
        raise UsageError(f"no entry is called {arguments.id!r}; {nearest(arguments.id, known)}") from error
    except ValueError as error:
        raise UsageError(str(error)) from error
    print(page)
    if arguments.open:
        import webbrowser

        webbrowser.open(page.as_uri())
    return OK
