"""A client of `lite serve --pipeline`: pages as requests, and what the service's processes take."""

from __future__ import annotations

import base64
import io
import json
import re
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from client_environments import client_env
from PIL import Image


class Service:
    """A running service."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process, self.address = process, address

    def ask(self, page: np.ndarray) -> Any:
        """The result for one page [height, width, 3]."""
        encoded = io.BytesIO()
        Image.fromarray(page[:, :, ::-1]).save(encoded, "PNG")  # pages are BGR for PaddleX
        file = base64.b64encode(encoded.getvalue()).decode()
        return self.post({"file": file, "fileType": 1, "visualize": False})["result"]

    def post(self, message: Any) -> Any:
        """The JSON that it answers. Raises HTTPError."""
        data, kind = json.dumps(message).encode(), {"Content-Type": "application/json"}
        request = urllib.request.Request(f"{self.address}/ocr", data, kind)
        with urllib.request.urlopen(request, timeout=300) as answer:
            return json.load(answer)

    def children(self) -> list[int]:
        """Its workers, and the front as the last, in the order in which they were started."""
        pid = self.process.pid
        found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return sorted(map(int, found))


@contextmanager
def running(python: Path, file: Path, workers: int, env: Mapping[str, str]) -> Iterator[Service]:
    """The service of a pipeline's YAML; it must end with 0 when it is told to."""
    words = ["serve", "--pipeline", file, "--workers", str(workers), "--port", "0"]
    process = subprocess.Popen(
        [python, "-m", "lite.tools.cli", *words], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        text=True, cwd=python.parent, env=client_env(env),
    )  # fmt: skip
    said = ""
    try:
        assert process.stdout is not None
        for line in process.stdout:
            said += line
            if found := re.search(r"workers behind (http://\S+)", line):
                yield Service(process, found[1])
                break
        else:
            raise AssertionError(said)
        process.send_signal(signal.SIGTERM)
        said += process.communicate(timeout=60)[0]
        assert process.returncode == 0, said
    finally:
        process.kill()


def wait_for_end(pids: list[int], seconds: float = 20) -> None:
    """Until none of these processes is there."""
    limit = time.monotonic() + seconds
    while any(Path(f"/proc/{pid}/stat").exists() for pid in pids):
        assert time.monotonic() < limit, pids
        time.sleep(0.1)
