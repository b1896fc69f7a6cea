"""What a reader's browser has to do for each kind of page, and what a build takes.

    python benchmarks/site/measure.py                    # build, then all figures but Lighthouse's
    python benchmarks/site/measure.py --lighthouse 5     # with the median of five turns of Lighthouse
    python benchmarks/site/measure.py --causes 2000      # a build of made-up causes
    ... --write                                          # into results.json, which the site shows

README.md says what the figures mean.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright
from served import Served, served

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
sys.path.insert(0, str(HERE.parent / "check"))
PAGES = {
    "home": "",
    "a cause": "e/to-after-dispatch/",
    "a message": "e/no-data-to-copy/",
    "a guide": "guide/offload/",
    "a notebook": "notebooks/to-after-dispatch/",
}
SIZES = {"desktop": (1366, 650), "phone": (390, 844)}
SCHEMES = ("light", "dark")
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
SHIFT = """() => new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => list.getEntries().forEach((entry) => { sum += entry.value; }))
    .observe({ type: "layout-shift", buffered: true });
  setTimeout(() => done(sum), 1500);
})"""
WORDS = "document.querySelector('article').innerText.match(/\\S+/g)?.length ?? 0"


def main() -> None:
    """Measure what was asked for and print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--lighthouse", type=int, default=0, metavar="TURNS")
    parser.add_argument("--causes", type=int, default=0, metavar="COUNT")
    parser.add_argument("--site", type=Path, help="measure this build in place of a fresh one")
    parser.add_argument("--write", action="store_true")
    given = parser.parse_args()
    path = HERE / "results.json"
    results: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    results["day"] = time.strftime("%Y-%m-%d")
    with tempfile.TemporaryDirectory() as folder:
        if given.causes:
            results[f"build of {given.causes:,} made-up causes"] = made_up(Path(folder), given.causes)
        else:
            site = given.site or Path(folder) / "site"
            with served(site) as here:
                if not given.site:
                    results["build"] = built(ROOT, site, here.base)
                results["pages"] = pages(here)
                if given.lighthouse:
                    results["lighthouse"] = {"turns": given.lighthouse, **lighthouse(here, given.lighthouse)}
    print(json.dumps(results, indent=1))
    if given.write:
        path.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


# --- builds ------------------------------------------------------------------------------------------


def built(root: Path, site: Path, base: str) -> dict[str, float]:
    """Build a project's site from nothing that a build before it kept; raises SystemExit if that fails."""
    shutil.rmtree(root / ".cache" / "unmeta", ignore_errors=True)
    code = (
        "import resource, sys; from mkdocs.__main__ import cli\n"
        "try: cli(sys.argv[1:])\n"
        "finally: print('PEAK', resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    command = [sys.executable, "-c", code, "build", "--strict", "-d", str(site)]
    env = {**os.environ, "NO_MKDOCS_2_WARNING": "1", "SITE_URL": base}
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        sys.exit(f"the build failed:\n{done.stderr[-3000:]}")
    peak = re.search(r"PEAK (\d+)", done.stderr)
    return {
        "processor s": round(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, 1),
        "wall s": round(time.perf_counter() - start, 1),
        "peak MB": round(int(peak[1]) / 1024) if peak else 0,
        "pages": sum(1 for _ in site.rglob("*.html")),
    }


def made_up(folder: Path, count: int) -> dict[str, float]:
    """A build of the project's own pages around a made-up catalogue, with the runs of its scripts."""
    from speed import synthetic

    root = folder / "project"
    synthetic(root, count)
    for name in ("assets", "theme"):
        shutil.copytree(ROOT / "docs" / name, root / "docs" / name)
    (root / "docs" / "index.md").write_text("# Home\n\n<!-- unmeta: counts -->\n", encoding="utf-8")
    for name in ("contributing", "how-it-is-proved"):  # pages that generated ones lead to
        (root / "docs" / f"{name}.md").write_text(f"# {name}\n\nWords.\n", encoding="utf-8")
    (root / "kb").mkdir(exist_ok=True)
    for name in ("grammar.yaml", "weights.json"):
        shutil.copyfile(ROOT / "kb" / name, root / "kb" / name)
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
    start, end = settings.index("\nnav:\n"), settings.index("\ntheme:\n")
    # As in the project's own: with entries in the navigation every page would list every page.
    nav = '\nnav: [index.md]\nnot_in_nav: "*"\n'
    (root / "mkdocs.yml").write_text(settings[:start] + nav + settings[end:], encoding="utf-8")
    return built(root, folder / "site", "http://127.0.0.1/")


# --- pages -------------------------------------------------------------------------------------------


def pages(here: Served) -> dict[str, dict[str, float]]:
    """Figures of each kind of page in Chromium."""
    results = {}
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=["--no-sandbox"])
        for name, address in PAGES.items():
            results[name] = {**weight(browser, here, address), **reading(browser, here, address)}
        browser.close()
    return results


