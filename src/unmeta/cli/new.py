"""`unmeta new`: start a cause, or another face of one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from unmeta.cli.checkout import load_catalogue, needing, root_of, rooted
from unmeta.cli.door import OK, UsageError, read_paste

if TYPE_CHECKING:
    import argparse

    from unmeta.kb.load import Catalogue
    from unmeta.kb.scaffold import Draft

SAYS = "Start a cause, or another face of one: its YAML and snippets to fill in."
FUNCTIONS = 2
FUNCTION = re.compile(r"[\w.]+:\w+")  # no file of somebody's folder, and nothing like <lambda>


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("id", help="what the cause, or the face, will be called")
    parser.add_argument("--from", dest="paste", metavar="PASTE", help="a file with the traceback, or -")
    parser.add_argument(
        "--face-of", metavar="CAUSE", help="another way in which this cause shows, with the same fixes"
    )
    rooted(parser)


def run(arguments: argparse.Namespace) -> int:
    """Write the new files, and say what is left to do. Raises UsageError before anything is written."""
    root = root_of(arguments)
    catalogue = load_catalogue(root)
    from unmeta.kb.scaffold import Draft

    draft, answer = Draft(), None
    if arguments.paste:
        draft, answer = _drafted(root, catalogue, read_paste(arguments.paste), arguments.face_of)
    if arguments.face_of:
        return _face(root, catalogue, arguments, draft)
    from unmeta.kb import scaffold

    if reason := scaffold.refuse(arguments.id, catalogue):
        raise UsageError(reason)
    texts = scaffold.files(arguments.id, draft)
    _told(answer, arguments)
    _write(root, texts)
    if not draft.symptoms:
        print("The message is new: its symptom is written too.")
    elif arguments.paste and not draft.through:
        print(
            "No function of this traceback singles the cause out: the causes known pass through all of them."
        )
    _left(
        arguments.id,
        "write what says TODO; rename the files of fix and trap with their ids, or delete the trap",
    )
    return OK


def _drafted(root: Path, catalogue: Catalogue, text: str, cause: str | None) -> tuple[Draft, dict[str, Any]]:
    """What a paste tells of a new cause, and what the matcher answers to it."""
    with needing("kb"):
        from unmeta.kb import evidence
        from unmeta.kb.scaffold import Draft, unknown_message
    from unmeta.match import explain
    from unmeta.match.frames import library_functions
    from unmeta.match.telling import function_of, passed_by, telling, written

    answer = explain(text).to_dict()
    symptoms = list(answer["symptoms"])
    last = symptoms[-1:]
    rivals = {other.id for other in catalogue.causes.values() if any(s.id in last for s in other.shown())}
    runs, _ = evidence.read(root)
    functions = [function_of(name) for name in library_functions(text) if FUNCTION.fullmatch(name)]
    told = telling(functions, rivals - {cause}, passed_by(catalogue, runs.values()))
    message = None if symptoms else unknown_message(text)
    return Draft(symptoms, [written(function) for function in told[:FUNCTIONS]], message), answer


def _told(answer: dict[str, Any] | None, arguments: argparse.Namespace) -> None:
    """The known cause that fits best, so that nobody writes it a second time."""
    if not answer or not answer["known"] or not answer["causes"]:
        return
    best = answer["causes"][0]
    only = "" if answer["verdict"] == "cause" else f"; {best['share']} % speak for it"
    print(f"The paste leads to {best['id']} ({best['title']}){only}.")
    print(f"  Is it that?       unmeta show {best['id']}")
    print(
        f"  That in another way, with the same fixes?   "
        f"unmeta new {arguments.id} --face-of {best['id']} --from {arguments.paste}"
    )
    print()


def _face(root: Path, catalogue: Catalogue, arguments: argparse.Namespace, draft: Draft) -> int:
    from unmeta.kb import scaffold
    from unmeta.kb.check import nearest
    from unmeta.kb.snippets import broken_key

    cause = catalogue.causes.get(arguments.face_of)
    if cause is None:
        raise UsageError(f"no cause {arguments.face_of!r}; {nearest(arguments.face_of, catalogue.causes)}")
    if reason := scaffold.no_id(arguments.id):
        raise UsageError(reason)
    if any(face.id == arguments.id for face in cause.faces):
        raise UsageError(f"{cause.id!r} has a face {arguments.id!r} already")
    path = root / "kb" / "causes" / f"{cause.id}.yaml"
    line = catalogue.lines["causes", cause.id].get(("faces",))
    text, besides = scaffold.face(path.read_text(encoding="utf-8"), line, arguments.id, draft)
    main = catalogue.snippets.get(broken_key(cause.id))
    script = scaffold.face_script(main.text if main else None)
    _write(root, {f"snippets/{broken_key(cause.id, arguments.id)}": script, **besides})
    try:
        path.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise UsageError(f"{path}: {error.strerror or error}") from error
    print(path.relative_to(root).as_posix())
    _left(cause.id, "write what says TODO, and turn the script, a copy of broken.py, into what was done here")
    return OK


def _write(root: Path, texts: dict[str, str]) -> None:
    from unmeta.kb import scaffold

    try:
        paths = scaffold.write(root, texts)
    except FileExistsError as error:
        raise UsageError(f"{error} exists already; nothing was written") from error
    except OSError as error:
        raise UsageError(f"cannot write {error.filename}: {error.strerror or error}") from error
    for path in paths:
        print(path.relative_to(root).as_posix())


def _left(entry: str, first: str) -> None:
    folder = f"snippets/{entry}"
    steps = (
        (f"pytest {folder}", "claim beside observation"),
        (f"ruff format {folder} && ruff check {folder}", "before the run is kept"),
        (f"pytest {folder} --record", "keeps the run"),
        ("nox -s fit", "the search learns of it: some minutes"),
        ("unmeta check", "what is missing, or told apart by nothing"),
        ("unmeta effect", "which answers to reports it changes"),
        (f"unmeta preview {entry} --open", "the page"),
    )
    width = max(len(command) for command, _ in steps)
    print("\nLeft to do:")
    print(f"  {first}")
    for command, what in steps:
        print(f"  {command:{width}}   {what}")
