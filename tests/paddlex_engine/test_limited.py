"""A request that never returns ends its worker, and the worker says where it was."""

from __future__ import annotations

import subprocess
from pathlib import Path

from client_environments import client_env

_SCRIPT = """
import asyncio, sys, time
from lite.paddlex.service.limited import Limited

async def application(scope, receive, send):
    if scope["path"] == "/stuck":
        stuck()
    await send(scope["path"])

def stuck():
    time.sleep(60)

async def main():
    async def send(path):
        print(path, flush=True)
    served = Limited(application, 0.5)
    for path in sys.argv[1:]:
        method = "GET" if path == "/health" else "POST"
        await served({"method": method, "path": path}, None, send)
        await asyncio.sleep(0.7)

asyncio.run(main())
"""


def run(python: Path, *paths: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [python, "-c", _SCRIPT, *paths], capture_output=True, text=True, timeout=60,
        cwd=python.parent, env=client_env(),
    )  # fmt: skip


def test_a_request_that_is_answered_ends_nothing(python: Path) -> None:
    done = run(python, "/health", "/page", "/page")
    assert (done.returncode, done.stdout.split()) == (0, ["/health", "/page", "/page"])


def test_one_that_takes_longer_ends_its_process_and_says_where_it_was(python: Path) -> None:
    done = run(python, "/page", "/stuck", "/page")
    assert (done.returncode, done.stdout.split()) == (1, ["/page"])
    assert "Timeout" in done.stderr and "in stuck" in done.stderr
