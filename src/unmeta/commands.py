"""The commands of `unmeta` besides the fast path of `explain`."""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unmeta import __version__
from unmeta.door import NO, OK, UsageError, explain_file, print_json, read_paste, style

if TYPE_CHECKING:
    from unmeta.kb.findings import Finding
    from unmeta.kb.load import Catalogue


def run(argv: Sequence[str]) -> int:
    """Parse and run one command; returns its exit code. Raises UsageError."""
    arguments = _parser().parse_args(argv)
    return int(arguments.run(arguments))


def _explain(arguments: argparse.Namespace) -> int:
    return explain_file(arguments.file, arguments.json, arguments.ask)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="unmeta", description="The field guide to PyTorch meta tensor errors.", allow_abbrev=False
    )
    parser.add_argument("--version", action="version", version=f"unmeta {__version__}")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")

    def add(name: str, run: Any, text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        command.set_defaults(run=run)
        return command

    explain = add("explain", _explain, "Rank the causes of a pasted traceback, log or sentence.")
    explain.add_argument("file", nargs="?", default="-", help="a file, or - for standard input")
    explain.add_argument("--json", action="store_true", help="print the answer as JSON")
    explain.add_argument("--ask", action="store_true", help="ask the open questions and rank again")

    show = add("show", _show, "Print an entry: cause, symptom or fact.")
    show.add_argument("id")
    show.add_argument("--json", action="store_true", help="print the entry as JSON")

    check = add("check", _check, "Apply every rule to the knowledge base.")
    check.add_argument("--json", action="store_true", help="print the findings as JSON")
    check.add_argument("--write-schemas", action="store_true", help="write kb/schema from the models first")
    _rooted(check)

    new = add("new", _new, "Start a cause: its YAML and snippets to fill in.")
    new.add_argument("id")
    new.add_argument("--from", dest="paste", metavar="PASTE", help="a file with the traceback, or -")
    _rooted(new)

    build = add("build", _build, "Write the generated pages, notebooks and feeds to a folder.")
    build.add_argument("dir", type=Path)
    _rooted(build)

    status = add("status", _status, "Count the entries and their proofs.")
    status.add_argument("--json", action="store_true", help="print the counts as JSON")
    _rooted(status)
    return parser


def _rooted(command: argparse.ArgumentParser) -> None:
    command.add_argument("--root", type=Path, help="root of the checkout (default: found from here upwards)")


def _checkout(given: Path | None = None) -> Path | None:
    """The nearest folder upwards that holds a knowledge base."""
    if given is not None:
        return given
    here = Path.cwd()
    return next((path for path in (here, *here.parents) if (path / "kb" / "causes").is_dir()), None)


def _root(arguments: argparse.Namespace) -> Path:
    root = _checkout(arguments.root)
    if root is None:
        raise UsageError("no knowledge base here: run in a checkout, or give --root DIR")
    return root


def _load(root: Path) -> Catalogue:
    try:
        from unmeta.kb.load import CatalogueError, load
    except ModuleNotFoundError as error:
        raise UsageError(f"{error.name} is not installed: pip install --group kb") from error
    try:
        return load(root)
    except CatalogueError as error:
        raise UsageError(f"the knowledge base cannot be read\n{error}") from error


def _show(arguments: argparse.Namespace) -> int:
    from unmeta.show import render

    entry = _entry(arguments.id)
    if arguments.json:
        print_json(entry)
    else:
        print(render(entry, style()), end="")
    return OK


def _entry(name: str) -> dict[str, Any]:
    import difflib

    root = _checkout()
    if root is not None:
        from unmeta.kb.export import catalogue_data

        data = catalogue_data(_load(root))
    else:
        data = _packaged()
    entries: dict[str, dict[str, Any]] = {}
    for kind in ("facts", "symptoms", "causes"):
        for item in data[kind]:
            entries |= dict.fromkeys([item["id"], *item.get("aliases", [])], item)
    if name in entries:
        return entries[name]
    near = difflib.get_close_matches(name, entries, 3)
    hint = f"did you mean {', '.join(near)}?" if near else "`unmeta explain` finds it by its message"
    raise UsageError(f"nothing is called {name!r}; {hint}")


def _packaged() -> dict[str, Any]:
    path = Path(__file__).with_name("catalogue.json")
    try:
        data: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise UsageError("this installation carries no entries: run inside a checkout") from error
    return data


def _check(arguments: argparse.Namespace) -> int:
    root = _root(arguments)
    try:
        from unmeta.checks import all_findings
    except ModuleNotFoundError as error:
        raise UsageError(f"{error.name} is not installed: pip install --group verify") from error
    if arguments.write_schemas:
        from unmeta.kb.schema import write

        write(root / "kb" / "schema")
    findings: list[Finding] = all_findings(root)
    if arguments.json:
        print_json([vars(finding) for finding in findings])
    else:
        for finding in findings:
            print(finding)
        print(f"{len(findings)} finding{'' if len(findings) == 1 else 's'}" if findings else "clean")
    return NO if findings else OK


def _new(arguments: argparse.Namespace) -> int:
    from unmeta.kb import scaffold

    root = _root(arguments)
    reason = scaffold.refuse(arguments.id, _load(root))
    if reason:
        raise UsageError(reason)
    symptoms: Sequence[str] = ()
    through: Sequence[str] = ()
    if arguments.paste:
        from unmeta.terminal import evidence

        symptoms, through = evidence(read_paste(arguments.paste))
        if not symptoms:
            print("no known symptom in the paste: add kb/symptoms/<id>.yaml for its message")
    try:
        paths = scaffold.write(root, scaffold.files(arguments.id, symptoms, through))
    except FileExistsError as error:
        raise UsageError(f"{error} exists already; nothing was written") from error
    for path in paths:
        print(path.relative_to(root).as_posix())
    return OK


def _build(arguments: argparse.Namespace) -> int:
    root = _root(arguments)
    _load(root)
    try:
        from unmeta.site.build import write
    except ModuleNotFoundError as error:
        raise UsageError(f"{error.name} is not installed: pip install --group docs") from error
    try:
        count = write(root, arguments.dir)
    except (OSError, ValueError) as error:
        raise UsageError(str(error)) from error
    print(f"{count} files in {arguments.dir}")
    return OK


def _status(arguments: argparse.Namespace) -> int:
    root = _root(arguments)
    catalogue = _load(root)
    try:
        from unmeta.verify import ledger
    except ModuleNotFoundError as error:
        raise UsageError(f"{error.name} is not installed: pip install --group verify") from error
    try:
        counts = ledger.status(catalogue, ledger.load(root))
    except ledger.LedgerError as error:
        raise UsageError(str(error)) from error
    if arguments.json:
        print_json(counts)
    else:
        for name, count in counts.items():
            print(f"{name:10} {count}")
    return OK
