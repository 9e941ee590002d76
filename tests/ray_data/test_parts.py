"""Parts of `lite batch` and the class for Ray Data, without Ray: neither needs it."""

from __future__ import annotations

import errno
import importlib.util
import os
import subprocess
import sys
from importlib.machinery import ModuleSpec
from pathlib import Path

import numpy as np
import pytest
from api import tiny_models
from PIL import Image

import lite
from lite.api.predictor import TensorInfo
from lite.errors import ConfigError
from lite.ray import ERROR, Predict, example
from lite.ray.images import ImageOptions
from lite.ray.job import MANIFEST, Job, Part
from lite.tools.cli import main as cli_main


@pytest.fixture
def model(tmp_path: Path) -> str:
    """A dense model: y = softmax(x @ w + b)."""
    path = tmp_path / "dense.nb"
    path.write_bytes(tiny_models.nb_bytes(tiny_models.dense()))
    return str(path)


def write_model(tmp_path: Path, name: str) -> str:
    path = tmp_path / f"{name}.nb"
    path.write_bytes(tiny_models.nb_bytes(getattr(tiny_models, name)()))
    return str(path)


def test_predict_adds_outputs(model: str) -> None:
    x = np.random.default_rng(0).random((70, 4), np.float32)
    predict = Predict(model, 2, batch_rows=16)
    found = predict({"id": np.arange(70), "x": x})
    assert list(found) == ["id", "y"]
    np.testing.assert_array_equal(found["id"], np.arange(70))
    np.testing.assert_allclose(found["y"], tiny_models.dense_result(x), atol=1e-6)


def test_columns_of_other_names_and_types(model: str) -> None:
    rows = np.empty(3, object)
    rows[:] = [[0.5] * 4, [1.0] * 4, [0.25] * 4]  # lists, as parquet gives them
    found = Predict(model, columns={"x": "features"})({"features": rows})
    x = np.array(rows.tolist(), np.float32)
    np.testing.assert_allclose(found["y"], tiny_models.dense_result(x), atol=1e-6)


def test_rows_that_fail(model: str) -> None:
    rows = np.empty(3, object)
    rows[:] = [np.zeros(4, np.float32), np.zeros(5, np.float32), np.ones(4, np.float32)]
    with pytest.raises(lite.ShapeError):
        Predict(model)({"x": rows})
    found = Predict(model, errors="column")({"x": rows})
    assert [said is None for said in found[ERROR]] == [True, False, True]
    assert "[1, 5]" in found[ERROR][1]
    assert found["y"][1] is None
    assert found["y"][0].shape == (3,)


def test_other_numbers_of_rows_stay_as_they_are(tmp_path: Path) -> None:
    x = np.array([[1, 0, 0, 0], [0, 2, 2, 0]], np.float32)
    found = Predict(write_model(tmp_path, "positions"))({"x": x})
    assert [one.tolist() for one in found["y"]] == [[[0, 0]], [[0, 1], [0, 2]]]


def test_missing_columns(model: str) -> None:
    with pytest.raises(KeyError, match="no x; it has id"):
        Predict(model)({"id": np.arange(2)})


def test_flat_values_take_the_declared_shape() -> None:
    info = TensorInfo("x", (-1, 2, 3), "float32")
    assert example(info, list(range(6))).shape == (1, 2, 3)
    assert example(TensorInfo("x", (-1, -1, 3), "float32"), list(range(6))).shape == (1, 2, 3)
    assert example(info, [[0.0] * 3] * 2).dtype == np.float32
    with pytest.raises(lite.ShapeError, match="several dimensions"):
        example(TensorInfo("x", (-1, -1, -1), "float32"), list(range(6)))
    with pytest.raises(TypeError):
        example(TensorInfo("x", (-1, 2), "int64"), [0.5, 1.5])


def images(folder: Path, count: int) -> Path:
    folder.mkdir()
    for number in range(count):
        Image.new("RGB", (9, 6), (number, 0, 255)).save(folder / f"{number:03}.png")
    return folder


def test_parts_of_images(tmp_path: Path, model: str) -> None:
    source = images(tmp_path / "in", 25)
    (source / "notes.txt").write_text("no image")
    job = Job(model, str(source), str(tmp_path / "out"), part_rows=10)
    parts = job.pending()
    assert [len(part.files) for part in parts] == [10, 10, 5]
    assert [part.number for part in parts] == [0, 1, 2]
    parts[1].output(job.output).write_bytes(b"done")
    (tmp_path / "out/.part-000002.1-ab.tmp").write_bytes(b"half")
    assert [part.number for part in job.pending()] == [0, 2]
    assert not list((tmp_path / "out").glob(".part*"))


