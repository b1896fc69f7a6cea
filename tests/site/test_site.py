"""The site as MkDocs builds it."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import pytest
from linkcheck import check
from sitebuild import Build

from unmeta.address import SITE
from unmeta.kb.change import change
from unmeta.kb.load import Catalogue
from unmeta.kb.snippets import broken_key
from unmeta.site.build import generate
from unmeta.site.source import read

KINDS = ("online", "offline")


def page(site: Path, address: str) -> str:
    path = site / address
    return (path / "index.html" if path.is_dir() else path).read_text(encoding="utf-8")


@pytest.mark.parametrize("kind", KINDS)
def test_every_link_leads_somewhere_and_nothing_comes_from_elsewhere(built: Build, kind: str) -> None:
    problems = check(built(kind), SITE if kind == "online" else "")
    assert not problems, "\n".join(problems[:50])


def test_mkdocs_serves_what_the_generator_made(built: Build, root: Path) -> None:
    site = built("online")
    files = generate(read(root, base=SITE)).files
    plain = [path for path in files if not path.endswith(".md")]
    assert len(plain) > len(files) // 3
    for path in plain:
        assert (site / path).read_text(encoding="utf-8") == files[path], path


def test_every_id_has_its_address(built: Build, catalogue: Catalogue) -> None:
    site = built("online")
    for entries in (catalogue.causes, catalogue.symptoms, catalogue.facts):
        for name, entry in entries.items():  # type: ignore[attr-defined]
            assert (site / "e" / name / "index.html").is_file()
            for alias in entry.aliases:
                assert f"url=../{name}/" in page(site, f"e/{alias}")


def test_notebooks_are_lean_and_carry_outputs(built: Build, catalogue: Catalogue) -> None:
    site = built("online")
    for name in catalogue.causes:
        text = page(site, f"notebooks/{name}")
        assert len(text) < 250_000, name
        assert 'class="um-notebook"' in text
        for leftover in ("clipboard-copy", "jp-Notebook", "MathJax", "<style>.highlight"):
            assert leftover not in text, f"{name}: {leftover}"


def test_recorded_output_and_notebooks_stay_out_of_the_search(built: Build) -> None:
    script = (built("online") / "assets" / "unmeta-search.js").read_text(encoding="utf-8")
    index = json.loads(script.removeprefix("globalThis.UNMETA_SEARCH = ").rstrip(";\n"))
    for place, _, text, *_ in index:
        assert not re.match("notebooks/[^#]", place)
        assert "Traceback (most recent call last)" not in text, place


def test_every_result_of_the_search_leads_somewhere(built: Build) -> None:
    site = built("online")
    script = (site / "assets" / "unmeta-search.js").read_text(encoding="utf-8")
    places = [
        item[0] for item in json.loads(script.removeprefix("globalThis.UNMETA_SEARCH = ").rstrip(";\n"))
    ]
    assert len(places) == len(set(places))
    for place in places:
        path, _, anchor = place.partition("#")
        text = page(site, path)
        assert not anchor or f'id="{anchor}"' in text, place
        assert path in places, f"{place}: a section without its page"


def test_pages_link_to_their_source(built: Build, catalogue: Catalogue) -> None:
    name = next(iter(catalogue.causes))
    assert f"/edit/main/kb/causes/{name}.yaml" in page(built("online"), f"e/{name}")
    assert "/edit/main/docs/contributing.md" in page(built("online"), "contributing")


def test_no_diff_lost_a_line(built: Build, catalogue: Catalogue) -> None:
    """Raw HTML with blank lines is where Markdown parsers go wrong: the new code must survive whole."""
    for name, cause in catalogue.causes.items():
        shown = page(built("online"), f"e/{name}")
        blocks = re.findall(r'<div class="um-diff highlight no-copy"[^>]*>(.*?)</div>', shown, re.DOTALL)
        scripts = {_text(re.sub(r"<del.*?</del>", "", block, flags=re.DOTALL)) for block in blocks}
        for fix in cause.fixes:
            before = catalogue.snippets.get(broken_key(name, fix.face))
            after = catalogue.snippets.get(f"{name}/fix-{fix.id}.py")
            if before and after:
                assert change(before.text, after.text).code in scripts, f"{name}: {fix.id}"


def _text(block: str) -> str:
    import html

    return html.unescape(re.sub(r"<[^>]+>", "", block)).strip()


def test_the_linkcheck_finds_what_is_wrong(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="b.html">x</a><a href="#no">x</a><p id="i"><p id="i"><script src="https://x.org/y.js"></script>'
        '<a href="/abs">x</a><link rel="stylesheet" href="s.css"><a href="https://example.org/gone/">x</a>',
        encoding="utf-8",
    )
    css = "@import 'https://fonts.org/f.css'; p{background:url(x.png)}"
    (tmp_path / "s.css").write_text(css, encoding="utf-8")
    found = "\n".join(check(tmp_path, "https://example.org/"))
    for part in (
        "b.html: no such file",
        "#no: no such anchor",
        "'i' stands twice",
        "loads https://x.org/y.js from elsewhere",
        "/abs: an absolute path",
        "https://example.org/gone/: no such file",
        "s.css: loads https://fonts.org/f.css",
    ):
        assert part in found
    assert len(found.splitlines()) == 7


def test_mkdocs_jupyter_is_one_that_the_adapter_knows() -> None:
    """The adapter hands its templates to mkdocs-jupyter through a setting that is no public option."""
    import mkdocs_jupyter
    import mkdocs_jupyter.config

    assert mkdocs_jupyter.__version__.startswith("0.26" if sys.version_info < (3, 12) else "0.27")
    assert Path(mkdocs_jupyter.config.settings.templates_dir).name in ("templates", "nbconvert")
