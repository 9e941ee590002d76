"""python -m examples.web.serve DIR [PORT]: a web server for this machine alone.

Any server does; where pages are to have threads it sends the two headers below, for which a browser
parts them from other pages.
"""

from __future__ import annotations

import argparse
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar


class Handler(SimpleHTTPRequestHandler):
    """Gives out a folder."""

    own_headers: ClassVar[dict[str, str]] = {
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Embedder-Policy": "require-corp",
    }
    extensions_map: ClassVar[dict[str, str]] = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def end_headers(self) -> None:
        for name, value in self.own_headers.items():
            self.send_header(name, value)
        super().end_headers()


def main() -> None:
    """Runs the command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder")
    parser.add_argument("port", type=int, nargs="?", default=8000)
    flags = parser.parse_args()
    server = ThreadingHTTPServer(
        ("localhost", flags.port), partial(Handler, directory=flags.folder)
    )
    print(f"http://localhost:{server.server_address[1]}")
    server.serve_forever()


if __name__ == "__main__":
    main()
