"""The copy that a reader asks for: every page, the search and the box without a network."""

from __future__ import annotations

import pytest
from chrome import Served, watch
from playwright.sync_api import Browser, expect

from unmeta.kb.load import Catalogue

MESSAGE = "NotImplementedError: Cannot copy out of meta tensor; no data!"


def test_nothing_is_kept_unless_it_is_asked_for(browser: Browser, over_http: Served) -> None:
    context = browser.new_context()
    tab = watch(context)
    for name in ("", "take-along"):
        tab.page.goto(over_http.page(name))
        tab.page.wait_for_load_state("networkidle")
    assert tab.page.evaluate("navigator.serviceWorker.getRegistrations().then((all) => all.length)") == 0
    assert tab.page.evaluate("caches.keys()") == []
    context.close()


def test_a_copy_answers_without_a_network(browser: Browser, over_http: Served, catalogue: Catalogue) -> None:
    context = browser.new_context()
    context.set_default_timeout(60_000)
    tab = watch(context)
    tab.page.goto(over_http.page("take-along"))
    tab.page.get_by_role("button", name="Keep a copy on this device").click()
    expect(tab.page.get_by_role("button", name="Remove the copy")).to_be_visible(timeout=120_000)
    context.set_offline(True)
    for name in (f"e/{next(iter(catalogue.causes))}", "guide", "operations", "notebooks/to-after-dispatch"):
        tab.page.goto(over_http.page(name))
        assert tab.page.locator("h1").inner_text(), name
    tab.page.goto(over_http.page(""))
    tab.page.locator("#unmeta-paste").fill(MESSAGE)
    expect(tab.page.locator(".um-out a").first).to_be_visible()
    query = tab.page.locator("[data-md-component=search-query]")
    query.press_sequentially("to_empty")
    expect(tab.page.locator(".md-search-result__list a").first).to_be_visible()
    assert [error for error in tab.seen.errors if "Content Security Policy" in error] == []
    tab.page.goto(over_http.page("take-along"))
    tab.page.get_by_role("button", name="Remove the copy").click()
    expect(tab.page.get_by_role("button", name="Keep a copy on this device")).to_be_visible()
    assert tab.page.evaluate("caches.keys()") == []
    context.close()


@pytest.mark.parametrize("kind", ["file"])
def test_a_copy_on_disk_offers_none(browser: Browser, from_disk: Served, kind: str) -> None:
    assert from_disk.kind == kind
    context = browser.new_context()
    tab = watch(context)
    tab.page.goto(from_disk.page("take-along"))
    expect(tab.page.locator("#um-offline")).to_contain_text("is a copy already")
    expect(tab.page.locator("#um-offline button")).to_have_count(0)
    assert not tab.seen.errors
    context.close()
