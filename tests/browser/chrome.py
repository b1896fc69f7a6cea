"""What browser tests hold in hand: where a build is served, and a tab with all that it asked for."""

from __future__ import annotations

from dataclasses import dataclass, field

from playwright.sync_api import BrowserContext, Page


@dataclass
class Served:
    """Where a build is found: `page("e/x")` is the address of a page or file."""

    base: str
    kind: str

    def page(self, name: str) -> str:
        if not name or "." in name:
            return self.base + (name or ("index.html" if self.kind == "file" else ""))
        return f"{self.base}{name}.html" if self.kind == "file" else f"{self.base}{name}/"


@dataclass
class Seen:
    """What went wrong, or out, while a page was open."""

    requests: list[str] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


@dataclass
class Tab:
    """A page with what was seen; made by the fixture `tab`."""

    page: Page
    seen: Seen


def watch(context: BrowserContext) -> Tab:
    page, seen = context.new_page(), Seen()
    page.on("request", lambda request: seen.requests.append(request.url))
    page.on("pageerror", lambda error: seen.errors.append(str(error)))
    page.on("console", lambda said: seen.errors.append(said.text) if said.type == "error" else None)
    return Tab(page, seen)


def outside(seen: Seen, site: Served) -> list[str]:
    """Requests that went anywhere but to the site."""
    return [url for url in seen.requests if not url.startswith((site.base, "data:", "blob:", "about:"))]
