"""The service worker that keeps a copy of the site, and the list of what it keeps."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

KEPT = {".html", ".js", ".css", ".svg", ".json", ".webmanifest"}
LEFT = (
    "files/",
    "cards/",
    "catalogue.json",
    "assets/javascripts/workers/",
    "assets/javascripts/lunr/",
    "404.html",
)
"""For machines, or beside what pages need: a copy is to be read."""
WORKER = """\
// Serves the copy of the site that a reader asked for. Files are kept by their content, so that a new version
// fetches only what changed. Written when the site was built.
const FILES = __FILES__;
const HERE = new URL(registration.scope);
const STORE = `unmeta ${HERE.pathname}`;
const place = (name) => new URL(name, HERE).pathname;
const key = (name) => `${place(name)}?${FILES[name]}`;
const NAMES = new Map(Object.keys(FILES).map((name) => [place(name), name]));

async function tell(done, all) {
  const pages = await clients.matchAll({ includeUncontrolled: true });
  for (const page of pages) page.postMessage({ unmeta: true, done, all });
}

async function fill() {
  const store = await caches.open(STORE);
  const addresses = (await store.keys()).map((request) => new URL(request.url));
  const held = new Set(addresses.map((url) => url.pathname + url.search));
  const wanted = Object.keys(FILES).filter((name) => !held.has(key(name)));
  let done = 0;
  const next = async () => {
    for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
      const response = await fetch(place(name), { cache: "no-cache" });
      if (!response.ok) throw new Error(`${name}: ${response.status}`);
      await store.put(key(name), response);
      if (++done % 20 === 0) await tell(done, done + wanted.length);
    }
  };
  await Promise.all(Array.from({ length: 6 }, next));
}

async function tidy() {
  const store = await caches.open(STORE);
  const wanted = new Set(Object.keys(FILES).map(key));
  for (const request of await store.keys()) {
    const { pathname, search } = new URL(request.url);
    if (!wanted.has(pathname + search)) await store.delete(request);
  }
}

async function answer(request) {
  const { pathname } = new URL(request.url);
  const name = NAMES.get(pathname) ?? NAMES.get(`${pathname}/`);
  const held = name !== undefined && (await (await caches.open(STORE)).match(key(name)));
  return held || fetch(request);
}

addEventListener("install", (event) => event.waitUntil(fill().then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(tidy().then(() => clients.claim())));
addEventListener("fetch", (event) => {
  const { origin, pathname } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== HERE.origin || !pathname.startsWith(HERE.pathname)) return;
  event.respondWith(answer(event.request));
});
"""


def manifest() -> str:
    """What a browser asks before it installs a site."""
    icon = {"src": "assets/favicon.svg", "sizes": "any", "type": "image/svg+xml"}
    drawn = {"src": "cards/icon.png", "sizes": "512x512", "type": "image/png"}
    data = {
        "name": "unmeta: PyTorch meta-tensor errors",
        "short_name": "unmeta",
        "start_url": ".",
        "display": "standalone",
        "background_color": "#fdfdfb",
        "theme_color": "#fdfdfb",
        "icons": [icon, drawn],
    }
    return json.dumps(data, indent=1) + "\n"


def worker(site: Path) -> str:
    """The service worker of a built site, with the digest of every file that it keeps.

    A page is named by its address: `e/x/`, not `e/x/index.html`.
    """
    files = {}
    for path in sorted(site.rglob("*")):
        name = path.relative_to(site).as_posix()
        if (
            path.suffix not in KEPT
            or name.startswith(LEFT)
            or (name.startswith("e/") and path.suffix == ".json")
        ):
            continue
        digest = hashlib.sha256(path.read_bytes()).hexdigest()[:12]
        files[name.removesuffix("index.html") or "./"] = digest
    return WORKER.replace("__FILES__", json.dumps(files, separators=(",", ":")))
