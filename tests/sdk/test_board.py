"""What lite build made for Rockchip's NPUs runs in C++, by a librknnrt.so that is a stand-in."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import lite
import lite.nnadapter as nna
from lite.api.artifact import build_artifact
from lite.api.build import Source
from lite.api.devices import DeviceOptions
from lite.api.quantize import quantize_artifact
from lite.nnadapter.devices import ensure_devices
from lite.nnadapter.driver.compiled import toolkit_hal
from lite.nnadapter.driver.rockchip_rknpu2 import device
from lite.nnadapter.model import Model

from . import example_models as models
from .conftest import ROOT, compiled, emulator, sdk

DEVICE = "rockchip_rknpu2"
SHAPES = ((1, 3, 24, 24), (2, 3, 16, 32))
HEADERS = ROOT / "lite" / "nnadapter"

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(not HEADERS.joinpath("include").exists(), reason="of the tree"),
]


class Fake(device.RknnHal):
    """Its toolkit is ONNX Runtime; what it compiles is what the stand-in runs."""

    toolkit = replace(device.TOOLKIT, package="numpy", tool=ROOT / "tests" / "npu" / "fake_tool.py")
    naive_buffer: ClassVar[bytes]
    fault: ClassVar[str] = "none"
    _dims = ""

    def version(self) -> str:
        return f"rknn-toolkit2 2.5.0 {self._wanted()}"

    def build(self, model: Model) -> None:
        self._dims = ",".join(map(str, model.inputs[0].shape))
        super().build(model)

    def _build(self) -> None:
        super()._build()
        self._binary = f"RKNN {self.fault} {self._dims}\n".encode() + self.naive_buffer


Make = Callable[..., Path]


@pytest.fixture
def make(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Make]:
    """make(fault, properties): an artefact of a classifier."""
    monkeypatch.setenv("ROCKCHIP_RKNPU2_PYTHON", sys.executable)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = models.save_folder(models.classifier(), tmp_path / "model")
    Fake.naive_buffer = Path(
        Source(str(folder)).save_naive_buffer(str(tmp_path / "cpu"))
    ).read_bytes()
    nna.register(DEVICE, Fake)

    def made(fault: str = "none", properties: str = "") -> Path:
        monkeypatch.setattr(Fake, "fault", fault)
        source = Source(str(folder), devices=DeviceOptions((DEVICE,), properties))
        built = tmp_path / f"built_{fault}"
        build_artifact(source, [{"image": (numbers(shape), [])} for shape in SHAPES], built)
        return built

    yield made
    nna.unregister(DEVICE)
    for worker in toolkit_hal._workers.values():
        worker.stop()


@pytest.fixture(scope="session")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the example and the stand-in."""
    folder = tmp_path_factory.mktemp("board")
    compiled(folder / "board", [ROOT / "examples" / "cpp" / "board.cc"], *sdk("--libs", "light"))
    compiled(
        folder / "librknnrt.so", [Path(__file__).with_name("stand_in_rknnrt.cc")],
        "-shared", "-fPIC", f"-I{HEADERS / 'driver' / DEVICE}", *sdk("--libs", "light"),
    )  # fmt: skip
    return folder


def numbers(shape: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(sum(shape)).standard_normal(shape, np.float32)


def run(
    board: Path,
    built: Path,
    shape: tuple[int, ...],
    properties: str = "",
    *more: str,
    **environment: str,
) -> subprocess.CompletedProcess[str]:
    """The example, on a board: no toolkit, and the runtime that the environment names."""
    numbers(shape).tofile(built.parent / "x.bin")
    words = [built, DEVICE, properties, built.parent / "x.bin", ",".join(map(str, shape)), *more]
    runtime = {"ROCKCHIP_RKNPU2_RUNTIME": str(board / "librknnrt.so")}
    return subprocess.run(
        [*emulator(), str(board / "board"), *map(str, words)],
        env={**os.environ, **runtime, **environment},
        capture_output=True,
        text=True,
    )  # fmt: skip


def read(done: subprocess.CompletedProcess[str]) -> tuple[dict[str, Any], np.ndarray]:
    """How the only subgraph was compiled, and the numbers."""
    assert done.returncode == 0, done.stderr
    _milliseconds, placement, *values = done.stdout.splitlines()
    (subgraph,) = json.loads(placement)["subgraphs"]
    (outcome,) = subgraph["outcomes"]
    return outcome, np.array(values, np.float32)


def expected(built: Path, shape: tuple[int, ...]) -> np.ndarray:
    (values,) = lite.load(built.parent / "model").run([numbers(shape)]).values()
    return values.ravel()


def test_a_board_runs_what_was_built(board: Path, make: Make) -> None:
    built = make()
    for shape in SHAPES:
        done = run(board, built, shape)
        outcome, found = read(done)
        assert not done.stderr
        assert outcome["devices"] == [DEVICE] and outcome["runtime"]["from_cache"]
        np.testing.assert_allclose(found, expected(built, shape), rtol=0, atol=1e-5)


def test_a_board_runs_int8(board: Path, make: Make, tmp_path: Path) -> None:
    make()
    source = Source(str(tmp_path / "model"), devices=DeviceOptions((DEVICE,)))
    sets = [{"image": (numbers(shape), [])} for shape in SHAPES]
    built = tmp_path / "int8"
    made = quantize_artifact(source, sets, sets, built)
    assert made.quantization is not None and made.quantization.kept
    outcome, found = read(run(board, built, SHAPES[1], made.properties))
    assert outcome["devices"] == [DEVICE] and outcome["runtime"]["from_cache"]
    np.testing.assert_allclose(found, expected(built, SHAPES[1]), rtol=0, atol=1e-5)


def test_cores(board: Path, make: Make) -> None:
    built = make()
    done = run(board, built, SHAPES[0], ROCKCHIP_RKNPU2_CORE_MASK="0_1_2")
    assert done.stderr == "librknnrt: cores 7\n"
    done = run(board, built, SHAPES[0], ROCKCHIP_RKNPU2_CORE_MASK="3")
    assert "expected auto, 0, 1, 2, 0_1, 0_1_2 or all" in done.stderr


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("platform", "rknn_init returns -13, RKNN_ERR_TARGET_PLATFORM_UNMATCH"),
        ("run", "rknn_run returns -2, RKNN_ERR_TIMEOUT"),
        ("elements", "elements on the board, not"),
    ],
)
def test_what_fails_on_the_board(board: Path, make: Make, fault: str, said: str) -> None:
    """Is said, and runs on the CPU or is an error; nothing is lost."""
    built = make(fault)
    done = run(board, built, SHAPES[0])
    assert said in done.stderr and "leaked" not in done.stderr
    assert done.returncode in (0, 1), done.stderr
    if done.returncode == 0:
        outcome, found = read(done)
        assert outcome["devices"] == ["builtin_device"]
        np.testing.assert_allclose(found, expected(built, SHAPES[0]), rtol=0, atol=1e-5)


