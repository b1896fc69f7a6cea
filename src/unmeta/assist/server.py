"""The server for assistants: four tools, and entries and guide as resources, over standard input and output.

Needs the official SDK: `pip install unmeta[mcp]`.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from unmeta.assist import answers

if TYPE_CHECKING:
    from mcp.server import MCPServer

INSTRUCTIONS = (
    "Diagnoses PyTorch meta-tensor problems (Cannot copy out of meta tensor, offloaded weights, silent "
    "garbage). Call explain with the whole traceback before you propose a fix; do not advise to_empty() "
    "unless the entry does. Every change was run."
)


def server() -> MCPServer:
    """The server, not yet running. Raises ImportError without the SDK."""
    from mcp.server import MCPServer

    from unmeta import __version__

    made = MCPServer("unmeta", instructions=INSTRUCTIONS, version=__version__, log_level="ERROR")
    for tool in (explain, show, search, scan):
        made.add_tool(tool)
    made.resource("unmeta://entry/{name}", mime_type="text/markdown")(entry)
    for name in answers.guide_pages():
        made.resource(f"unmeta://guide/{name}", name=f"guide: {name}", mime_type="text/markdown")(
            partial(answers.guide, name)
        )
    return made


def explain(text: str) -> str:
    """Rank the causes of a meta-tensor problem.

    `text` is a traceback, log, code or words; paste all that was printed, and the versions.
    """
    return answers.explained(text)


def show(name: str) -> str:
    """One entry (cause, symptom or fact) by its id or address: change, costs, trap, mechanism."""
    try:
        return answers.shown(name)
    except answers.UnknownEntryError as error:
        return str(error.args[0])


def search(query: str) -> str:
    """Entries that hold some words."""
    return answers.hits(query)


def scan(source: str) -> str:
    """Look at the text of a Python file for what goes wrong on the meta device; nothing is run."""
    return answers.scanned(source)


def entry(name: str) -> str:
    """An entry as Markdown."""
    return answers.shown(name)
