"""`unmeta doctor`: load a checkpoint, or run a script, and look at the model."""

from __future__ import annotations

import sys

from unmeta.cli.door import NO, OK, UsageError, print_json

TYPE_CHECKING = False  # see unmeta.terminal
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from unmeta.live.report import Report

SAYS = "Look at the model that a checkpoint folder or a script gives: what is on meta, and why."
EXAMPLES = """\
  unmeta doctor ./checkpoint                       load it as its config says; 1 where something is wrong
  unmeta doctor ./checkpoint --device-map auto     the same with offload
  unmeta doctor train.py                           run a script, look at the models that it leaves
  unmeta doctor train.py --name model              at one of them"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "path", metavar="FOLDER|SCRIPT.py", help="as save_pretrained() writes it, or a Python script"
    )
    parser.add_argument("--device-map", metavar="MAP", help="for a folder: auto, balanced, cpu, …")
    parser.add_argument("--name", help="for a script: the variable to look at")
    parser.add_argument("--json", action="store_true", help="print JSON")


def run(arguments: argparse.Namespace) -> int:
    """Print the reports; 1 where a model has a problem. Raises UsageError."""
    import os

    try:
        if os.path.isdir(arguments.path):
            reports = [_folder(arguments.path, arguments.device_map)]
        else:
            reports = _script(arguments.path, arguments.name)
    except ImportError as error:
        raise UsageError(f"cannot import what the model needs: {error}") from error
    if arguments.json:
        print_json([report.to_dict() for report in reports])
    else:
        for report in reports:
            print(report)
    return OK if all(report.ok for report in reports) else NO


def _folder(path: str, device_map: str | None) -> Report:
    """Load a folder with new memory filled, so that what the checkpoint leaves unwritten is seen."""
    from unmeta.live.folder import LoadError, looked_at

    try:
        return looked_at(path, device_map)
    except LoadError as error:
        raise UsageError(str(error)) from error


def _script(path: str, name: str | None) -> list[Report]:
    from unmeta.live.doctor import examine
    from unmeta.live.met import met, of_values
    from unmeta.live.script import ScriptError, run_script

    try:
        main, error = run_script([path])
    except ScriptError as wrong:
        raise UsageError(str(wrong)) from wrong
    sys.stdout.flush()
    if name is not None:
        if name not in main:
            raise UsageError(f"{path} leaves no variable {name!r}")
        try:
            return [examine(main[name], name)]
        except TypeError as wrong:
            raise UsageError(f"{name} is no torch module and no pipeline") from wrong
    if error is not None:
        print(f"{path} ends with {type(error).__name__}: {_first_line(error)}", file=sys.stderr)
    found = met(error) if error is not None else []
    found = found or of_values([item for item in main.items() if not item[0].startswith("__")])
    if not found:
        raise UsageError(f"{path} leaves no torch module; name a variable with --name")
    return [examine(item.model, item.name, item.state, item.optimizer, given=False) for item in found]


def _first_line(error: Any) -> str:
    return next(iter(str(error).splitlines()), "")
