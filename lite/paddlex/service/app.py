"""A pipeline's web application, as PaddleX makes it."""

from __future__ import annotations

import gc
import socket
from collections.abc import Callable

import uvicorn
from paddlex.inference.serving.basic_serving import create_pipeline_app

from lite.paddlex.engine import warm_up
from lite.paddlex.pipeline import create
from lite.paddlex.service.limited import Limited


def load(pipeline: str, threads: int, timeout: float) -> Callable[[socket.socket], None]:
    """Loads a pipeline; what it returns serves it on a listening socket, in this process or a fork.

    A request that takes longer than ``timeout`` seconds ends the process that serves. Weights are
    packed here, so that forks share them. Raises ConfigError.
    """
    made, config = create(pipeline, threads)
    warm_up()
    gc.collect()
    gc.freeze()  # objects that a fork only reads stay on shared pages

    def serve(listening: socket.socket) -> None:
        limited = Limited(create_pipeline_app(made, config), timeout)
        settings = uvicorn.Config(limited, log_level="warning")
        uvicorn.Server(settings).run(sockets=[listening])

    return serve
