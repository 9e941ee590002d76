"""Ray Data and `lite batch` by Ray itself. Needs LITE_TEST_CLIENTS (see client_environments)."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from api import tiny_models
from client_environments import client_env, client_python, declared, run_client
from PIL import Image

from lite.model.save import write_protobuf_dir

HERE = Path(__file__).parent
IMAGES = 400


@pytest.fixture(scope="module")
def python() -> Path:
    return client_python("ray", *declared("ray"))


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("ray")


@pytest.fixture(scope="module")
def pictures(scratch: Path) -> Path:
    """Images, and one file that is none."""
    folder = scratch / "pictures"
    folder.mkdir()
    random = np.random.default_rng(0)
    for number in range(IMAGES - 1):
        pixels = random.integers(0, 255, (40, 50, 3), np.uint8)
        Image.fromarray(pixels).save(folder / f"{number:04}.png")
    (folder / "broken.png").write_bytes(b"no image")
    return folder


@pytest.fixture(scope="module")
def network(scratch: Path) -> str:
    """A network of images that takes a while."""
    write_protobuf_dir(tiny_models.convolved(64), str(scratch / "network"))
    return str(scratch / "network")


@pytest.fixture(scope="module")
def dense(scratch: Path) -> str:
    write_protobuf_dir(tiny_models.dense(), str(scratch / "dense"))
    return str(scratch / "dense")


def ask(python: Path, *words: str | Path) -> Any:
    """The JSON that client.py prints last."""
    return json.loads(run_client(python, HERE / "client.py", *words).splitlines()[-1])


def batch(python: Path, *words: str | Path) -> subprocess.Popen[str]:
    """A `lite batch` that has been started."""
    command = [python, "-m", "lite.tools.cli", "batch", *words]
    return subprocess.Popen(
        [str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env=client_env(), cwd=python.parent, start_new_session=True,
    )  # fmt: skip


def finish(job: subprocess.Popen[str]) -> str:
    """What it prints; it must end well but for rows that fail."""
    out, err = job.communicate(timeout=300)
    assert job.returncode in (0, 1), err[-3000:]
    return out


def test_map_batches(python: Path, dense: str) -> None:
    found = ask(python, "dataset", dense)
    assert found["ids"] == list(range(1000))
    x = np.random.default_rng(0).random((1000, 4), np.float32)
    np.testing.assert_allclose(found["y"], tiny_models.dense_result(x), atol=1e-6)


def test_parquet(python: Path, dense: str, scratch: Path) -> None:
    source, output = scratch / "rows.parquet", scratch / "rows"
    ask(python, "parquet", source, "500")
    words = [dense, "--input", source, "--output", output, "--part-rows=120"]
    said = finish(batch(python, *words, "--column", "x=features"))
    assert "500 rows in 4 parts, 0 failed" in said
    found = ask(python, "rows", output)
    assert found["id"] == list(range(500))
    assert set(found) == {"id", "error", "y", "y.shape"}
    x = np.random.default_rng(1).random((500, 4)).astype(np.float32)
    np.testing.assert_allclose(found["y"], tiny_models.dense_result(x), atol=1e-6)
    assert "4 of 4 parts are there already" in finish(
        batch(python, *words, "--column", "x=features")
    )


def half_written(output: Path) -> Path:
    """A part that a worker is writing, as soon as there is one and another is complete."""
    for _ in range(6000):
        if list(output.glob("part-*.parquet")):
            for file in output.glob(".part-*.tmp"):
                return file
        time.sleep(0.01)
    pytest.fail("no worker wrote a part in a minute")


def test_a_killed_worker_loses_and_doubles_nothing(
    python: Path, network: str, pictures: Path, scratch: Path
) -> None:
    output = scratch / "killed"
    words = [network, "--input", pictures, "--output", output]
    job = batch(python, *words, "--part-rows=20", "--batch-rows=4", "--size=64x64", "--workers=2")
    worker = int(half_written(output).name.split(".")[2].split("-")[0])
    os.kill(worker, signal.SIGKILL)  # its number is in the name of what it writes
    assert f"{IMAGES} rows in 20 parts, 1 failed" in finish(job)
    check(python, output, pictures)


def test_a_killed_job_goes_on_where_it_was(
    python: Path, network: str, pictures: Path, scratch: Path
) -> None:
    output = scratch / "stopped"
    words = [network, "--input", pictures, "--output", output]
    words += ["--part-rows=20", "--batch-rows=4", "--size=64x64", "--workers=2"]
    job = batch(python, *words)
    half_written(output)
    os.killpg(job.pid, signal.SIGKILL)
    job.communicate()
    before = {file: file.stat().st_mtime_ns for file in output.glob("part-*.parquet")}
    assert 0 < len(before) < 20
    assert "of 20 parts are there already" in finish(batch(python, *words))
    assert all(file.stat().st_mtime_ns == time for file, time in before.items())
    check(python, output, pictures)


def check(python: Path, output: Path, pictures: Path) -> None:
    """Every image has one row; only the broken one has an error."""
    found = ask(python, "rows", output)
    assert found["path"] == [str(file) for file in sorted(pictures.iterdir())]
    failed = [path for path, error in zip(found["path"], found["error"], strict=True) if error]
    assert [Path(path).name for path in failed] == ["broken.png"]
    assert sum(y is None for y in found["y"]) == 1
    assert not list(output.glob(".part*"))


def test_a_cluster_of_four(python: Path, network: str, pictures: Path, scratch: Path) -> None:
    found = ask(python, "cluster", network, pictures, scratch / "cluster")
    print(found, file=sys.stderr)
    assert found["1"]["rows"] == found["4"]["rows"] == IMAGES
    assert found["4"]["nodes"] == 4
