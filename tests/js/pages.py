"""Pages that post what they find, in headless Chromium."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar

from examples.web import serve

CHROMIUM = """chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-sync
--disable-background-networking --disable-component-update --disable-quic""".split()


class Handler(serve.Handler):
    """What is posted goes to the server's queue."""

    def do_POST(self) -> None:  # noqa: N802 - http.server's name
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.reports.put(json.loads(body))  # type: ignore[attr-defined]
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


class Shared(Handler):
    """Sends no headers that part a page from others."""

    own_headers: ClassVar[dict[str, str]] = {}


@contextmanager
def _served(folder: Path, isolated: bool) -> Iterator[ThreadingHTTPServer]:
    handler = partial(Handler if isolated else Shared, directory=str(folder))
    with ThreadingHTTPServer(("localhost", 0), handler) as server:
        server.reports = queue.Queue()  # type: ignore[attr-defined]
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


def report(folder: Path, page: str, scratch: Path, isolated: bool = True) -> dict[str, Any]:
    """What a page of the folder posts to `report`; AssertionError where that is an error."""
    log = scratch / "chromium.log"
    with _served(folder, isolated) as server, log.open("w") as said:
        url = f"http://localhost:{server.server_address[1]}/{page}"
        profile = f"--user-data-dir={scratch / 'profile'}"
        with subprocess.Popen([*CHROMIUM, profile, url], stdout=said, stderr=said) as browser:
            try:
                found: dict[str, Any] = server.reports.get(timeout=240)  # type: ignore[attr-defined]
            except queue.Empty:
                raise AssertionError(log.read_text()[-2000:]) from None
            finally:
                browser.kill()
    assert "error" not in found, found["error"]
    return found
