"""`lite serve` and independent clients, in an environment with mlserver and tritonclient.

    client.py answers MODELS      64 clients at once, shapes mixed, bad requests among them
    client.py speed MODEL         requests a second: one client, unbatched, and 64
    client.py broken MODEL        what the server says of a model that does not load

MODELS is a folder of models that tests/serving/test_serving.py made. Prints one JSON line.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import tritonclient.grpc as grpc
import tritonclient.http as http
from tritonclient.utils import InferenceServerException, np_to_triton_dtype

import lite

CLIENTS = 64


def free_port() -> int:
    """The first of three ports that are free."""
    for port in range(18080, 28080, 3):
        with contextlib.ExitStack() as stack:
            try:
                for offset in range(3):
                    one = stack.enter_context(socket.socket())
                    one.bind(("127.0.0.1", port + offset))
            except OSError:
                continue
            return port
    raise RuntimeError("no port is free")


@contextlib.contextmanager
def server(*words: str) -> Iterator[int]:
    """`lite serve` with these words, ready; its HTTP port."""
    port = free_port()
    command = [sys.executable, "-m", "lite.tools.cli", "serve", *words, "--port", str(port)]
    with tempfile.TemporaryFile() as log, stopped(command, log) as process:
        for _ in range(600):
            if process.poll() is not None:
                log.seek(0)
                raise RuntimeError(log.read().decode()[-3000:])
            with contextlib.suppress(OSError):
                url = f"http://127.0.0.1:{port}/v2/health/ready"
                if urllib.request.urlopen(url, timeout=5).status == 200:
                    break
            time.sleep(0.1)
        yield port


@contextlib.contextmanager
def stopped(command: list[str], log: Any) -> Iterator[subprocess.Popen[bytes]]:
    """A process that is stopped at the end."""
    process = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(60)


class Grpc:
    """A client over gRPC; several threads may share it."""

    def __init__(self, port: int) -> None:
        self._client = grpc.InferenceServerClient(f"127.0.0.1:{port + 1}")

    def infer(self, model: str, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        tensors = []
        for name, array in inputs.items():
            tensor = grpc.InferInput(name, list(array.shape), np_to_triton_dtype(array.dtype))
            tensor.set_data_from_numpy(array)
            tensors.append(tensor)
        answer = self._client.infer(model, tensors)
        names = [output.name for output in answer.get_response().outputs]
        return {name: answer.as_numpy(name) for name in names}


class Http:
    """A client over HTTP, for one thread; its tensors are JSON or bytes."""

    def __init__(self, port: int, binary: bool) -> None:
        self._client = http.InferenceServerClient(f"127.0.0.1:{port}")
        self._binary = binary

    def infer(self, model: str, inputs: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
        tensors = []
        for name, array in inputs.items():
            tensor = http.InferInput(name, list(array.shape), np_to_triton_dtype(array.dtype))
            tensor.set_data_from_numpy(array, binary_data=self._binary)
            tensors.append(tensor)
        answer = self._client.infer(model, tensors)
        return {
            out["name"]: answer.as_numpy(out["name"]) for out in answer.get_response()["outputs"]
        }


def side_by_side(count: int, work: Callable[[int], None]) -> None:
    """Runs work(0) ... work(count - 1), a thread each."""
    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(300)
        assert not thread.is_alive(), "a client never got its answer"


def request(number: int, turn: int) -> tuple[str, dict[str, np.ndarray], bool]:
    """A model, inputs, and whether they make sense."""
    random = np.random.default_rng(1000 * number + turn)
    kind = (number + turn) % 4
    if kind == 0:
        columns = 5 if turn % 5 == 4 else 4
        x = random.standard_normal((1 + turn % 3, columns), np.float32)
        return "dense", {"x": x}, columns == 4
    if kind == 1:
        ids = random.integers(0, 5, (1 + turn % 4, 1))
        if turn % 4 == 3:
            ids[0, 0] = 99
        return "looked_up", {"x": ids}, turn % 4 != 3
    if kind == 2:  # as many rows as are found: another number than was asked
        return "positions", {"x": np.float32(random.random((2, 4)) < 0.3)}, True
    x = random.standard_normal((1 + turn % 2, 3, 8 + 4 * (turn % 3), 8), np.float32)
    return "conv", {"x": x}, True


def malformed(port: int) -> list[str]:
    """What the server says of binary HTTP requests that do not hold what they announce."""

    def said(length: int | str, size: object, body: bytes) -> str:
        tensor = {"name": "x", "datatype": "FP32", "shape": [1, 4]}
        head = json.dumps({"inputs": [{**tensor, "parameters": {"binary_data_size": size}}]})
        headers = {
            "Content-Type": "application/octet-stream",
            "Inference-Header-Content-Length": str(length or len(head)),
        }
        url = f"http://127.0.0.1:{port}/v2/models/dense/infer"
        request = urllib.request.Request(url, head.encode() + body, headers)
        try:
            return urllib.request.urlopen(request, timeout=30).read().decode()
        except urllib.error.HTTPError as error:
            return f"{error.code} {error.read().decode()}"

    whole = bytes(16)
    return [
        said(0, 16, whole),
        said(10**9, 16, whole),
        said("-1", 16, whole),
        said(7, 16, whole),
        said(0, 17, whole),
        said(0, -1, whole),
        said(0, "16", whole),
        said(0, 12, whole),
        said(0, 12, whole[:12]),
        said(0, 15, whole[:15]),
    ]


def answers(models: Path) -> dict[str, Any]:
    """What 64 clients get, compared with the models run right here."""
    names = ("dense", "looked_up", "positions", "conv")
    local = {name: lite.load(models / name) for name in names}
    lock = threading.Lock()
    seen = {"right": 0, "refused": 0, "wrong": [], "lost": []}
    options = ("--max-batch-size=16", "--max-delay-ms=3", "--instances=2")

    def work(number: int, port: int, shared: Grpc) -> None:
        client = shared if number % 2 else Http(port, binary=number % 4 == 0)
        for turn in range(20):
            model, inputs, sensible = request(number, turn)
            try:
                found = client.infer(model, inputs)
            except InferenceServerException as error:
                said = f"{error.status()} {error.message()}"
                with lock:
                    bad = "400" in said or "INVALID_ARGUMENT" in said
                    told = "shape" in said or "expected" in said
                    if sensible or not bad or not told:
                        seen["lost"].append(f"{model} {turn}: {said}")
                    else:
                        seen["refused"] += 1
                continue
            expected = local[model].run(inputs)
            same = sensible and all(
                found[name].shape == array.shape and np.allclose(found[name], array, atol=1e-5)
                for name, array in expected.items()
            )
            with lock:
                if same:
                    seen["right"] += 1
                else:
                    seen["wrong"].append(f"{model} {turn}")

    with server(*(f"{name}={models / name}" for name in names), *options) as port:
        metadata = http.InferenceServerClient(f"127.0.0.1:{port}").get_model_metadata("dense")
        shared = Grpc(port)
        side_by_side(CLIENTS, lambda number: work(number, port, shared))
        bad = malformed(port)
        url = f"http://127.0.0.1:{port + 2}/metrics"
        figures = urllib.request.urlopen(url, timeout=30).read().decode()
        bound = subprocess.run(["ss", "-ltn"], capture_output=True, text=True).stdout
    kept = [line for line in figures.splitlines() if line.startswith("lite_")]
    listening = [line for line in bound.splitlines() if f":{port}" in line]
    return {**seen, "metadata": metadata, "figures": kept, "malformed": bad, "listening": listening}


def speed(model: Path) -> dict[str, Any]:
    """Images a second on MobileNetV1, over gRPC."""
    x = np.random.default_rng(0).random((1, 3, 224, 224), np.float32)

    def rate(clients: int, turns: int, *options: str) -> float:
        with server(f"m={model}", "--warm-up", "x:1x3x224x224", *options) as port:
            client = Grpc(port)
            for _ in range(3):
                client.infer("m", {"x": x})
            side_by_side(clients, lambda _: [client.infer("m", {"x": x}) for _ in range(2)])
            started = time.perf_counter()
            side_by_side(clients, lambda _: [client.infer("m", {"x": x}) for _ in range(turns)])
            return clients * turns / (time.perf_counter() - started)

    cores = str(len(os.sched_getaffinity(0)))
    batched = ("--max-batch-size=8", "--max-delay-ms=2")
    return {
        "one client": rate(1, 40),
        "64 clients": rate(CLIENTS, 4),
        "64 clients, an instance a core": rate(CLIENTS, 4, f"--instances={cores}"),
        "64 clients, batched": rate(CLIENTS, 4, f"--threads={cores}", *batched),
    }


def broken(model: Path) -> dict[str, Any]:
    """The exit code and what is said."""
    command = [sys.executable, "-m", "lite.tools.cli", "serve", str(model)]
    command += ["--port", str(free_port())]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    return {"code": done.returncode, "said": done.stderr.strip().splitlines()[-1]}


if __name__ == "__main__":
    commands = {"answers": answers, "speed": speed, "broken": broken}
    print(json.dumps(commands[sys.argv[1]](Path(sys.argv[2]))))
