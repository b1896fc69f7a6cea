"""A reader pastes a recorded traceback and is led to its cause, by keyboard alone."""

from __future__ import annotations

import re

import pytest
from chrome import Served, Tab, outside
from playwright.sync_api import expect

from unmeta.kb.load import Catalogue
from unmeta.kb.runs import printed_text
from unmeta.kb.snippets import broken_key
from unmeta.site.proof import Proof, judged
from unmeta.verify import ledger

SOME = 8


@pytest.fixture(scope="module")
def proof(catalogue: Catalogue, root: object) -> Proof:
    return judged(catalogue, ledger.load(root))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def recorded(catalogue: Catalogue, proof: Proof) -> dict[str, str]:
    """What `broken.py` printed on the reference stack, by cause: a spread of those that raise."""
    found = {}
    for name in catalogue.causes:
        cell = proof.cells.get((broken_key(name), catalogue.reference.id))
        if cell and cell.state == "holds" and cell.observation and cell.observation.outcome == "raised":
            found[name] = printed_text(cell.observation)
    assert found, "no recorded traceback: run `pytest snippets --record`"
    return dict(list(found.items())[:: max(1, len(found) // SOME)])


def paste(tab: Tab, text: str) -> None:
    """Put text on the clipboard and press the keys."""
    tab.page.evaluate("text => navigator.clipboard.writeText(text)", text)
    tab.page.keyboard.press("Control+V")


def paste_by_mouse(tab: Tab, selector: str, text: str) -> None:
    """The event of a context menu's paste: no key is pressed or released."""
    tab.page.locator(selector).focus()
    tab.page.evaluate(
        """([selector, text]) => {
            const data = new DataTransfer();
            data.setData("text/plain", text);
            const event = new ClipboardEvent("paste", {clipboardData: data, bubbles: true, cancelable: true});
            document.querySelector(selector).dispatchEvent(event);
        }""",
        [selector, text],
    )


def test_a_pasted_traceback_leads_to_its_cause_by_keyboard(
    tab: Tab, site: Served, recorded: dict[str, str]
) -> None:
    for name, text in recorded.items():
        tab.page.goto(site.page(""))
        expect(tab.page.locator("#unmeta-paste")).to_be_focused()
        paste(tab, text)
        first = tab.page.locator(".um-result-title").first
        expect(first).to_have_attribute("href", re.compile(rf"/e/{name}(/|\.html)$"))
        expect(tab.page.locator("#unmeta [role=status]")).not_to_be_empty()
        expect(tab.page.locator("#unmeta-verdict")).to_be_focused()
        for _ in range(12):  # where questions come first, they are passed
            tab.page.keyboard.press("Tab")
            if first.evaluate("node => node === document.activeElement"):
                break
        expect(first).to_be_focused()
        tab.page.keyboard.press("Enter")
        tab.page.wait_for_url(site.page(f"e/{name}"))
        assert tab.page.locator("h1").inner_text()
    assert not tab.seen.errors
    assert not outside(tab.seen, site)


@pytest.mark.parametrize("how", ["keys", "mouse"])
def test_the_header_takes_a_traceback_on_every_page(
    tab: Tab, site: Served, recorded: dict[str, str], how: str
) -> None:
    name, text = next(iter(recorded.items()))
    tab.page.goto(site.page("causes"))
    if how == "keys":
        tab.page.keyboard.press("/")
        expect(tab.page.locator("[data-md-component=search-query]")).to_be_focused()
        paste(tab, text)
    else:
        paste_by_mouse(tab, "[data-md-component=search-query]", text)
    first = tab.page.locator(".md-search-result__list a").first
    expect(first).to_have_attribute("href", re.compile(rf"/e/{name}(/|\.html)$"))
    tab.page.wait_for_timeout(500)  # the theme's own search answers after a pause; it must not replace this
    expect(first).to_have_attribute("href", re.compile(rf"/e/{name}(/|\.html)$"))
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_url(site.page(f"e/{name}"))
    assert not tab.seen.errors
    assert not outside(tab.seen, site)


def test_typed_words_still_search(tab: Tab, site: Served) -> None:
    tab.page.goto(site.page("causes"))
    tab.page.keyboard.press("/")
    tab.page.keyboard.type("to_empty", delay=30)
    expect(tab.page.locator(".md-search-result__list a").first).to_be_visible()
    assert not tab.seen.errors
    assert not outside(tab.seen, site)


def test_an_answer_ranks_again_and_can_be_taken_back(tab: Tab, over_http: Served) -> None:
    tab.page.goto(over_http.page(""))
    paste(tab, "NotImplementedError: Cannot copy out of meta tensor; no data!")
    titles = tab.page.locator(".um-result-title")
    expect(titles.first).to_be_visible()
    before = titles.first.inner_text()
    yes = tab.page.locator(".um-ask-open").nth(1).get_by_role("button", name=re.compile("^Yes")).first
    asked = tab.page.locator(".um-ask-open").nth(1).locator("span").first.inner_text()
    yes.focus()
    tab.page.keyboard.press("Enter")
    expect(titles.first).not_to_have_text(before)
    expect(tab.page.locator(".um-ask-said")).to_contain_text(f"You said yes: {asked}")
    undo = tab.page.get_by_role("button", name=f"Undo: {asked}")
    expect(undo).to_be_focused()
    tab.page.keyboard.press("Enter")
    expect(titles.first).to_have_text(before)


def test_markup_that_is_pasted_stays_text(tab: Tab, over_http: Served) -> None:
    evil = (
        '<img src=x onerror="window.owned=1"> RuntimeError: <script>window.owned=1</script>\n'
        "NotImplementedError: Cannot copy out of meta tensor; no data!"
    )
    tab.page.goto(over_http.page(""))
    paste(tab, evil)
    expect(tab.page.locator(".um-result-title").first).to_be_visible()
    tab.page.locator("[data-md-component=search-query]").focus()
    paste(tab, evil)
    expect(tab.page.locator(".md-search-result__list a").first).to_be_visible()
    tab.page.wait_for_timeout(300)
    assert tab.page.evaluate("window.owned") is None
    assert tab.page.locator("#unmeta img, .md-search-result img").count() == 0


def test_what_is_no_meta_problem_is_told_so(tab: Tab, over_http: Served) -> None:
    tab.page.goto(over_http.page(""))
    paste(tab, "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nKeyError: 'a'")
    expect(tab.page.locator(".um-verdict")).to_contain_text("No meta-tensor error that is known here")
    expect(tab.page.locator("#unmeta .um-result-title")).to_have_count(0)


def test_a_report_is_shown_before_it_goes_anywhere(tab: Tab, over_http: Served) -> None:
    tab.page.goto(over_http.page(""))
    paste(tab, "MyError: something new about a meta tensor & <more>")
    tab.page.locator(".um-report summary").click()
    shown = tab.page.locator(".um-report textarea")
    expect(shown).to_have_value(re.compile(r"MyError: something new about a meta tensor & <more>$"))
    shown.fill("MyError: shortened")
    href = tab.page.locator(".um-report a").get_attribute("href")
    assert href
    assert href.endswith("/issues/new?template=entry.yml&paste=MyError%3A+shortened")
    assert not outside(tab.seen, over_http)


def test_a_report_masks_what_looks_private(tab: Tab, over_http: Served) -> None:
    tab.page.goto(over_http.page(""))
    private = ["hf_abcdefgh12345678", "alice", "pw12345", "hunter22"]
    paste(
        tab,
        f'HF_TOKEN={private[0]}\n  File "/home/{private[1]}/run.py", line 3, in <module>\n'
        f"    load(url='https://me:{private[2]}@host/x', pad_token=tokenizer.eos_token, token=None)\n"
        f"password: {private[3]}\nMyError: a meta tensor that is new",
    )
    tab.page.locator(".um-report summary").click()
    held = tab.page.locator(".um-report textarea").input_value()
    href = tab.page.locator(".um-report a").get_attribute("href") or ""
    for word in private:
        assert word not in held
        assert word not in href
    for kept in ("/run.py", "pad_token=tokenizer.eos_token", "token=None", "@host/x", "MyError"):
        assert kept in held
    expect(tab.page.locator(".um-left-out")).to_have_text("Left out: what looks private (4 places).")


def test_a_folded_paste_is_named_by_its_error(tab: Tab, over_http: Served) -> None:
    tab.page.goto(over_http.page(""))
    paste(
        tab,
        "Traceback (most recent call last):\nRuntimeError: CUDA error: device-side assert\nFor it see",
    )
    expect(tab.page.locator(".um-pasted-text")).to_have_text(
        "3 lines pasted · RuntimeError: CUDA error: device-side assert"
    )


def test_nothing_is_stored(tab: Tab, over_http: Served, recorded: dict[str, str]) -> None:
    text = next(iter(recorded.values()))
    tab.page.goto(over_http.page(""))
    paste(tab, text)
    expect(tab.page.locator(".um-result-title").first).to_be_visible()
    kept = tab.page.evaluate("JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie])")
    assert "Traceback" not in kept
    assert "Traceback" not in tab.page.url


def test_a_megabyte_of_log_is_answered_within_a_second(
    tab: Tab, over_http: Served, recorded: dict[str, str]
) -> None:
    name, text = next(iter(recorded.items()))
    noise = "\n".join(f"2026-01-01 00:00:00 INFO step {n} loss 0.{n}" for n in range(24_000))
    tab.page.goto(over_http.page(""))
    paste(tab, text)
    expect(tab.page.locator(".um-result-title").first).to_be_visible()
    took = tab.page.evaluate(
        """async text => {
            const matcher = globalThis.UnmetaMatch.load(globalThis.UNMETA_INDEX);
            const start = performance.now();
            const answer = matcher.explain(text, {});
            return [performance.now() - start, answer.causes[0]?.id];
        }""",
        f"{noise}\n{text}",
    )
    assert took[1] == name
    assert took[0] < 1000
