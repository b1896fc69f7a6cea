"""What a page does while it loads, on paper and under a thumb."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from chrome import Served, Tab, watch
from playwright.sync_api import Browser

PAGES = ("", "e/to-after-dispatch", "e/no-data-to-copy", "guide/offload", "notebooks/to-after-dispatch")
SHIFT = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => { sum += entry.value; }))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 800);
})"""
SMALL = """() => [...document.querySelectorAll("button, summary, select, .md-header__button")]
  .filter((node) => node.checkVisibility({ visibilityProperty: true }))
  .filter((node) => !node.closest(".md-search, .md-nav"))
  .map((node) => [node.getBoundingClientRect().height, node.outerHTML.slice(0, 90)])
  .filter(([height]) => height > 1 && height < 43.5)"""


@pytest.mark.parametrize("width", [1366, 390])
def test_nothing_moves_while_a_page_loads(browser: Browser, over_http: Served, width: int) -> None:
    context = browser.new_context(viewport={"width": width, "height": 700}, is_mobile=width < 500)
    tab = watch(context)
    moved = {}
    for name in PAGES:
        tab.page.goto(over_http.page(name))
        moved[name] = tab.page.evaluate(SHIFT)
    context.close()
    assert {name: shift for name, shift in moved.items() if shift > 0.02} == {}


def test_a_cause_prints_on_three_pages_and_holds_what_was_opened(tab: Tab, over_http: Served) -> None:
    tab.page.goto(over_http.page("e/to-after-dispatch"))
    tab.page.emulate_media(media="print")
    tab.page.wait_for_timeout(300)
    assert len(re.findall(rb"/Type\s*/Page\b", tab.page.pdf(format="A4"))) <= 3
    assert not tab.page.locator("#why p").first.is_visible()
    tab.page.emulate_media(media="screen")
    tab.page.reload()
    tab.page.locator("#why summary").click()
    tab.page.emulate_media(media="print")
    assert tab.page.locator("#why p").first.is_visible()


def test_what_is_pressed_is_large_enough_for_a_thumb(browser: Browser, over_http: Served) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    tab = watch(context)
    small = {}
    for name in PAGES:
        tab.page.goto(over_http.page(name))
        tab.page.wait_for_timeout(300)
        small[name] = tab.page.evaluate(SMALL)
    context.close()
    assert {name: found for name, found in small.items() if found} == {}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_is_content_on_a_phone(browser: Browser, over_http: Served, scheme: str) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844},
        is_mobile=True,
        has_touch=True,
        color_scheme=scheme,  # type: ignore[arg-type]
    )
    tab = watch(context)
    problems = []
    for name in PAGES:
        tab.page.goto(over_http.page(name))
        tab.page.wait_for_timeout(300)
        found = Axe().run(tab.page, options={"resultTypes": ["violations"]}).response["violations"]
        problems += [f"{name}: {item['id']}: {item['nodes'][0]['html'][:120]}" for item in found]
    context.close()
    assert not problems


def test_a_page_that_is_not_there_offers_the_box(tab: Tab, over_http: Served) -> None:
    """Its links are absolute below the site's address, as a host serves it from any place."""
    tab.page.route(
        re.compile(r"/unmeta/"), lambda route: route.continue_(url=route.request.url.replace("/unmeta/", "/"))
    )
    tab.page.goto(over_http.page("404.html"))
    assert tab.page.locator("h1").inner_text() == "This page is not here"
    tab.page.locator("#unmeta-paste").fill("NotImplementedError: Cannot copy out of meta tensor; no data!")
    tab.page.locator(".um-out a").first.wait_for(timeout=60_000)
    assert not [error for error in tab.seen.errors if "Content Security Policy" in error]
