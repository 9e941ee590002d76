"""The HAL kit: headers only, clean under two compilers, its passes checked under sanitizers."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from nnadapter.compiling import (
    COMPILERS,
    INCLUDE,
    LIBRARY,
    ROOT,
    SANITIZED,
    compiled,
    undefined_symbols,
)

import lite.nnadapter
from lite.nnadapter import capi

HERE = Path(__file__).parent
HEADERS = sorted(str(p.relative_to(INCLUDE)) for p in INCLUDE.glob("nnadapter/**/*.h"))
KIT = ["-I", str(INCLUDE)]
FAKE = ROOT / "lite/nnadapter/driver/fake_device"


def test_every_header_stands_alone(tmp_path: Path) -> None:
    for header in HEADERS:
        source = tmp_path / "one.cc"
        source.write_text(f'#include "{header}"\n')
        compiled(source, tmp_path / "one.o", [*KIT, "-fsyntax-only"])


def test_the_whole_kit_in_two_translation_units(tmp_path: Path) -> None:
    for name, text in (("a", ""), ("b", "int main() { return 0; }\n")):
        (tmp_path / f"{name}.cc").write_text('#include "nnadapter/hal/hal.h"\n' + text)
        compiled(tmp_path / f"{name}.cc", tmp_path / f"{name}.o", [*KIT, "-c"])
    objects = [str(tmp_path / "a.o"), str(tmp_path / "b.o")]
    subprocess.run(["g++", *objects, "-o", str(tmp_path / "both")], check=True)


def test_passes_keep_what_a_model_computes(tmp_path: Path) -> None:
    program = compiled(HERE / "passes_test.cc", tmp_path / "passes", [*KIT, *SANITIZED])
    done = subprocess.run([str(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("compiler", COMPILERS)
def test_a_hal_needs_nothing_of_the_runtime(compiler: str, tmp_path: Path) -> None:
    library = compiled(
        FAKE / "fake_device.cc", tmp_path / "libfake_device.so", [*KIT, *LIBRARY], compiler
    )
    names = undefined_symbols(library)
    assert names  # the C++ library's
    assert [n for n in names if "nnadapter" in n.lower()] == []


def test_fake_device_stays_a_template() -> None:
    lines = sum(len(path.read_text().splitlines()) for path in FAKE.iterdir())
    assert lines <= 300


def test_reasons_of_a_driver_reach_the_caller() -> None:
    model = capi.Model()
    x = model.tensor(np.float32, [2, 3])
    (y,) = model.operation("EXP", [x])
    (z,) = model.operation("RELU", [y])
    model.finish([x], [z])
    with capi.Context(["fake_device"]) as context:
        assert model.refusals(context) == ["not among the operations of this device", ""]
    with capi.Context(["fake_device", "builtin_device"]) as context:
        assert model.refusals(context) == ["", ""]


def test_reasons_of_a_python_device_reach_the_caller() -> None:
    class Picky(lite.nnadapter.Hal):
        def supports(self, op: Any) -> bool | str:
            return op.type == "RELU" or f"no {op.type} today"

        def build(self, model: Any) -> None:
            raise NotImplementedError

        def run(self, inputs: Any) -> Any:
            raise NotImplementedError

    lite.nnadapter.register("kit_picky", Picky)
    try:
        model = capi.Model()
        x = model.tensor(np.float32, [2, 3])
        (y,) = model.operation("RELU", [x])
        (z,) = model.operation("EXP", [y])
        model.finish([x], [z])
        with capi.Context(["kit_picky"]) as context:
            assert model.refusals(context) == ["", "no EXP today"]
        with capi.Context(["kit_picky", "fake_device"]) as context:
            both = "kit_picky: no EXP today; fake_device: not among the operations of this device"
            assert model.refusals(context) == ["", both]
    finally:
        lite.nnadapter.unregister("kit_picky")


def test_fake_device_survives_damaged_caches_under_sanitizers(tmp_path: Path) -> None:
    flags = [*KIT, "-I", str(ROOT), *SANITIZED]
    program = compiled(HERE / "fake_device_fuzz.cc", tmp_path / "fuzz", flags)
    done = subprocess.run([str(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]
