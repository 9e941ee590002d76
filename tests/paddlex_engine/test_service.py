"""`lite serve --pipeline`: the pipeline's own answers, from processes that may be killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
import urllib.error
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from client_environments import client_env, run_client
from paddlex_environments import quiet
from pages import write_pages
from service_client import Service, running, wait_for_end

HERE = Path(__file__).parent
pytestmark = pytest.mark.models


@pytest.fixture(scope="module")
def pages(scratch: Path) -> Path:
    return write_pages(scratch / "served", 3)


@pytest.fixture(scope="module")
def expected(python: Path, file: Path, pages: Path, scratch: Path) -> list[Any]:
    """What the pipeline says in one process."""
    printed = run_client(python, HERE / "pipelines.py", "read", file, pages, env=quiet(scratch))
    return [kept(one) for one in json.loads(printed.splitlines()[-1])]


def kept(result: Any) -> Any:
    """What is compared of a page's result."""
    return [result[name] for name in ("rec_texts", "rec_scores", "rec_polys")]


def answer(service: Service, page: np.ndarray) -> Any:
    return kept(service.ask(page)["ocrResults"][0]["prunedResult"])


def test_workers_that_are_killed_lose_no_request(
    python: Path, file: Path, pages: Path, expected: list[Any], scratch: Path
) -> None:
    images = [np.load(path) for path in sorted(pages.glob("*.npy"))]
    with running(python, file, 4, quiet(scratch)) as service:
        before = service.children()
        assert len(before) == 5
        with ThreadPoolExecutor(8) as pool:
            answers = [pool.submit(answer, service, images[at % 3]) for at in range(60)]
            for victim in before[1:3]:
                time.sleep(1)
                os.kill(victim, signal.SIGKILL)
            for at, found in enumerate(answers):
                assert found.result() == expected[at % 3]
        after = service.children()
        assert len(after) == 5 and set(before) - set(after) == set(before[1:3])
        with pytest.raises(urllib.error.HTTPError) as refused:
            service.post({"file": "no picture"})
        assert refused.value.code == 422
    wait_for_end(after)


def test_workers_share_packed_weights(python: Path, folders: Path, scratch: Path) -> None:
    script, model = HERE / "forked_weights.py", folders / "PP-OCRv5_mobile_rec"
    apart, shared, weights = map(int, run_client(python, script, model, env=quiet(scratch)).split())
    assert apart - shared > 0.8 * weights, f"{apart} and {shared} kB of {weights}"


def test_finishes_what_is_under_way(
    python: Path, file: Path, pages: Path, expected: list[Any], scratch: Path
) -> None:
    images = [np.load(path) for path in sorted(pages.glob("*.npy"))]
    with ThreadPoolExecutor(8) as pool:
        with running(python, file, 2, quiet(scratch)) as service:
            answers = [pool.submit(answer, service, images[at % 3]) for at in range(8)]
            while not any(one.done() for one in answers):
                time.sleep(0.01)
        for at, found in enumerate(answers):
            assert found.result() == expected[at % 3]


def test_ends_with_its_first_process(python: Path, file: Path, scratch: Path) -> None:
    with pytest.raises(AssertionError), running(python, file, 2, quiet(scratch)) as service:
        children = service.children()
        service.process.kill()
    assert len(children) == 3
    wait_for_end(children)


def test_a_request_that_ends_workers_is_refused(python: Path, scratch: Path) -> None:
    """Workers here are sockets that hang up."""
    folder = scratch / "hanging_up"
    folder.mkdir()
    script = HERE / "hanging_up.py"
    assert run_client(python, script, folder).split() == ["503", "3"]


@pytest.mark.parametrize("word", ["no_such_pipeline", "no_such.yaml"])
def test_a_pipeline_that_is_not_there(python: Path, scratch: Path, word: str) -> None:
    said = refusal(python, scratch, "--pipeline", word, "--port", "0")
    assert word in said


def test_an_address_that_is_taken(python: Path, file: Path, scratch: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert port in refusal(python, scratch, "--pipeline", str(file), "--port", port)


def test_models_and_a_pipeline_are_too_much(python: Path, scratch: Path) -> None:
    assert "--pipeline" in refusal(python, scratch, "model.nb", "--pipeline", "OCR")


@pytest.mark.parametrize(
    "words",
    [
        ("--pipeline", "OCR", "--instances", "2"),
        ("--pipeline", "OCR", "--max-batch-size", "4"),
        ("--pipeline", "OCR", "--triton-repository", "here"),
        ("--pipeline", "OCR", "--timeout", "0"),
        ("--pipeline", "OCR", "--timeout", "nan"),
        ("model.nb", "--workers", "2"),
    ],
)
def test_options_without_effect_are_refused(
    python: Path, scratch: Path, words: tuple[str, ...]
) -> None:
    assert words[-2] in refusal(python, scratch, *words)


def refusal(python: Path, scratch: Path, *words: str) -> str:
    """What it says where it does not start."""
    done = subprocess.run(
        [python, "-m", "lite.tools.cli", "serve", *words],
        capture_output=True, text=True, timeout=120, cwd=python.parent,
        env=client_env(quiet(scratch)),
    )  # fmt: skip
    assert done.returncode == 1
    assert "Traceback" not in done.stderr
    return done.stderr