@pytest.mark.parametrize("change", ["input", "rows", "model", "size"])
def test_another_job_is_refused(tmp_path: Path, model: str, change: str) -> None:
    source = images(tmp_path / "in", 5)
    Job(model, str(source), str(tmp_path / "out"), part_rows=2).pending()
    Job(model, str(source), str(tmp_path / "out"), part_rows=2, threads=2).pending()
    options: dict[str, object] = {"part_rows": 2}
    if change == "input":
        (source / "000.png").unlink()
    elif change == "rows":
        options["part_rows"] = 3
    elif change == "model":
        Path(model).write_bytes(Path(model).read_bytes() + b"\0")
    else:
        options["images"] = ImageOptions(size=(4, 4))
    with pytest.raises(ConfigError, match="another job"):
        Job(model, str(source), str(tmp_path / "out"), **options).pending()  # type: ignore[arg-type]


_HOLDER = """
import sys
from lite.ray.job import Job
with Job("m", "i", sys.argv[1]).alone():
    print("held", flush=True)
    sys.stdin.read()
"""


def test_two_jobs_on_one_folder(
    tmp_path: Path, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The command asks whether Ray is there before it looks at the folder; it is not used here.
    find = importlib.util.find_spec
    monkeypatch.setattr(
        "importlib.util.find_spec",
        lambda name, *_: ModuleSpec("ray", None) if name == "ray" else find(name),
    )
    output = tmp_path / "out"
    job = Job(model, str(images(tmp_path / "in", 3)), str(output))
    holder = subprocess.Popen(
        [sys.executable, "-c", _HOLDER, str(output)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )  # fmt: skip
    assert holder.stdout is not None and holder.stdout.readline() == "held\n"
    try:
        with pytest.raises(ConfigError, match=f"writes to .*out: process {holder.pid} on"):
            job.alone().__enter__()
        assert cli_main(_words(job)) == 1
        assert not (output / MANIFEST).exists(), "the other job's folder was touched"
    finally:
        holder.kill()  # the lock goes with it
        holder.communicate()
    with job.alone():
        assert len(job.pending()) == 1
    with job.alone(), pytest.raises(ConfigError, match="another job writes"):
        job.alone().__enter__()


def _words(job: Job) -> list[str]:
    return ["batch", job.model, "--input", job.source, "--output", job.output, "--size", "4x4"]


def test_a_file_system_without_locks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(file: object, how: int) -> None:
        raise OSError(errno.ENOLCK, "no locks available")

    monkeypatch.setattr("fcntl.flock", refuse)
    with (
        pytest.warns(UserWarning, match="cannot be locked"),
        Job("m", "i", str(tmp_path)).alone(),
    ):
        pass


def test_nothing_to_do(tmp_path: Path, model: str) -> None:
    with pytest.raises(FileNotFoundError, match="nowhere"):
        Job(model, str(tmp_path / "nowhere"), str(tmp_path / "out")).pending()
    (tmp_path / "empty").mkdir()
    with pytest.raises(ConfigError, match="neither parquet files nor images"):
        Job(model, str(tmp_path / "empty"), str(tmp_path / "out")).pending()


def test_a_part_there_and_back() -> None:
    import json
    from dataclasses import asdict

    part = Part(7, ("a", "b"), (1, 2))
    assert Part.of(json.dumps(asdict(part))) == part
    assert part.output("out").name == "part-000007.parquet"


def test_pixels(tmp_path: Path) -> None:
    file = images(tmp_path / "in", 3) / "002.png"
    options = ImageOptions(mean=(0.5, 0.5, 0.5), std=(0.25, 0.5, 0.5))
    sized = options.for_model(TensorInfo("x", (-1, 3, 4, 8), "float32"))
    found = sized.decode(file.read_bytes())
    assert found.shape == (1, 3, 4, 8)
    np.testing.assert_allclose(found[0, :, 0, 0], [(2 / 255 - 0.5) / 0.25, -1, 1], atol=1e-6)
    bgr = ImageOptions(size=(4, 8), mean=(0, 0, 0), std=(1, 1, 1), bgr=True)
    np.testing.assert_allclose(
        bgr.decode(file.read_bytes())[0, :, 0, 0], [1, 0, 2 / 255], atol=1e-6
    )
    with pytest.raises(OSError, match="image"):
        sized.decode(b"no image")


@pytest.mark.parametrize(
    ("shape", "part"), [((-1, 4), "takes no images"), ((-1, 3, -1, -1), "give --size")]
)
def test_models_that_take_no_images(shape: tuple[int, ...], part: str) -> None:
    with pytest.raises(ConfigError, match=part):
        ImageOptions().for_model(TensorInfo("x", shape, "float32"))
