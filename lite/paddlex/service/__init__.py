"""PaddleX's pipelines as a service of several processes: ``lite serve --pipeline``.

One process loads the pipeline and forks workers, which share its weights; a front process gives
each worker one request at a time, and to another worker where that one ended (docs/serving.md).
"""

from __future__ import annotations

import importlib.util
import socket
import threading

from lite.errors import ConfigError

NEEDED = ("paddlex", "fastapi", "uvicorn", "aiohttp")


def serve(
    pipeline: str, *, host: str, port: int, workers: int, threads: int, timeout: float
) -> int:
    """Serves a pipeline, a name of PaddleX or a YAML file, until SIGTERM or SIGINT.

    ``threads`` are of a worker's run; a worker that takes longer than ``timeout`` seconds for a
    request is replaced. Returns the exit code: 1 where the processes end as soon as
    they are started. Raises ConfigError where the pipeline or the address cannot be had.
    """
    missing = [name for name in NEEDED if importlib.util.find_spec(name) is None]
    if missing:
        raise ConfigError(
            f"{', '.join(missing)} not installed: "
            "pip install 'paddle-lite-predictor[paddlex-serving]'"
        )
    if workers < 1 or threads < 1:
        raise ConfigError("--workers and --threads are 1 or more")
    if not 0 < timeout <= threading.TIMEOUT_MAX:
        raise ConfigError(f"--timeout {timeout}: seconds, more than 0")
    listening = _listen(host, port)
    from lite.paddlex.service import app
    from lite.paddlex.service import workers as processes

    made = app.load(pipeline, threads, timeout)
    return processes.Service(listening, workers, made).run()


def _listen(host: str, port: int) -> socket.socket:
    """Before a minute of loading: the address may be taken."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=512)
    except (OSError, OverflowError) as error:
        raise ConfigError(f"{host}:{port} cannot be listened on: {error}") from None
