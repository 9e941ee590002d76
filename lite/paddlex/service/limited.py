"""A time limit for requests, which holds where a run never returns."""

from __future__ import annotations

import faulthandler
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

_Message = MutableMapping[str, Any]
_Receive = Callable[[], Awaitable[_Message]]
_Send = Callable[[_Message], Awaitable[None]]
Application = Callable[[_Message, _Receive, _Send], Awaitable[None]]


class Limited:
    """An ASGI application that ends its process where a request takes longer than ``seconds``.

    What every thread was at is written to stderr. Of requests that need a run, one at a time may
    come, which is how the front gives them.
    """

    def __init__(self, application: Application, seconds: float) -> None:
        self._application, self._seconds = application, seconds

    async def __call__(self, scope: _Message, receive: _Receive, send: _Send) -> None:
        """Answers a request."""
        if scope.get("method", "GET") in ("GET", "HEAD"):  # pages and health, beside the work
            return await self._application(scope, receive, send)
        # A thread of its own, which waits for no lock of Python's.
        faulthandler.dump_traceback_later(self._seconds, exit=True)
        try:
            await self._application(scope, receive, send)
        finally:
            faulthandler.cancel_dump_traceback_later()
