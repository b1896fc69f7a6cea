from __future__ import annotations

import json
import re
import shutil
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from pathlib import Path

import nbformat
import pytest
from made import GOOD, TEXT

from unmeta.kb.load import Catalogue
from unmeta.site.build import SiteError, generate, origin, write
from unmeta.site.source import Source, read


def test_generation_is_deterministic(source: Source) -> None:
    assert generate(source) == generate(source)
    assert list(generate(source).files) == sorted(generate(source).files)


def test_every_entry_has_a_page_and_json_at_its_id(source: Source) -> None:
    files = generate(source).files
    for name in ("half-copied", "nothing-to-copy", "copy-raises"):
        assert f"e/{name}.md" in files
        assert json.loads(files[f"e/{name}.json"])["url"] == f"https://example.org/guide/e/{name}/"


def test_a_former_id_redirects(source: Source) -> None:
    page = generate(source).files["e/old-name.md"]
    assert "template: redirect.html" in page
    assert "(half-copied.md)" in page


def test_a_cause_page_answers_first(source: Source) -> None:
    page = generate(source).files["e/half-copied.md"]
    order = [
        "# A meta tensor is moved",
        "exception</span>",
        "## Fix: Build it",
        '<div class="um-lead"',
        "**Not this: Call",
        "Why it happens",
    ]
    places = [page.index(part) for part in order]
    assert places == sorted(places)
    assert f"NotImplementedError: {TEXT}" in page
    assert "<ins" in page[page.index("## Fix") : page.index("**Not this")]


def test_cells_say_what_runs_show(source: Source) -> None:
    page = generate(source).files["notebooks/half-copied.md"]
    words = dict(re.findall(r"<code>([^<]+)</code></th><td[^>]+aria-label=\"([^\"]+)\"", page))
    assert words == {"broken.py": "holds", "fix-build-for-real.py": "holds", "trap-to-empty.py": "not run"}
    assert '<th scope="row">Last run</th><td>2026-01-02</td>' in page


def test_a_changed_script_is_stale(source: Source) -> None:
    stack, runs = next(iter(source.runs.items()))
    key = "half-copied/broken.py"
    old = replace(runs.snippets[key], digest="0" * 12)
    runs = replace(runs, snippets={**runs.snippets, key: old})
    page = generate(replace(source, runs={stack: runs})).files["notebooks/half-copied.md"]
    assert 'aria-label="stale">↻</td>' in page


def test_without_runs_nothing_is_called_proved(source: Source) -> None:
    files = generate(replace(source, runs={})).files
    assert "not run yet" in files["e/half-copied.md"]
    assert "um-holds" not in files["e/half-copied.md"]
    assert "um-holds" not in files["status.md"]


def test_scripts_stand_with_what_they_printed_on_a_page_of_their_own(source: Source) -> None:
    files = generate(source).files
    page = files["notebooks/half-copied.md"]
    assert (
        page.index('<h2 id="broken">')
        < page.index("_apply(convert)")
        < page.index('<details class="um-fold" id="fix-')
    )
    assert "_apply(convert)" not in files["e/half-copied.md"]
    assert "\n\n" not in page[page.index('<div class="um-notebook">') :].replace("\n\n<", "\n<")


def test_the_catalogue_is_served_whole(source: Source) -> None:
    data = json.loads(generate(source).files["catalogue.json"])
    cause = data["causes"][0]
    assert cause["proof"]["half-copied/broken.py"] == {source.catalogue.reference.id: "holds"}
    assert cause["snippets"].keys() == set(cause["proof"])
    assert data["stacks"][source.catalogue.reference.id]["torch"]


def test_the_feed_is_atom_with_absolute_addresses(source: Source) -> None:
    feed = ElementTree.fromstring(generate(source).files["feed.xml"])
    name = {"a": "http://www.w3.org/2005/Atom"}
    entries = feed.findall("a:entry", name)
    assert [entry.findtext("a:id", "", name) for entry in entries] == [
        "https://example.org/guide/e/half-copied/"
    ]
    assert feed.findtext("a:updated", "", name) == "2026-01-02T00:00:00Z"


