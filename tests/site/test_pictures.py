"""Drawings say what runs show, are described for those who do not see them, and alone pass the cleaning."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from unmeta.kb.load import load
from unmeta.site import pictures, safe
from unmeta.site.proof import Proof, judged
from unmeta.site.twins import plain
from unmeta.verify import ledger


@pytest.fixture(scope="module")
def proof(root: Path) -> Proof:
    return judged(load(root), ledger.load(root))


@pytest.mark.parametrize("name", pictures.names())
def test_a_drawing_is_described_and_styled_by_the_page_alone(proof: Proof, name: str) -> None:
    drawing = pictures.figure(name, proof)
    assert "\n" not in drawing
    svg = ElementTree.fromstring(drawing)[0]
    title, description = svg[0], svg[1]
    assert svg.get("aria-labelledby") == f"{title.get('id')} {description.get('id')}"
    assert title.text
    assert len(description.text or "") > 60
    tags = {element.tag for element in svg.iter()}
    assert tags <= {"svg", "title", "desc", "defs", "marker", "path", "rect", "circle", "text", "a"}
    names = {attribute for element in svg.iter() for attribute in element.keys()}  # noqa: SIM118
    assert not [
        attribute for attribute in names if attribute in ("style", "fill", "stroke") or "on" in attribute[:2]
    ]
    assert svg.get("role") == ("group" if "a" in tags else "img")  # of an image nobody reaches the links


def test_what_drawings_say_holds(proof: Proof) -> None:
    here = proof.catalogue.reference.id
    states = {entry: proof.on(entry, here) for shown in pictures.SHOWS.values() for entry in shown}
    # What older releases did is shown there.
    older = "older-from-pretrained-builds-for-real"
    states[older] = proof.standing(older).state
    assert {entry: state for entry, state in states.items() if state != "holds"} == {}


def test_the_timeline_shows_what_runs_show(proof: Proof) -> None:
    described = pictures.timeline(proof).partition("<desc")[2].partition("</desc>")[0]
    assert "A plain load builds on meta: 4.51.3, 4.55.4, 4.57.6, 5.0.0, 5.24.0." in described
    for row in pictures.ROWS:
        told = described.partition(f"{row.title}: ")[2].partition(". ")[0].removesuffix(".")
        for key in row.keys:
            for runs in proof.columns:
                cell = proof.cells.get((key, runs.name))
                if cell and cell.state == "holds":
                    assert runs.versions["transformers"] in told.split(", "), (row.title, runs.name)


def test_the_tree_leads_to_sections_of_its_page(root: Path, proof: Proof) -> None:
    page = (root / "docs" / "guide" / "decide.md").read_text(encoding="utf-8")
    sections = set(re.findall(r"^## .*\{ #([\w-]+) \}", page, re.MULTILINE)) - {"not-found"}
    assert set(re.findall(r'href="#([\w-]+)"', pictures.figure("decide", proof))) == sections


def test_other_svg_is_taken_out() -> None:
    drawing = '<figure class="um-picture"><svg viewBox="0 0 1 1"><path d="M0 0H1"/></svg></figure>'
    foreign = '<svg onload="alert(1)"><a href="javascript:alert(1)"><text>x</text></a></svg>'
    assert safe.content(f"<p>a</p>{drawing}{foreign}", [drawing]) == f"<p>a</p>{drawing}"
    assert "<svg" not in safe.content(drawing.replace("H1", "H2"), [drawing])


def test_a_drawing_is_told_where_a_page_is_plain_text(proof: Proof) -> None:
    told = plain(f"# Title\n\n{pictures.figure('life', proof)}\n\nText.\n")
    assert told.startswith(
        "# Title\n\nDrawing: A parameter begins on meta, with shape and dtype and no bytes;"
    )
    assert told.endswith("one forward call.\n\nText.\n")
