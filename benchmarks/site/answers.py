"""Is the answer in view? Twenty pastes of programs, each in another form, pasted into the page in a browser.

    python benchmarks/site/answers.py [SITE_FOLDER] [--write] [--browser chromium|firefox]

For each: is the first cause that of the program, and do verdict, quoted line and change stand wholly in
view without scrolling, on a laptop (1366×650) and on a phone (390×844)? Builds the site where no folder of
a build is given. The search has learnt from these programs: this measures the page, not the search.
"""

from __future__ import annotations

import argparse
import functools
import hashlib
import http.server
import json
import shutil
import sys
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from sitebuild import build  # noqa: E402

from unmeta.kb.load import load  # noqa: E402
from unmeta.train import examples, forms  # noqa: E402

COUNT = 20
SCREENS = {"1366×650": (1366, 650), "390×844": (390, 844)}
PARTS = {"verdict": "#unmeta-verdict", "line": ".um-quoted", "change": ".um-change"}
RESULTS = Path(__file__).with_name("answers.json")


def pastes() -> Iterator[tuple[str, str, str, str]]:
    """(form, program, cause, text): programs whose own print decides, of as many causes as there are."""
    catalogue = load(ROOT)
    printed: dict[str, tuple[str, str]] = {}
    for program, text in examples.programs_of(ROOT, catalogue):
        known = printed.get(program.key, ("", ""))[1]  # of several stacks the one that says most
        if program.claim.evidence == "decisive" and program.claim.cause in catalogue.causes:
            printed[program.key] = (program.claim.cause, max(known, text, key=len))
    order = sorted(printed, key=lambda key: hashlib.sha256(key.encode()).hexdigest())
    causes: set[str] = set()
    spread = [key for key in order if not (printed[key][0] in causes or causes.add(printed[key][0]))]
    names = [name for name in forms.NAMES if name not in examples.CUT][:COUNT]
    for name, key in zip(names, spread, strict=False):
        cause, text = printed[key]
        yield name, key.removeprefix("programs/"), cause, forms.put(text, name)


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a folder."""
    handler = functools.partial(_Quiet, directory=str(folder))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()


def seen(browser: Browser, address: str, text: str, size: tuple[int, int]) -> dict[str, Any]:
    """What a reader has in view after a paste."""
    context = browser.new_context(viewport={"width": size[0], "height": size[1]})
    page = context.new_page()
    page.goto(address)
    # The event of a paste, as every browser gives it: clipboards need permissions that Firefox lacks.
    page.locator("#unmeta-paste").evaluate(
        """(area, text) => {
            area.focus();
            area.value = text;
            area.dispatchEvent(new InputEvent("input", {inputType: "insertFromPaste", bubbles: true}));
        }""",
        text,
    )
    page.wait_for_selector("#unmeta-verdict", timeout=30_000)
    page.wait_for_timeout(200)
    found: dict[str, Any] = {"height": 0}
    link = page.locator(".um-result-title").first
    found["cause"] = (link.get_attribute("href") or "").rstrip("/").rpartition("/")[2] if link.count() else ""
    for name, selector in PARTS.items():
        box = page.locator(selector).bounding_box() if page.locator(selector).count() else None
        found[name] = bool(box) and box["y"] >= 0 and box["y"] + box["height"] <= size[1]
        if box:
            found["height"] = max(found["height"], round(box["y"] + box["height"]))
    context.close()
    return found


def main() -> None:
    """Measure and print a table; `--write` keeps it."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", nargs="?", type=Path)
    parser.add_argument("--browser", default="chromium", choices=["chromium", "firefox"])
    parser.add_argument("--write", action="store_true")
    wanted = parser.parse_args()
    folder = wanted.folder
    if folder is None:
        folder = Path(tempfile.mkdtemp()) / "site"
        build("online", folder)
    rows = []
    with sync_playwright() as playwright, served(folder) as address:
        path = shutil.which("chromium") if wanted.browser == "chromium" else None
        walls = ["--no-sandbox"] if path else []
        browser = getattr(playwright, wanted.browser).launch(executable_path=path, args=walls)
        for form, program, cause, text in pastes():
            for screen, size in SCREENS.items():
                found = seen(browser, address, text, size)
                right = found.pop("cause") == cause
                rows.append({"form": form, "program": program, "screen": screen, "right": right, **found})
        browser.close()
    for screen in SCREENS:
        own = [row for row in rows if row["screen"] == screen]
        print(f"\n{wanted.browser}, {screen}: {len(own)} pastes")
        for name in ("right", *PARTS):
            print(f"  {name:8} {sum(row[name] for row in own)}")
        print(f"  {'all':8} {sum(all(row[name] for name in ('right', *PARTS)) for row in own)}")
    for row in rows:
        marks = " ".join(f"{name}:{'yes' if row[name] else 'NO'}" for name in ("right", *PARTS))
        print(f"{row['form']:16} {row['screen']:9} {marks} {row['height']:5} px  {row['program']}")
    if wanted.write:
        kept = json.loads(RESULTS.read_text(encoding="utf-8")) if RESULTS.is_file() else {}
        kept[wanted.browser] = rows
        RESULTS.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