def test_the_plain_list_names_every_entry(source: Source) -> None:
    listed = generate(source).files["llms.txt"]
    for name in ("half-copied", "nothing-to-copy", "copy-raises"):
        assert f"https://example.org/guide/e/{name}.json" in listed


def test_the_index_is_a_script(source: Source) -> None:
    files = generate(replace(source, index='{"a": "</script>"}')).files
    assert files["assets/unmeta-index.js"] == 'globalThis.UNMETA_INDEX = {"a": "<\\/script>"};\n'
    assert "Build it on the CPU" in files["assets/unmeta-answers.js"]


def test_a_notebook_holds_scripts_and_recorded_outputs(source: Source) -> None:
    text = generate(source).files["files/half-copied.ipynb"]
    notebook = nbformat.reads(text, as_version=4)
    nbformat.validate(notebook)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.source for cell in code] == [
        source.catalogue.snippets[f"half-copied/{name}.py"].text.strip()
        for name in ("broken", "fix-build-for-real", "trap-to-empty")
    ]
    assert code[0].outputs[0].evalue == TEXT
    assert not code[1].outputs
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


def test_a_page_knows_the_file_to_edit(source: Source) -> None:
    assert origin("e/half-copied.md", source) == "kb/causes/half-copied.yaml"
    assert origin("guide/index.md", source) == "docs/guide/index.md"
    assert origin("causes.md", source) is None


def test_write_puts_the_same_text_on_disk(tmp_path: Path) -> None:
    count = write(GOOD, tmp_path)
    files = generate(read(GOOD)).files
    assert count == len(files)
    for path, text in files.items():
        assert (tmp_path / path).read_text(encoding="utf-8") == text


def test_write_copies_what_pages_need(tmp_path: Path) -> None:
    shutil.copytree(GOOD, tmp_path / "project")
    docs = tmp_path / "project" / "docs"
    for name in ("index.md", "assets/a.css", "theme/main.html"):
        (docs / name).parent.mkdir(parents=True, exist_ok=True)
        (docs / name).write_text("x", encoding="utf-8")
    write(tmp_path / "project", tmp_path / "out")
    assert (tmp_path / "out" / "assets" / "a.css").read_text(encoding="utf-8") == "x"
    assert (tmp_path / "out" / "index.md").is_file()
    assert not (tmp_path / "out" / "theme").exists()


def test_write_refuses_dead_links(tmp_path: Path) -> None:
    shutil.copytree(GOOD, tmp_path / "project")
    page = tmp_path / "project" / "docs" / "x.md"
    page.parent.mkdir()
    page.write_text("[[nowhere]]", encoding="utf-8")
    with pytest.raises(SiteError, match=r"docs/x\.md:1: dead-link"):
        write(tmp_path / "project", tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_text_of_entries_cannot_become_markup(good: Catalogue, source: Source) -> None:
    evil = '<img src=x onerror="alert(1)"> `code` | pipe __init__ *star*'
    cause = good.causes["half-copied"]
    changed = cause.model_copy(
        update={
            "title": evil,
            "summary": evil,
            "cause": evil,
            "fixes": [cause.fixes[0].model_copy(update={"title": evil, "why": evil, "costs": evil})],
        }
    )
    catalogue = replace(good, causes={"half-copied": changed})
    for path, text in generate(replace(source, catalogue=catalogue)).files.items():
        if path.endswith((".md", ".xml")):
            assert "<img" not in text, path


def test_the_real_catalogue_generates(root: Path) -> None:
    source = read(root)
    built = generate(source)
    assert not built.findings
    for kind in ("causes", "symptoms", "facts"):
        for name in getattr(source.catalogue, kind):
            assert f"e/{name}.md" in built.files
