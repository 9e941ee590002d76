"""The process that clients talk to: it keeps each request until a worker has answered it."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import sys
import uuid
from collections.abc import Sequence
from contextlib import suppress

import aiohttp
from aiohttp import web

ATTEMPTS = 3
"""A request that ends so many workers is refused: it would end all of them in turn."""
LARGEST_BODY = 512 * 2**20
_OF_ONE_CONNECTION = frozenset(
    "connection keep-alive proxy-authenticate te trailer transfer-encoding upgrade host "
    "content-length".split()
)
_OF_REQUESTS = _OF_ONE_CONNECTION | {"content-encoding"}
"""aiohttp has decompressed them."""


class Front:
    """Gives requests to workers that listen at ``paths``, one at a time to each."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths
        self._sessions: list[aiohttp.ClientSession] = []
        self._free: asyncio.Queue[int] = asyncio.Queue()
        self._turn = 0

    async def serve(self, listening: socket.socket) -> None:
        """Until SIGTERM; then what is under way is finished."""
        for worker, path in enumerate(self._paths):
            # A connection a request: one that was kept may belong to a worker that ended.
            connector = aiohttp.UnixConnector(path, force_close=True)
            session = aiohttp.ClientSession(
                connector=connector, timeout=aiohttp.ClientTimeout(total=None),
                auto_decompress=False, cookie_jar=aiohttp.DummyCookieJar(),
            )  # fmt: skip
            self._sessions.append(session)
            self._free.put_nowait(worker)
        application = web.Application(client_max_size=LARGEST_BODY)
        application.router.add_route("*", "/{path:.*}", self._handle)
        runner = web.AppRunner(application, access_log=None)
        await runner.setup()
        await web.SockSite(runner, listening).start()
        stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, stop.set)
        await stop.wait()
        await runner.cleanup()
        for session in self._sessions:
            await session.close()

    async def _handle(self, request: web.Request) -> web.Response:
        body = await request.read()
        if request.method in ("GET", "HEAD"):  # pages and health: a worker answers beside its work
            return await self._beside(request, body)
        # A client that goes away leaves its worker at work: the worker is free after that.
        return await asyncio.shield(self._given(request, body))

    async def _given(self, request: web.Request, body: bytes) -> web.Response:
        for attempt in range(ATTEMPTS):
            worker = await self._free.get()
            try:
                return await self._ask(worker, request, body)
            except aiohttp.ClientError as error:
                said = f"lite serve: worker {worker}, try {attempt + 1}: {error}"
                print(said, file=sys.stderr, flush=True)
            finally:
                self._free.put_nowait(worker)
        return _refused(f"the request ended {ATTEMPTS} workers")

    async def _beside(self, request: web.Request, body: bytes) -> web.Response:
        for _ in range(ATTEMPTS):
            self._turn = (self._turn + 1) % len(self._paths)
            with suppress(aiohttp.ClientError):
                return await self._ask(self._turn, request, body)
        return _refused("no worker answers")

    async def _ask(self, worker: int, request: web.Request, body: bytes) -> web.Response:
        """The whole answer of a worker. Raises ClientError where it ends before that."""
        kept = {k: v for k, v in request.headers.items() if k.lower() not in _OF_REQUESTS}
        url = f"http://worker{request.rel_url}"
        session = self._sessions[worker]
        async with session.request(request.method, url, headers=kept, data=body) as answer:
            content = await answer.read()
            names = {k: v for k, v in answer.headers.items() if k.lower() not in _OF_ONE_CONNECTION}
            return web.Response(body=content, status=answer.status, headers=names)


def _refused(why: str) -> web.Response:
    """As PaddleX's own refusals look."""
    said = {"logId": str(uuid.uuid4()), "errorCode": 503, "errorMsg": why}
    return web.Response(
        status=503, text=json.dumps(said), content_type="application/json", charset="utf-8"
    )


def serve(listening: socket.socket, paths: Sequence[str]) -> None:
    """Runs the front in this process."""
    asyncio.run(Front(paths).serve(listening))
