"""Is the answer in view? Twenty pastes of programs, each in another form, pasted into the page in a browser.

    python benchmarks/site/answers.py [SITE_FOLDER] [--write] [--browser chromium|firefox]

For each: is the first cause that of the program, and do verdict, quoted line and change stand wholly in
view without scrolling, on a laptop (1366×650) and on a phone (390×844)? Builds the site where no folder of
a build is given. The search has learnt from these programs: this measures the page, not the search.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "src"), str(ROOT / "tests")]

from served import served  # noqa: E402
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


PASTE = """(text) => {
    const area = document.querySelector("#unmeta-paste");
    area.focus();
    area.value = text;
    area.dispatchEvent(new InputEvent("input", {inputType: "insertFromPaste", bubbles: true}));
}"""
"""What a paste tells a page; clipboards need permissions that not every browser gives."""
SEEN = """(parts) => {
    const link = document.querySelector(".um-result-title");
    const path = link ? new URL(link.href).pathname : "";
    const found = {cause: path.replace(/\\/$/, "").split("/").pop(), height: 0};
    for (const [name, selector] of Object.entries(parts)) {
        const box = document.querySelector(selector)?.getBoundingClientRect();
        found[name] = box !== undefined && box.top >= 0 && box.bottom <= innerHeight;
        if (box) found.height = Math.max(found.height, Math.round(box.bottom));
    }
    return found;
}"""


def in_chromium(address: str, asked: Sequence[tuple[str, tuple[int, int]]]) -> Iterator[dict[str, Any]]:
    """What a reader has in view after each paste."""
    with sync_playwright() as playwright:
        path = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"] if path else [])
        for text, (width, height) in asked:
            page = browser.new_page(viewport={"width": width, "height": height})
            page.goto(address)
            page.evaluate(PASTE, text)
            page.wait_for_selector("#unmeta-verdict", timeout=30_000)
            page.wait_for_timeout(200)
            yield page.evaluate(SEEN, PARTS)
            page.close()
        browser.close()


def in_firefox(address: str, asked: Sequence[tuple[str, tuple[int, int]]]) -> Iterator[dict[str, Any]]:
    """The same in the Firefox that is installed, by `npm install --prefix benchmarks/site`."""
    path = shutil.which("firefox") or shutil.which("firefox-esr")
    script = Path(__file__).with_name("firefox.mjs")
    data = {"path": path, "address": address, "asked": asked, "paste": PASTE, "seen": SEEN, "parts": PARTS}
    done = subprocess.run(
        ["node", str(script)], input=json.dumps(data), stdout=subprocess.PIPE, text=True, check=True
    )
    yield from map(json.loads, done.stdout.splitlines())


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
    given = [(*paste, screen) for paste in pastes() for screen in SCREENS]
    asked = [(text, SCREENS[screen]) for *_, text, screen in given]
    with served(folder) as site:
        looked = (in_firefox if wanted.browser == "firefox" else in_chromium)(site.base, asked)
        rows = [
            {
                "form": form, "program": program, "screen": screen,
                "right": found.pop("cause") == cause, **found,
            }
            for (form, program, cause, _, screen), found in zip(given, looked, strict=True)
        ]  # fmt: skip
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
