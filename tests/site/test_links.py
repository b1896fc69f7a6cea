from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import pytest

from unmeta.site.build import Built, generate
from unmeta.site.source import Source


def build(source: Source, docs: Mapping[str, str]) -> Built:
    return generate(replace(source, docs=docs))


def test_links_carry_the_title_and_the_proof(source: Source) -> None:
    files = build(source, {"guide/deep/x.md": "See [[half-copied]] and [[copy-raises|this]]."}).files
    page = files["guide/deep/x.md"]
    assert "[A meta tensor is moved](../../e/half-copied.md)" in page
    assert "[this](../../e/copy-raises.md)" in page
    assert page.count("run on 1 stack") == 4  # a title and hidden words each


def test_a_former_id_leads_to_the_entry(source: Source) -> None:
    assert "(e/half-copied.md)" in build(source, {"x.md": "[[old-name]]"}).files["x.md"]


def test_a_dead_link_is_found_with_file_and_line(source: Source) -> None:
    found = build(source, {"x.md": "# X\n\nSee [[nowhere]].\n\n![[no-fact]]\n"}).findings
    assert [(item.path, item.line, item.rule) for item in found] == [
        ("docs/x.md", 3, "dead-link"),
        ("docs/x.md", 5, "dead-link"),
    ]
    assert "nowhere" in found[0].message


@pytest.mark.parametrize(
    "code",
    [
        "`[[nowhere]]`",
        "```\n[[nowhere]]\n```",
        "~~~ python\nx[[nowhere]]\n~~~",
        "    ```\n    [[nowhere]]\n    ```",
    ],
)
def test_code_is_left_alone(source: Source, code: str) -> None:
    built = build(source, {"x.md": code})
    assert built.files["x.md"] == code
    assert not built.findings


def test_words_of_a_link_may_hold_code(source: Source) -> None:
    page = build(source, {"x.md": "| a |\n|---|\n| [[copy-raises|`x.cpu()` raises]] |"}).files["x.md"]
    assert "| [`x.cpu()` raises](e/copy-raises.md)<span" in page


def test_an_unknown_marker_is_found(source: Source) -> None:
    found = build(source, {"x.md": "\n<!-- unmeta: nothing -->\n"}).findings
    assert [(item.line, item.rule) for item in found] == [(2, "dead-link")]


def test_a_page_cannot_take_a_generated_name(source: Source) -> None:
    assert [item.rule for item in build(source, {"causes.md": "# Mine"}).findings] == ["id-taken"]


def test_an_embedded_entry_shows_its_script_and_proof(source: Source) -> None:
    page = build(source, {"x.md": "![[copy-raises]]"}).files["x.md"]
    assert page.startswith('??? um-holds "cpu() on a meta tensor raises"')
    assert source.catalogue.snippets["facts/copy-raises.py"].text.splitlines()[0] in page
    assert "Run on 1 stack." in page


def test_links_in_prose_of_entries_resolve(source: Source) -> None:
    page = build(source, {}).files["e/half-copied.md"]
    assert "See [cpu() on a meta tensor raises](copy-raises.md)" in page