def weight(browser: Browser, here: Served, address: str) -> dict[str, float]:
    """What a first visit loads, and how much of it moves while it loads."""
    found: dict[str, float] = {}
    for size, (width, height) in SIZES.items():
        context = browser.new_context(
            viewport={"width": width, "height": height}, is_mobile=size == "phone", has_touch=size == "phone"
        )
        page = context.new_page()
        here.sent.clear()
        page.goto(here.base + address)
        page.wait_for_load_state("networkidle")
        found["page kB gzipped"] = round(next(s for n, s in here.sent if n == address) / 1000, 1)
        found["loaded kB gzipped"] = round(sum(sent for _, sent in here.sent) / 1000, 1)
        found["requests"] = len(here.sent)
        found["elements"] = page.evaluate("document.querySelectorAll('*').length")
        found["words shown"] = page.evaluate(WORDS)
        found[f"layout shift, {size}"] = round(page.evaluate(SHIFT), 4)
        found[f"screens, {size}"] = round(page.evaluate("document.documentElement.scrollHeight") / height, 1)
        if size == "desktop":
            page.emulate_media(media="print")
            page.wait_for_timeout(300)
            found["printed pages"] = len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4")))
        context.close()
    return found


def reading(browser: Browser, here: Served, address: str) -> dict[str, float]:
    """What axe finds, of any impact, at both widths and in both schemes together."""
    problems = set()
    for size, (width, height) in SIZES.items():
        for scheme in SCHEMES:
            context = browser.new_context(
                viewport={"width": width, "height": height},
                color_scheme=scheme,  # type: ignore[arg-type]
                is_mobile=size == "phone",
                has_touch=size == "phone",
            )
            page: Page = context.new_page()
            page.goto(here.base + address)
            page.wait_for_timeout(500)
            found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
            for item in found:
                problems.add(item["id"])
                places = [node["html"][:120] for node in item["nodes"][:2]]
                print(f"axe: {address or 'home'}, {size}, {scheme}: {item['id']}: {places}", file=sys.stderr)
            context.close()
    return {"problems by axe": len(problems)}


def chromium() -> str:
    """The browser that is there. Raises SystemExit without one."""
    path = next((found for name in ("chromium", "google-chrome") if (found := shutil.which(name))), None)
    return path or sys.exit("no Chromium here")


def lighthouse(here: Served, turns: int) -> dict[str, dict[str, int]]:
    """Medians of the four scores on a simulated phone."""
    program = HERE / "node_modules" / "lighthouse" / "cli" / "index.js"
    if not program.is_file():
        sys.exit("npm install --prefix benchmarks/site first")
    results = {}
    for name, address in PAGES.items():
        scores: dict[str, list[float]] = {category: [] for category in CATEGORIES}
        for _ in range(turns):
            command = ["node", str(program), here.base + address, "--output=json", "--quiet"]
            command.append("--chrome-flags=--headless=new --no-sandbox --disable-background-networking")
            done = subprocess.run(
                command,
                env={**os.environ, "CHROME_PATH": chromium()},
                capture_output=True,
                text=True,
                check=True,
            )
            report = json.loads(done.stdout)
            for category in CATEGORIES:
                scores[category].append(report["categories"][category]["score"] * 100)
            below = [
                audit["id"]
                for audit in report["audits"].values()
                if audit.get("score") is not None and audit["score"] < 0.9
            ]
            print(f"lighthouse: {name}: {below}", file=sys.stderr)
        results[name] = {category: round(statistics.median(found)) for category, found in scores.items()}
    return results


if __name__ == "__main__":
    main()
