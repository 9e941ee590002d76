"""HALs that import the C++ helpers of Paddle Lite's libnnadapter.so, and those helpers alone."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from nnadapter.compiling import INCLUDE, LIBRARY, ROOT, compiled, undefined_symbols

import lite
from lite.errors import DeviceError
from lite.nnadapter import capi

pytestmark = pytest.mark.long

HERE = Path(__file__).parent
PACKAGE = Path(lite.__file__).parent
KIT = ["-I", str(INCLUDE)]


def build(folder: Path, name: str, *flags: str) -> Path:
    macros = [f"-DTHIN_NAME={name}", f'-DTHIN_TEXT="{name}"']
    return compiled(
        HERE / "thin_hal.cc", folder / f"lib{name}.so", [*KIT, *LIBRARY, *macros, *flags]
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("thin")
    build(folder, "thin_hal")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NNADAPTER_DEVICE_PATH", str(folder))
        yield folder


def network() -> tuple[capi.Model, list[np.ndarray]]:
    """Convolution, batch norm, activation, flatten, product and sum; its weights."""
    rng = np.random.default_rng(3)
    weights = [
        rng.standard_normal(shape).astype(np.float32)
        for shape in ((4, 3, 3, 3), (4,), (4,), (4,), (4,), (4 * 6 * 6, 5), (5,))
    ]
    weights[4] = (np.abs(weights[4]) + 0.5).astype(np.float32)
    model = capi.Model()
    x = model.tensor(np.float32, [2, 3, 6, 6])
    f, scale, shift, mean, variance, matrix, bias = (model.constant(w) for w in weights)
    ints = [model.constant(np.array(v, np.int32)) for v in ([1, 1, 1, 1], [1, 1], [1, 1])]
    zero, one = model.constant(0), model.constant(1)
    no_bias = model.constant(np.zeros(4, np.float32))
    convolution = [x, f, no_bias, zero, ints[0], ints[1], one, ints[2], zero]
    (y,) = model.operation("CONV_2D", convolution)
    (y,) = model.operation(
        "BATCH_NORMALIZATION",
        [y, scale, shift, mean, variance, model.constant(np.array([1e-5], np.float32))],
    )
    (y,) = model.operation("RELU", [y])
    (y,) = model.operation("FLATTEN", [y, model.constant(1), model.constant(3)])
    (y,) = model.operation("MAT_MUL", [y, matrix, model.constant(False), model.constant(False)])
    (y,) = model.operation("ADD", [y, bias, model.constant(0)])
    return model.finish([x], [y]), weights


def test_it_imports_what_it_needs(folder: Path) -> None:
    names = [n for n in undefined_symbols(folder / "libthin_hal.so") if "nnadapter::" in n]
    assert len(names) > 20


def test_a_thin_hal_loads_and_computes(folder: Path) -> None:
    x = np.random.default_rng(5).standard_normal((2, 3, 6, 6)).astype(np.float32)
    expected = capi.run(network()[0], ["builtin_device"], [x])
    for _ in range(2):
        (got,) = capi.run(network()[0], ["thin_hal"], [x])
        np.testing.assert_allclose(got, expected[0], rtol=1e-4, atol=1e-4)


def test_its_fatal_lines_are_errors(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(DeviceError):
        capi.Context(["thin_hal"], "THIN_FAIL=now")
    assert "told to fail: now" in capfd.readouterr().err
    with pytest.raises(DeviceError):
        capi.Context(["thin_hal"], "no pair")


def test_what_it_adds_to_the_model_runs(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("THIN_DUMMY_ADD", "1")
    test_a_thin_hal_loads_and_computes(folder)


def test_a_helper_that_is_not_there_is_named(folder: Path) -> None:
    build(folder, "thin_more", "-DTHIN_ASKS_FOR_MORE")
    with pytest.raises(DeviceError, match=r"nnadapter::PassOfAnotherRelease\(.*Model\*\)"):
        capi.Device("thin_more")


def test_the_helpers_are_opened_only_when_needed(folder: Path) -> None:
    program = (
        "import sys; from lite.nnadapter import capi; capi.Device(sys.argv[1]); "
        "print('libnnadapter_compat.so' in open('/proc/self/maps').read())"
    )
    for device, opened in (("fake_device", "False"), ("thin_hal", "True")):
        done = subprocess.run(
            [sys.executable, "-c", program, device],
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)},
        )
        assert done.stdout.strip() == opened, done.stderr


def with_helpers(source: str, folder: Path) -> Path:
    link = ["-L", str(PACKAGE), "-lnnadapter_compat", f"-Wl,-rpath,{PACKAGE}"]
    return compiled(HERE / source, folder / "helpers", ["-I", str(ROOT), *KIT, *link])


def test_each_helper_alone(tmp_path: Path) -> None:
    program = with_helpers("compat_test.cc", tmp_path)
    done = subprocess.run(
        [str(program)], capture_output=True, text=True, env={"COMPAT_FOLDER": str(tmp_path)}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    lines = done.stderr.splitlines()
    assert [line.split("] ")[1] for line in lines] == ["broken", "a warning", "shown"]
    assert lines[1].startswith("[W b.cc:3 f]")


def test_channels_become_the_last_axis(tmp_path: Path) -> None:
    program = with_helpers("layout_test.cc", tmp_path)
    done = subprocess.run([str(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
