"""What assistants are told, and a real client over standard input and output."""

from __future__ import annotations

import asyncio
import os
import sys

import pytest

from unmeta.assist import answers

NO_OP = (
    "for weight: copying from a non-meta parameter in the checkpoint to a meta parameter in the current "
    "model, which is a no-op. (Did you mean to pass `assign=True` to assign items in the state dictionary to "
    "their corresponding key in the module instead of copying them in place?)"
)
NO_DATA = (
    "NotImplementedError: Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() "
    "instead of torch.nn.Module.to() when moving module from meta to a different device."
)
TRACEBACK = f"""{NO_OP}
Traceback (most recent call last):
  File "load.py", line 9, in <module>
    model.to("cuda")
  File "/site-packages/torch/nn/modules/module.py", line 1343, in to
    return self._apply(convert)
{NO_DATA}
"""


def test_an_answer_holds_the_change_and_the_trap() -> None:
    said = answers.explained(TRACEBACK)
    assert "`load-state-dict-no-op`" in said
    assert "assign=True" in said
    assert "```diff" in said
    assert "Not this:" in said
    assert len(said) < 4000
    assert "[[" not in said


def test_what_is_not_known_is_not_guessed() -> None:
    assert answers.NOT_KNOWN in answers.explained("ValueError: 3")


def test_entries_are_found_by_id_address_and_words() -> None:
    assert "assign=True" in answers.shown("https://unmeta.github.io/unmeta/e/load-state-dict-no-op/")
    assert "likeliest first" in answers.shown("no-data-to-copy")
    assert "cause load-state-dict-no-op" in answers.hits("load_state_dict meta copies nothing")
    with pytest.raises(answers.UnknownEntryError, match="near: load-state-dict-no-op"):
        answers.shown("load-state-dict-noop")


def test_code_is_looked_at() -> None:
    assert "to-after-dispatch" in answers.scanned('m = A.from_pretrained(p, device_map="auto")\nm.to(0)\n')
    assert "not Python" in answers.scanned('net.to("meta") if\n')


def test_a_real_client_is_served() -> None:
    from mcp import ClientSession, StdioServerParameters
    from mcp.client.stdio import stdio_client

    async def talk() -> tuple[set[str], str, str, str]:
        parameters = StdioServerParameters(
            command=sys.executable, args=["-m", "unmeta", "mcp"], env=dict(os.environ)
        )
        async with stdio_client(parameters) as streams, ClientSession(*streams) as session:
            await session.initialize()
            tools = {tool.name for tool in (await session.list_tools()).tools}
            told = await session.call_tool("explain", {"text": TRACEBACK})
            page = await session.read_resource("unmeta://entry/tied-weights-broken")
            chapter = await session.read_resource("unmeta://guide/live")
            return tools, told.content[0].text, page.contents[0].text, chapter.contents[0].text

    tools, told, page, chapter = asyncio.run(asyncio.wait_for(talk(), 60))
    assert tools == {"explain", "show", "search", "scan"}
    assert "`load-state-dict-no-op`" in told
    assert "tied-weights-broken" in page
    assert "# In your own process" in chapter


def test_the_guide_and_the_skill_are_there_for_assistants(capsys: pytest.CaptureFixture[str]) -> None:
    from unmeta.cli import main

    assert "offload" in answers.guide_pages()
    assert answers.guide("live").startswith("---\ndescription:")
    with pytest.raises(answers.UnknownEntryError, match="there are: "):
        answers.guide("nothing")
    assert main(["mcp", "--skill"]) == 0
    assert capsys.readouterr().out.startswith("---\nname: unmeta\ndescription: ")
