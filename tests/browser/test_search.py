"""The header's search: messages word for word, nothing loaded before somebody looks."""

from __future__ import annotations

import pytest
from chrome import Served, Tab
from playwright.sync_api import expect

BARE = "Cannot copy out of meta tensor; no data!"
ADVICE = (
    "NotImplementedError: Cannot copy out of meta tensor; no data! Please use torch.nn.Module.to_empty() "
    "instead of torch.nn.Module.to() when moving module from meta to a different device."
)
HEAVY = ("matcher.js", "unmeta-index.js", "unmeta-search.js", "minisearch.js", "search.a")


def look(tab: Tab, words: str) -> list[str]:
    """Addresses of what a search shows, in order."""
    query = tab.page.locator("[data-md-component=search-query]")
    query.fill("")
    query.press_sequentially(words[:1])
    query.fill(words)
    query.press("End")
    first = tab.page.locator(".md-search-result__list a").first
    expect(first).to_be_visible(timeout=60_000)
    tab.page.wait_for_timeout(400)
    links = tab.page.locator(".md-search-result__list a")
    return [link.get_attribute("href") or "" for link in links.all()]


@pytest.mark.parametrize("name", ["", "e/no-data-to-copy", "e/to-after-dispatch", "guide/offload"])
def test_nothing_heavy_loads_before_it_is_wanted(tab: Tab, over_http: Served, name: str) -> None:
    tab.page.goto(over_http.page(name))
    tab.page.wait_for_load_state("networkidle")
    assert not [url for url in tab.seen.requests if any(part in url for part in HEAVY)]


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        (BARE, "no-data-to-copy"),
        (ADVICE, "no-data-to-copy"),
        ("Cannot copy out of meta", "no-data-to-copy"),
        ("'cannot copy out of meta tensor'", "no-data-to-copy"),
        ("Tensor.item() cannot be called on meta tensors", "item-on-meta"),
        ("You can't move a model that has some modules offloaded", "cannot-move-offloaded-model"),
    ],
)
def test_a_message_or_a_part_of_one_is_answered_by_its_page(
    tab: Tab, site: Served, words: str, wanted: str
) -> None:
    tab.page.goto(site.page("causes"))
    found = look(tab, words)
    assert f"/e/{wanted}" in found[0], found[:4]


def test_quotes_stay_as_they_were_typed(tab: Tab, over_http: Served) -> None:
    tab.page.goto(over_http.page("causes"))
    look(tab, 'device_map="auto"')
    titles = tab.page.locator(".md-search-result__list").inner_text()
    assert 'device_map="auto"' in titles
    assert ";auto" not in titles
    assert "&" not in titles.replace("& ", "")


def test_a_search_is_an_answer_and_no_heap(tab: Tab, over_http: Served) -> None:
    tab.page.goto(over_http.page("causes"))
    look(tab, "meta tensor")
    assert tab.page.locator(".md-search-result__item").count() <= 15
    expect(tab.page.locator(".md-search-result__meta")).to_have_text("15 pages, the best first")


def test_a_name_is_found_by_its_parts(tab: Tab, over_http: Served) -> None:
    tab.page.goto(over_http.page("causes"))
    assert look(tab, "to_empty")
    assert look(tab, "low_cpu_mem_usage")


def test_a_section_of_the_guide_is_found(tab: Tab, over_http: Served) -> None:
    tab.page.goto(over_http.page(""))
    found = look(tab, "only the module's own forward")
    assert any("guide/" in link for link in found[:5]), found[:5]


def test_a_message_pasted_into_the_search_leads_to_its_page(tab: Tab, over_http: Served) -> None:
    tab.page.goto(over_http.page("causes"))
    tab.page.evaluate("text => navigator.clipboard.writeText(text)", ADVICE)
    tab.page.locator("[data-md-component=search-query]").focus()
    tab.page.keyboard.press("Control+v")
    first = tab.page.locator(".md-search-result__list a").first
    expect(first).to_have_attribute("href", over_http.page("e/no-data-to-copy"), timeout=60_000)


@pytest.mark.parametrize("name", ["", "e/to-after-dispatch"])
def test_a_paste_beside_every_field_is_answered(tab: Tab, site: Served, name: str) -> None:
    tab.page.goto(site.page(name))
    tab.page.evaluate("document.activeElement.blur()")
    tab.page.evaluate(
        """text => {
          const held = new DataTransfer();
          held.setData("text/plain", text);
          document.body.dispatchEvent(
            new ClipboardEvent("paste", { clipboardData: held, bubbles: true, cancelable: true }));
        }""",
        f"Traceback (most recent call last):\n{ADVICE}",
    )
    answer = ".um-verdict" if not name else ".md-search-result__list a"
    expect(tab.page.locator(answer).first).to_be_visible(timeout=60_000)


def test_after_a_messages_page_comes_the_box(tab: Tab, site: Served) -> None:
    tab.page.goto(site.page("causes"))
    found = look(tab, BARE)
    tab.page.locator(".md-search-result__list a").nth(1).click()
    expect(tab.page.locator("#unmeta-paste")).to_be_visible(timeout=30_000)
    assert "no-data-to-copy" in found[0]


def test_what_is_shown_of_a_page_has_no_marks_and_ends_with_a_word(tab: Tab, over_http: Served) -> None:
    tab.page.goto(over_http.page("causes"))
    script = tab.page.evaluate(
        "async (url) => { await import(url); return globalThis.UNMETA_SEARCH.map((page) => page[2]); }",
        f"{over_http.base}assets/unmeta-search.js",
    )
    texts = " ".join(script)
    assert "|---" not in texts
    assert "| |" not in texts
    look(tab, "goal script")
    shown = tab.page.locator(".md-search-result__article").all_inner_texts()
    cut = [text.strip().removesuffix(" …") for text in shown if text.strip().endswith(" …")]
    assert cut
    assert all(f"{end} " in f"{texts} " for text in cut for end in [" ".join(text.split()[-3:])])
