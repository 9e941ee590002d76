"""`python hanging_up.py FOLDER`: a front whose workers hang up; the status, how many did."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
import threading
from pathlib import Path

import aiohttp

from lite.paddlex.service.front import Front


async def main(folder: Path) -> None:
    """One request to two such workers."""
    met = 0
    paths = [str(folder / f"worker-{k}") for k in range(2)]

    async def hang_up(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal met
        met += 1
        await reader.read(10)
        writer.close()

    servers = [await asyncio.start_unix_server(hang_up, path) for path in paths]
    listening = socket.create_server(("127.0.0.1", 0))
    front = asyncio.create_task(Front(paths).serve(listening))
    await asyncio.sleep(0.2)
    async with aiohttp.ClientSession() as session:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}/ocr"
        async with session.post(url, data=b"{}") as answer:
            print(answer.status, met)
    threading.Timer(0, os.kill, (os.getpid(), signal.SIGTERM)).start()
    await front
    for server in servers:
        server.close()


asyncio.run(main(Path(sys.argv[1])))
