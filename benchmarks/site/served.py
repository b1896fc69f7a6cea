"""A folder served as a web host does it: compressed, with connections kept, and every byte counted."""

from __future__ import annotations

import gzip
import http.server
import mimetypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from urllib.parse import unquote, urlsplit

TEXT = {".html", ".css", ".js", ".json", ".svg", ".xml", ".txt", ".md", ".webmanifest"}


@dataclass
class Served:
    """Where a site stands, and what was sent since `sent` was cleared: the size of each body by path."""

    base: str
    sent: list[tuple[str, int]] = field(default_factory=list)


@lru_cache(maxsize=4096)
def _body(path: Path) -> tuple[bytes, bool]:
    data = path.read_bytes()
    return (gzip.compress(data, 6), True) if path.suffix in TEXT else (data, False)


@contextmanager
def served(folder: Path, port: int = 0) -> Iterator[Served]:
    """Serve a folder at the root of a local address."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            name = unquote(urlsplit(self.path).path).lstrip("/")
            path = folder / name
            path = path / "index.html" if path.is_dir() else path
            found = path.is_file()
            body, packed = _body(path if found else folder / "404.html")
            self.send_response(200 if found else 404)
            kind = mimetypes.guess_type(path.name)[0] or "text/html"
            self.send_header("Content-Type", f"{kind}; charset=utf-8" if packed else kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "max-age=600")
            if packed:
                self.send_header("Content-Encoding", "gzip")
            self.end_headers()
            self.wfile.write(body)
            here.sent.append((name, len(body)))

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    server.daemon_threads = True
    here = Served(f"http://127.0.0.1:{server.server_port}/")
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield here
    finally:
        server.shutdown()
        server.server_close()
