"""The content security policy in a real browser: it stops nothing of ours, and text never runs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from chrome import Served, Tab, outside, watch
from hostile import KINDS
from playwright.sync_api import Browser, expect

from unmeta.kb.load import Catalogue

RECORD = """
globalThis.ran = [];
globalThis.pwned = () => ran.push(location.pathname);
globalThis.stopped = [];
addEventListener("securitypolicyviolation", (event) =>
  stopped.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample} ${event.sourceFile}`));
"""
TOUCH = """() => {
  document.addEventListener("click", (event) => event.preventDefault(), true);
  for (const node of document.querySelectorAll("main *, title, .md-nav *"))
    for (const kind of ["mouseover", "focus", "click", "error", "load", "toggle"])
      node.dispatchEvent(new Event(kind, { bubbles: true, cancelable: true }));
  return document.querySelectorAll("main *").length;
}"""


@pytest.fixture
def recorded(browser: Browser) -> Iterator[Tab]:
    context = browser.new_context()
    context.set_default_timeout(10_000)
    context.add_init_script(RECORD)
    tab = watch(context)
    tab.page.on("dialog", lambda dialog: dialog.dismiss())
    yield tab
    context.close()


def test_no_payload_runs_wherever_it_stands(recorded: Tab, hostile: Served) -> None:
    page = recorded.page
    names = ["", "page", "causes", "messages", "facts", "operations", "stacks", "status", "areas/torch"]
    for kind in KINDS:
        names += [f"e/evil-{kind}", f"e/evil-{kind}-symptom", f"e/evil-{kind}-fact", f"notebooks/evil-{kind}"]
    for name in names:
        page.goto(hostile.page(name))
        assert page.evaluate(TOUCH) > 5, name
        assert page.evaluate("ran") == [], name
        assert page.evaluate("stopped") == [], name
    assert outside(recorded.seen, hostile) == []


def test_no_payload_runs_in_an_answer(recorded: Tab, hostile: Served) -> None:
    page = recorded.page
    page.goto(hostile.page(""))
    for kind in KINDS:
        page.locator("#unmeta-paste").fill(f"evil-{kind}-symptom {KINDS[kind]} on the meta device")
        page.wait_for_timeout(250)
    expect(page.locator("#unmeta-verdict")).to_be_visible()
    assert page.evaluate("ran") == []
    assert page.evaluate("stopped") == []
    assert outside(recorded.seen, hostile) == []


def test_no_payload_runs_in_the_search(recorded: Tab, hostile: Served) -> None:
    page = recorded.page
    page.goto(hostile.page("e/evil-script"))
    query = page.locator("[data-md-component=search-query]")
    query.focus()
    for words in ("<img src=x onerror=pwned()>", "click", "pwned"):
        query.fill(words)
        query.press("End")  # the theme reads the field when a key is released
        page.wait_for_timeout(700)
    # the search answers from a worker, which takes its time on a busy machine
    expect(page.locator(".md-search-result__list a").first).to_be_visible(timeout=60_000)
    assert page.evaluate("ran") == []
    assert page.evaluate("stopped") == []


def test_what_slips_through_is_stopped_by_the_policy(recorded: Tab, hostile: Served) -> None:
    """The second wall alone: markup that no page holds, put into one."""
    page = recorded.page
    page.goto(hostile.page("page"))
    page.evaluate(
        """() => {
          const add = (html) => document.querySelector("main").insertAdjacentHTML("beforeend", html);
          add("<img src=x onerror=pwned()>");
          add("<a id=evil href=javascript:pwned()>x</a>");
          add("<iframe srcdoc='<script>parent.pwned()</scr" + "ipt>'></iframe>");
          const script = document.createElement("script");
          script.textContent = "pwned()";
          document.body.append(script);
          document.getElementById("evil").click();
        }"""
    )
    page.wait_for_timeout(300)
    assert page.evaluate("ran") == []
    assert len(page.evaluate("stopped")) >= 3


def test_the_policy_stops_nothing_of_ours(recorded: Tab, site: Served, catalogue: Catalogue) -> None:
    page = recorded.page
    entries = (catalogue.causes, catalogue.symptoms, catalogue.facts)
    cause, symptom, fact = (next(iter(kind)) for kind in entries)
    names = ["", "causes", "messages", "facts", "operations", "stacks", "status", "upstream", "contributing"]
    names += ["guide/five-minutes", "areas/torch", f"notebooks/{cause}"]
    names += [f"e/{name}" for name in (cause, symptom, fact)]
    for name in names:
        page.goto(site.page(name))
        page.locator("[data-md-component=palette] label:visible").first.click()
        assert page.evaluate("stopped") == [], name
    page.goto(site.page(f"e/{cause}"))
    page.get_by_role("button", name="Copy change").first.click()
    page.keyboard.press("/")
    page.keyboard.type("meta device", delay=30)
    expect(page.locator(".md-search-result__list a").first).to_be_visible()
    page.goto(site.page(""))
    page.locator("#unmeta-paste").fill("NotImplementedError: Cannot copy out of meta tensor; no data!")
    expect(page.locator("#unmeta-verdict")).to_be_visible()
    assert page.evaluate("stopped") == []
    assert [error for error in recorded.seen.errors if "Content Security Policy" in error] == []
