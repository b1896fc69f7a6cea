"""The answer is the fix: what stands where after a paste, in the words of the terminal, and to take along."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from chrome import Served, Tab, outside, watch
from playwright.sync_api import Browser, Page, expect

from unmeta.kb.load import Catalogue
from unmeta.match import explain
from unmeta.match.result import words
from unmeta.match.shown import render
from unmeta.terminal import Paper
from unmeta.train import examples

MOVED = """\
torch==2.7.1
You shouldn't move a model that is dispatched using accelerate hooks.
Traceback (most recent call last):
  File "/home/me/serve.py", line 60, in <module>
    serve()
  File "/home/me/serve.py", line 31, in serve
    self.pipe.to(device)
  File "/usr/lib/python3/site-packages/accelerate/big_modeling.py", line 470, in wrapper
    raise RuntimeError("You can't move a model that has some modules offloaded to cpu or disk.")
RuntimeError: You can't move a model that has some modules offloaded to cpu or disk.
"""
PIPELINE = """\
Traceback (most recent call last):
  File "/home/me/sum.py", line 44, in <module>
    self.pipe = pipeline("summarization", model=net, tokenizer=tok, device=0, max_length=60)
  File "/usr/lib/python3/site-packages/transformers/pipelines/__init__.py", line 1180, in pipeline
    return pipeline_class(model=model, task=task, **kwargs)
  File "/usr/lib/python3/site-packages/transformers/pipelines/base.py", line 800, in __init__
    raise ValueError(
ValueError: The model has been loaded with `accelerate` and therefore cannot be moved to a \
specific device. Please discard the `device` argument when creating your pipeline object.
"""
PARTS = ("#unmeta-verdict", ".um-quoted", ".um-why", ".um-change", ".um-not")
SECRET = "serve.py"
RAN = re.compile(
    r"^✓ Ran on your versions: torch 2\.13\.0, with transformers \S+, accelerate \S+ \(20\S{8}\)\.$"
)


def paste(page: Page, text: str) -> None:
    page.locator("#unmeta-paste").focus()
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+V")
    expect(page.locator("#unmeta-verdict")).to_be_visible()


def copied(page: Page, name: str) -> str:
    page.evaluate("navigator.clipboard.writeText('')")
    page.locator("#unmeta").get_by_role("button", name=name, exact=True).click()
    expect(page.locator("#unmeta").get_by_role("button", name="Copied", exact=True).first).to_be_visible()
    # The button of the copy before may still say "Copied", and a script is fetched first.
    text = page.evaluate(
        """async () => {
            for (let turn = 0; turn < 100; turn++) {
                const text = await navigator.clipboard.readText();
                if (text) return text;
                await new Promise((done) => setTimeout(done, 100));
            }
            return "";
        }"""
    )
    assert isinstance(text, str)
    return text


@pytest.fixture(params=[(1366, 650, False), (390, 844, True)], ids=["laptop", "phone"])
def screen(request: pytest.FixtureRequest, browser: Browser) -> Iterator[Tab]:
    width, height, phone = request.param
    context = browser.new_context(
        viewport={"width": width, "height": height}, is_mobile=phone, has_touch=phone,
        permissions=["clipboard-read", "clipboard-write"],
    )  # fmt: skip
    yield watch(context)
    context.close()


def test_a_decisive_paste_is_answered_in_one_screen(screen: Tab, over_http: Served) -> None:
    page = screen.page
    page.goto(over_http.page(""))
    paste(page, MOVED)
    expect(page.locator("#unmeta-verdict")).to_be_focused()
    expect(page.locator("#unmeta-paste")).to_be_hidden()
    expect(page.locator(".um-pasted")).to_contain_text("10 lines pasted")
    tops = []
    for part in PARTS:
        box = page.locator(part).bounding_box()
        assert box, part
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= page.viewport_size["height"], part  # type: ignore[index]
        tops.append(box["y"])
    assert tops == sorted(tops)
    assert page.locator(".um-quoted mark").inner_text() == "to(device)"
    assert page.locator(".um-quoted figcaption").inner_text() == "Line 7 · serve.py:31"
    expect(page.locator("#unmeta [role=status]")).to_contain_text("was moved with .to() or .cuda()")
    assert not screen.seen.errors
    assert not outside(screen.seen, over_http)


def test_on_a_phone_fingers_hit_every_control(browser: Browser, over_http: Served) -> None:
    context = browser.new_context(
        viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True,
        permissions=["clipboard-read", "clipboard-write"],
    )  # fmt: skip
    page = watch(context).page
    page.goto(over_http.page(""))
    paste(page, "NotImplementedError: Cannot copy out of meta tensor; no data!")
    page.evaluate("document.querySelectorAll('#unmeta details').forEach((fold) => { fold.open = true; })")
    small = page.evaluate(
        """[...document.querySelectorAll("#unmeta :is(button, summary, input, .md-button)")]
            .filter((node) => node.offsetParent && node.getBoundingClientRect().height < 44)
            .map((node) => node.outerHTML.slice(0, 80))"""
    )
    context.close()
    assert not small


def test_the_box_comes_back(tab: Tab, over_http: Served) -> None:
    tab.page.goto(over_http.page(""))
    paste(tab.page, MOVED)
    tab.page.get_by_role("button", name="Edit").click()
    expect(tab.page.locator("#unmeta-paste")).to_be_focused()
    expect(tab.page.locator("#unmeta-paste")).to_have_value(MOVED)


def plain(text: str) -> str:
    """Text without marks of code and the blanks of a layout."""
    return re.sub(r"\s+", " ", text.replace("`", "")).strip()


@pytest.fixture(scope="module")
def pastes(catalogue: Catalogue, root: object) -> list[str]:
    found = [text for _, text in examples.programs_of(root, catalogue)]  # type: ignore[arg-type]
    return [MOVED, PIPELINE, "model stuck on meta after loading lora", "CUDA out of memory", *found[::40]]


def test_page_and_terminal_say_the_same_in_the_same_order(
    tab: Tab, over_http: Served, pastes: list[str]
) -> None:
    for text in pastes:
        answer = explain(text, versions={})
        tab.page.goto(over_http.page(""))
        paste(tab.page, text)
        seen = plain(tab.page.locator("#unmeta .um-out").evaluate("node => node.textContent"))
        printed = plain(render(answer, Paper(100_000)))
        if not answer.known:
            assert plain(answer.says) in seen
            assert plain(answer.says) in printed
            continue
        at = on = 0
        for kind, told in words(answer, answer.result):
            said = plain(told[2:] if kind == "row" else told.rpartition(" (")[0] if kind == "other" else told)
            at, on = seen.find(said, at), printed.find(said, on)
            assert at >= 0, (said, seen)
            assert on >= 0, (said, printed)
            at, on = at + len(said), on + len(said)


def test_the_change_can_be_copied_in_the_readers_names(
    tab: Tab, over_http: Served, catalogue: Catalogue
) -> None:
    tab.page.goto(over_http.page(""))
    paste(tab.page, PIPELINE)
    made = 'self.pipe = pipeline("summarization", model=net, tokenizer=tok, max_length=60)'
    assert copied(tab.page, "Copy change") == made
    assert copied(tab.page, "Copy diff") == (
        f'-self.pipe = pipeline("summarization", model=net, tokenizer=tok, device=0, max_length=60)\n+{made}'
    )
    script = catalogue.snippets["pipeline-device-conflict/fix-no-device.py"].text
    assert copied(tab.page, "Copy script") == script


def test_versions_are_picked_once_and_kept_here(tab: Tab, over_http: Served) -> None:
    page = tab.page
    page.goto(over_http.page(""))
    paste(page, PIPELINE)
    expect(page.locator(".um-ran")).to_contain_text("stacks, last with")
    page.locator("#unmeta .um-versions summary").click()
    page.get_by_label("torch", exact=True).fill("2.13.0")
    page.get_by_label("accelerate", exact=True).fill("<b>")
    page.get_by_role("button", name="Use these").click()
    expect(page.locator("#unmeta-verdict")).to_be_visible()
    page.get_by_label("accelerate", exact=True).evaluate_all(
        "nodes => nodes.map((node) => { node.value = ''; })"
    )
    if page.locator("#unmeta .um-versions[open]").count():
        page.get_by_role("button", name="Use these").click()
    expect(page.locator(".um-ran")).to_have_text(RAN)
    assert page.evaluate("JSON.stringify({...localStorage})").count("2.13.0") == 1
    page.goto(over_http.page("causes"))
    page.goto(over_http.page(""))
    paste(page, PIPELINE)
    expect(page.locator(".um-ran")).to_have_text(RAN)
    paste_again(page, MOVED)
    expect(page.locator(".um-ran")).to_contain_text("torch 2.7.1")  # what the paste states comes first
    assert not outside(tab.seen, over_http)
    assert not tab.seen.errors


def paste_again(page: Page, text: str) -> None:
    page.locator(".um-pasted").get_by_role("button", name="Clear").click()
    paste(page, text)


def test_a_link_brings_the_answer_without_the_paste(tab: Tab, over_http: Served) -> None:
    page = tab.page
    page.goto(over_http.page(""))
    paste(page, MOVED)
    title = page.locator("#unmeta-verdict").inner_text()
    link = copied(page, "Copy link")
    assert link.startswith(over_http.base + "#answer=to-after-dispatch")
    assert SECRET not in link
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator("#unmeta-verdict")).to_be_visible()
    assert page.locator(".um-result-title").first.inner_text() == title
    assert page.locator("#unmeta-paste").input_value() == ""
    assert all(SECRET not in url for url in tab.seen.requests)
    assert not tab.seen.errors


@pytest.mark.parametrize(
    "fragment",
    ["answer=no-such-cause", "answer=<img src=x onerror=owned=1>", "answer=", "answer=a&yes=%3Cb%3E"],
)
def test_a_link_that_is_made_up_says_nothing(tab: Tab, over_http: Served, fragment: str) -> None:
    tab.page.goto(over_http.page("") + "#" + fragment)
    tab.page.wait_for_timeout(400)
    expect(tab.page.locator("#unmeta-verdict")).to_have_count(0)
    assert tab.page.evaluate("window.owned") is None
    assert not tab.seen.errors


def test_it_can_be_taken_along_as_text(tab: Tab, over_http: Served) -> None:
    page = tab.page
    page.goto(over_http.page(""))
    paste(page, MOVED)
    told = copied(page, "Copy as Markdown")
    assert "https://unmeta.github.io/unmeta/e/to-after-dispatch/" in told
    assert "```diff\n-self.pipe.to(device)\n```" in told
    assert "Line 7: `self.pipe.to(device)`" in told
    asked = copied(page, "Copy as a question")
    assert MOVED.strip() in asked
    assert told.strip() in asked
    assert not outside(tab.seen, over_http)


def test_what_did_not_help_is_shown_before_it_is_sent(tab: Tab, over_http: Served) -> None:
    page = tab.page
    page.goto(over_http.page(""))
    paste(page, MOVED)
    page.get_by_text("This did not help").click()
    area = page.locator(".um-report textarea")
    assert area.input_value().startswith("unmeta said: to-after-dispatch (")
    area.fill("only this")
    href = page.locator(".um-report a").get_attribute("href")
    assert href
    assert href.endswith("/issues/new?template=entry.yml&paste=only+this")
    assert not outside(tab.seen, over_http)


def test_a_report_says_what_of_a_paste_it_leaves_out(tab: Tab, over_http: Served) -> None:
    page = tab.page
    page.goto(over_http.page(""))
    bar = "Loading checkpoint shards: 100%|██████████| 3/3 [00:00<00:00,  9.10it/s]"
    frames = "\n".join(f'  File "/srv/app/a.py", line {n}, in f{n}' for n in range(400))
    paste(page, f"{bar}\n{frames}\nValueError: nobody knows this one")
    expect(page.locator("#unmeta-verdict")).to_have_text(
        "No meta-tensor error that is known here stands in this text."
    )
    folded, verdict = (
        page.locator(".um-pasted").bounding_box(),
        page.locator("#unmeta-verdict").bounding_box(),
    )
    assert folded
    assert verdict
    assert verdict["y"] >= folded["y"] + folded["height"] + 8, "the verdict touches the box"
    page.locator(".um-report summary").click()
    held = page.locator(".um-report textarea").input_value()
    assert held.endswith("ValueError: nobody knows this one")
    assert "it/s" not in held
    told = page.locator(".um-left-out").inner_text()
    left = 401 - len(held.splitlines()) + 1
    assert told == f"Left out: the first {left} lines of 401, for an address holds no more; 1 progress bar."
    assert held.startswith(f"… ({left} lines left out)\n")
    assert len(page.locator(".um-report a").get_attribute("href") or "") < 8000
    paste_again(page, "ValueError: short")
    page.locator(".um-report summary").click()
    expect(page.locator(".um-left-out")).to_have_count(0)
    assert not outside(tab.seen, over_http)


DENIED = """\
06:02:41 Some parameters are on the meta device because they were offloaded to the disk and cpu.
Traceback (most recent call last):
  File "/home/user/main.py", line 55, in main
    loss.backward()
  File "/usr/lib/python3/site-packages/torch/_tensor.py", line 623, in backward
    torch.autograd.backward(
RuntimeError: Function MmBackward0 returned an invalid gradient at index 1 - expected device meta but got cpu
"""


def test_a_no_that_contradicts_the_answer_is_said(tab: Tab, over_http: Served) -> None:
    page = tab.page
    page.goto(over_http.page(""))
    paste(page, DENIED)
    expect(page.locator(".um-says")).to_have_text("One cause fits.")
    page.locator(".um-ask-open").get_by_role("button", name="No").click()
    expect(page.locator(".um-says")).to_contain_text("Your no speaks against this cause")
    expect(page.locator(".um-others")).to_have_attribute("open", "")
    page.locator(".um-ask-said button").click()
    expect(page.locator(".um-says")).to_have_text("One cause fits.")
    assert not tab.seen.errors


def test_after_versions_are_picked_the_answer_stays_in_view(screen: Tab, over_http: Served) -> None:
    page = screen.page
    page.goto(over_http.page(""))
    paste(page, PIPELINE)
    control = page.locator("#unmeta .um-versions summary")
    box = control.bounding_box()
    assert box
    assert box["y"] + box["height"] <= page.viewport_size["height"], "the control is in the first screen"  # type: ignore[index]
    control.click()
    page.get_by_label("transformers", exact=True).fill("4.57")
    page.get_by_role("button", name="Use these").click()
    expect(control).to_have_text("Your versions: transformers 4.57")
    expect(page.locator("#unmeta-verdict")).to_be_focused()
    for part in ("#unmeta-verdict", ".um-ran"):
        expect(page.locator(part)).to_be_in_viewport(ratio=1)
    expect(page.locator(".um-ran")).to_have_text(
        re.compile(r"^✓ Ran on your versions: transformers 4\.57\.\d, with torch \S+ .*\(20\S{8}\)\.$")
    )


def test_pages_answer_for_the_versions_that_are_kept(
    tab: Tab, over_http: Served, catalogue: Catalogue
) -> None:
    page = tab.page
    page.goto(over_http.page("e/to-after-dispatch"))
    expect(page.locator(".um-pick summary")).to_have_text("Your versions: any")
    expect(page.locator("[data-ran] .um-yours")).to_have_count(0)
    page.locator(".um-pick summary").click()
    page.locator(".um-pick").get_by_label("transformers", exact=True).fill("4.51.3")
    page.locator(".um-pick").get_by_role("button", name="Use these").click()
    expect(page.locator("[data-ran] .um-yours").first).to_have_text(
        re.compile(r"^✓ Ran on your versions: transformers 4\.51\.3, with ")
    )
    expect(page.locator(".um-pick summary")).to_have_text("Your versions: transformers 4.51.3")
    for cause in catalogue.causes.values():
        other = [face for face in cause.faces if face.applies and "transformers" in face.applies]
        if other:
            break
    page.goto(over_http.page(f"e/{cause.id}"))
    expect(page.locator("details[data-applies] > summary .um-yours").first).to_contain_text("your versions")
    page.goto(over_http.page("notebooks/to-after-dispatch"))
    expect(page.locator(".um-near-says")).to_contain_text("Your versions: torch 2.13.0, transformers 4.51.3")
    assert page.locator(".um-runs td:visible").count() > 0
    wide = page.locator(".um-runs td:visible").count()
    page.get_by_role("button", name=re.compile("All .* stacks")).click()
    assert page.locator(".um-runs td:visible").count() > wide
    assert not tab.seen.errors
    assert not outside(tab.seen, over_http)


def test_a_message_folds_the_wordings_of_other_releases(
    tab: Tab, over_http: Served, catalogue: Catalogue
) -> None:
    symptom = next(
        symptom for symptom in catalogue.symptoms.values()
        if any("torch" in item.since for item in symptom.messages.values())
    )  # fmt: skip
    page = tab.page
    page.goto(over_http.page(f"e/{symptom.id}") + "#wordings")
    wordings = page.locator(".um-wording[data-applies]")
    assert wordings.evaluate_all("nodes => nodes.every((node) => node.open)")
    page.locator(".um-pick summary").click()
    page.locator(".um-pick").get_by_label("torch", exact=True).fill("1.13.1")
    page.locator(".um-pick").get_by_role("button", name="Use these").click()
    expect(page.locator(".um-wording.um-elsewhere").first).to_be_visible()
    assert not wordings.evaluate_all("nodes => nodes.every((node) => node.open)")


def test_nothing_of_the_folded_box_shows_under_a_phones_header(screen: Tab, over_http: Served) -> None:
    screen.page.goto(over_http.page(""))
    paste(screen.page, MOVED)
    screen.page.wait_for_timeout(300)
    if screen.page.viewport_size and screen.page.viewport_size["width"] > 800:
        return
    header = screen.page.locator(".md-header").bounding_box()
    folded = screen.page.locator(".um-pasted").bounding_box()
    assert header is not None
    assert folded is not None
    assert folded["y"] + folded["height"] <= header["height"]