def test_shapes_and_chips_that_were_not_compiled_run_on_the_cpu(board: Path, make: Make) -> None:
    """Whose programs do not fill the board."""
    built = make()
    files = sorted(built.iterdir())
    for shape, properties, said in (
        ((1, 3, 20, 20), "", "lite build names the shapes"),
        (SHAPES[0], "ROCKCHIP_RKNPU2_TARGET_PLATFORM=rk3576;", "lite build names the shapes"),
    ):
        outcome, found = read(run(board, built, shape, properties))
        assert outcome["devices"] == ["builtin_device"]
        assert said in outcome["failed"][0]["error"]
        np.testing.assert_allclose(found, expected(built, shape), rtol=0, atol=1e-5)
    assert sorted(built.iterdir()) == files


def test_a_smaller_batch_is_padded(board: Path, make: Make) -> None:
    built = make()
    done = run(board, built, (1, 3, 16, 32), "", "image:0", "1,3,24,24", "2,3,16,32")
    assert '"padded_runs": 2, "padding": 0.5' in done.stdout
    outcome, found = read(done)
    assert outcome["devices"] == [DEVICE] and outcome["runtime"]["from_cache"]
    np.testing.assert_allclose(found, expected(built, (1, 3, 16, 32)), rtol=0, atol=1e-5)


def test_no_runtime(board: Path, make: Make) -> None:
    done = run(board, make(), SHAPES[0], ROCKCHIP_RKNPU2_RUNTIME="libnowhere.so")
    assert "Rockchip's runtime cannot be loaded: libnowhere.so" in done.stdout + done.stderr


def test_damaged_programs(board: Path, make: Make) -> None:
    """End where they end."""
    built = make()
    (path, *_) = built.glob("*.nnc")
    whole = path.read_bytes()
    for size in (len(whole) // 2, len(whole) - 9, 100, 0):
        path.write_bytes(whole[:size])
        done = run(board, built, SHAPES[0])
        assert done.returncode == 0, done.stderr


def test_python_on_a_board(board: Path, make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the toolkit and rknn-toolkit-lite2 the library is the device."""
    built = make()
    nna.unregister(DEVICE)
    monkeypatch.delenv("ROCKCHIP_RKNPU2_PYTHON")
    monkeypatch.setenv("XDG_DATA_HOME", str(built))
    monkeypatch.setenv("ROCKCHIP_RKNPU2_RUNTIME", str(board / "librknnrt.so"))
    options = DeviceOptions((DEVICE,), cache_dir=str(built), strict=True)
    predictor = lite.load(built / "model.nb", devices=options)
    for shape in SHAPES:
        (found,) = predictor.run([numbers(shape)]).values()
        np.testing.assert_allclose(found.ravel(), expected(built, shape), rtol=0, atol=1e-5)
    assert predictor.placement().subgraphs[0].cache_hit
    assert DEVICE not in nna.registered()
    ensure_devices([DEVICE])
    assert DEVICE not in nna.registered()
    monkeypatch.delenv("ROCKCHIP_RKNPU2_RUNTIME")
    ensure_devices([DEVICE])
    assert DEVICE in nna.registered()
    nna.unregister(DEVICE)
    nna.register(DEVICE, Fake)  # the fixture's
