"""Every kind of page: readable by everyone, at any width, in both schemes, loading nothing from elsewhere."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from chrome import Served, Tab, outside, watch
from playwright.sync_api import Browser, expect

from unmeta.kb.change import change
from unmeta.kb.load import Catalogue

LISTS = (
    "",
    "causes",
    "messages",
    "facts",
    "operations",
    "stacks",
    "status",
    "guide",
    "contributing",
    "design",
)


@pytest.fixture(scope="module")
def pages(catalogue: Catalogue) -> list[str]:
    """One of each kind, and the longest cause."""
    causes = sorted(catalogue.causes, key=lambda name: len(catalogue.causes[name].model_dump_json()))
    shared = max(
        catalogue.symptoms, key=lambda n: sum(n == s.id for c in catalogue.causes.values() for s in c.shown())
    )
    facts = list(catalogue.facts)[:1]
    entries = [causes[0], causes[-1], shared, *facts]
    return [*LISTS, "how-it-is-proved", *(f"e/{name}" for name in entries), f"notebooks/{causes[-1]}"]


def test_nothing_is_loaded_from_elsewhere(tab: Tab, site: Served, pages: list[str]) -> None:
    for name in pages:
        address = site.page("guide/index.html" if site.kind == "file" and name == "guide" else name)
        tab.page.goto(address)
        tab.page.wait_for_load_state("networkidle")
    assert not outside(tab.seen, site)
    assert not tab.seen.errors


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious(
    browser: Browser, over_http: Served, pages: list[str], scheme: str
) -> None:
    context = browser.new_context(color_scheme=scheme)  # type: ignore[arg-type]
    tab = watch(context)
    problems = []
    for name in pages:
        tab.page.goto(over_http.page(name))
        if not name:
            tab.page.locator("#unmeta-paste").fill(
                "NotImplementedError: Cannot copy out of meta tensor; no data!"
            )
            expect(tab.page.locator("#unmeta-verdict")).to_be_visible()
        for item in Axe().run(tab.page, options={"resultTypes": ["violations"]}).response["violations"]:
            if item["impact"] in ("serious", "critical"):
                places = [node["html"][:160] for node in item["nodes"][:3]]
                problems.append(f"{name or 'home'}: {item['id']} ({item['impact']}): {places}")
    context.close()
    assert not problems, "\n".join(problems)


def test_nothing_is_wider_than_a_phone(browser: Browser, over_http: Served, pages: list[str]) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 800}, has_touch=True, is_mobile=True)
    tab = watch(context)
    wide = []
    for name in pages:
        tab.page.goto(over_http.page(name))
        if not name:
            tab.page.locator("#unmeta-paste").fill(
                "NotImplementedError: Cannot copy out of meta tensor; no data!"
            )
            expect(tab.page.locator("#unmeta-verdict")).to_be_visible()
        width = tab.page.evaluate("document.documentElement.scrollWidth")
        if width > 390:
            wide.append(f"{name}: {width}")
    context.close()
    assert not wide


def test_copying_a_difference_yields_the_new_code(tab: Tab, over_http: Served, catalogue: Catalogue) -> None:
    name = next(
        name for name, cause in catalogue.causes.items() if cause.fixes and cause.fixes[0].face is None
    )
    fix = catalogue.snippets[f"{name}/fix-{catalogue.causes[name].fixes[0].id}.py"]
    expected = change(catalogue.snippets[f"{name}/broken.py"].text, fix.text).code
    tab.page.goto(over_http.page(f"e/{name}"))
    diff = tab.page.locator(".um-diff").first
    tab.page.get_by_role("button", name="Copy change").first.click()
    copied = tab.page.evaluate("navigator.clipboard.readText()")
    assert [line.rstrip() for line in copied.strip().splitlines()] == expected.splitlines()
    assert diff.get_attribute("data-change") == expected


def test_a_difference_unfolds(tab: Tab, over_http: Served, catalogue: Catalogue) -> None:
    for cause in catalogue.causes:
        tab.page.goto(over_http.page(f"e/{cause}"))
        tab.page.evaluate("document.querySelectorAll('details').forEach((fold) => { fold.open = true; })")
        if tab.page.locator(".um-unfold").count():
            break
    button = tab.page.locator(".um-unfold").first
    diff = tab.page.locator(".um-diff:has(+ .um-unfold)").first
    height = diff.bounding_box()
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    taller = diff.bounding_box()
    assert height
    assert taller
    assert taller["height"] > height["height"]


def test_the_home_page_does_not_scroll_to_its_box(tab: Tab, over_http: Served) -> None:
    tab.page.goto(over_http.page("") + "#proof")
    tab.page.wait_for_timeout(300)
    expect(tab.page.locator("#unmeta-paste")).not_to_be_focused()
    tab.page.goto(over_http.page("causes"))
    tab.page.goto(over_http.page(""))
    expect(tab.page.locator("#unmeta-paste")).to_be_focused()
    assert tab.page.evaluate("scrollY") == 0


def test_a_former_id_leads_on(tab: Tab, over_http: Served, catalogue: Catalogue) -> None:
    aliases = {alias: name for name, cause in catalogue.causes.items() for alias in cause.aliases}
    aliases |= {alias: name for name, symptom in catalogue.symptoms.items() for alias in symptom.aliases}
    for alias, name in aliases.items():
        tab.page.goto(over_http.page(f"e/{alias}"))
        tab.page.wait_for_url(over_http.page(f"e/{name}"))


def test_a_long_list_is_read_by_a_word(tab: Tab, over_http: Served, catalogue: Catalogue) -> None:
    page = tab.page
    page.goto(over_http.page("causes"))
    shown = page.locator(".um-list li:visible")
    assert shown.count() == len(catalogue.causes)
    page.get_by_label("Only those with").fill("lora adapter")
    expect(shown.first).to_be_visible()
    assert 0 < shown.count() < 12
    assert all("lora" in text.lower() for text in shown.all_inner_texts())
    expect(page.locator(".um-filter [role=status]")).to_have_text(
        f"{shown.count()} of {len(catalogue.causes)} entries"
    )
    assert page.locator("h2:visible").count() == page.locator(".um-list:visible").count()
    page.get_by_label("Only those with").fill("")
    assert shown.count() == len(catalogue.causes)
    assert not tab.seen.errors


def test_a_table_of_runs_is_read_from_left_to_right(tab: Tab, over_http: Served) -> None:
    page = tab.page
    page.set_viewport_size({"width": 1366, "height": 650})
    page.goto(over_http.page("notebooks/to-after-dispatch"))
    table = page.locator(".um-runs table")
    modes = table.locator("th, td").evaluate_all("nodes => nodes.map((n) => getComputedStyle(n).writingMode)")
    assert set(modes) == {"horizontal-tb"}
    last = table.locator("tbody tr").first.locator("td").last.bounding_box()
    article = page.locator("article").bounding_box()
    assert last
    assert article
    assert last["x"] + last["width"] <= article["x"] + article["width"], "all stacks stand side by side"
    size = table.locator("tbody th code").first.evaluate("node => getComputedStyle(node).fontSize")
    page.locator(".um-pick summary").click()
    page.locator(".um-pick").get_by_label("transformers", exact=True).fill("4.57")
    page.locator(".um-pick").get_by_role("button", name="Use these").click()
    expect(page.locator(".um-near-says")).to_contain_text("transformers 4.57")
    assert table.locator("tbody tr").first.locator("td:visible").count() == 1
    assert table.locator("tbody th code").first.evaluate("node => getComputedStyle(node).fontSize") == size
    assert not tab.seen.errors


def test_on_a_phone_no_word_of_a_cause_is_cut(browser: Browser, over_http: Served) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    page = watch(context).page
    page.goto(over_http.page("e/to-after-dispatch"))
    cut = page.evaluate(
        """[...document.querySelectorAll("article :is(.um-share, summary, .um-diff .um-line, .um-diff code)")]
            .filter((node) => node.checkVisibility())
            .filter((node) => node.localName !== "span" && node.scrollWidth > node.clientWidth + 1
                || node.getBoundingClientRect().right > innerWidth)
            .map((node) => node.outerHTML.slice(0, 90))"""
    )
    context.close()
    assert not cut


def test_runs_have_a_page_that_lists_them(tab: Tab, over_http: Served) -> None:
    tab.page.goto(over_http.page("notebooks"))
    tab.page.locator(".um-filter input").fill("lora")
    expect(tab.page.locator(".um-list li:visible").first).to_contain_text("LoRA")
    tab.page.locator(".um-list li:visible strong a").first.click()
    expect(tab.page.locator("h1")).to_contain_text("What was run")
    first = tab.page.locator(".um-runs thead tr").first.locator("th").nth(1)
    expect(first).to_have_text("5.24.0")
    expect(tab.page.locator(".um-key")).to_contain_text("○ no such error on that version")


def test_code_goes_on_below_at_both_widths(tab: Tab, over_http: Served) -> None:
    for width in (1366, 390):
        tab.page.set_viewport_size({"width": width, "height": 844})
        for name in ("e/hooks-removed-or-copied", "e/adapter-left-on-meta", "how-it-is-proved"):
            tab.page.goto(over_http.page(name))
            cut = "node => node.scrollWidth > node.clientWidth"
            assert not tab.page.evaluate(f"[...document.querySelectorAll('pre > code')].filter({cut}).length")


def test_file_names_stay_whole_in_a_table(tab: Tab, over_http: Served) -> None:
    tab.page.set_viewport_size({"width": 390, "height": 844})
    tab.page.goto(over_http.page("how-it-is-proved"))
    heights = (
        "[...document.querySelectorAll('td:first-child > code')].map((code) => code.getClientRects().length)"
    )
    assert set(tab.page.evaluate(heights)) == {1}
