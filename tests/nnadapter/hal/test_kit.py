"""The HAL kit: headers only, clean under two compilers, its passes checked under sanitizers."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
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

import lite
import lite.nnadapter
from lite.api.devices import DeviceOptions
from lite.errors import DeviceError
from lite.nnadapter import capi
from lite.nnadapter.types import ResultCode

pytestmark = pytest.mark.long

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


@pytest.mark.sanitized
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


@pytest.mark.sanitized
def test_fake_device_survives_damaged_caches(tmp_path: Path) -> None:
    flags = [*KIT, "-I", str(ROOT), *SANITIZED]
    program = compiled(HERE / "fake_device_fuzz.cc", tmp_path / "fuzz", flags)
    done = subprocess.run([str(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr[-2000:]


FAULTY = r"""
#include <stdexcept>
#include "nnadapter/hal/hal.h"
namespace core = nnadapter::core;
namespace hal = nnadapter::hal;

struct Faulty : hal::Backend {
  std::string fault;
  explicit Faulty(const hal::Properties& properties) : fault(properties.Get("FAULT", "")) {
    if (fault == "create_context") throw std::runtime_error("no board");
  }
  struct Program : hal::Program {
    std::string fault;
    void Run(const std::vector<hal::Tensor>&, hal::Outputs&) override {
      if (fault == "long") {
        std::string text("xx");  // so that the limit cuts a character of two bytes
        for (int i = 0; i < 5000; ++i) text += "\xc3\xa9";
        throw std::runtime_error(text);
      }
      if (fault == "dims") throw hal::InvalidDimensions("made for 4 rows");
      if (fault == "fan") throw hal::DeviceFailure("the fan stopped");
    }
  };
  std::string Supports(const core::Operation&) override { return ""; }
  std::unique_ptr<hal::Program> Build(core::Model&) override {
    if (fault == "create_program") throw hal::NotSupported("too deep");
    auto program = std::make_unique<Program>();
    program->fault = fault;
    return program;
  }
};
NNADAPTER_REGISTER_HAL(kit_faulty, "V", NNADAPTER_ACCELERATOR, Faulty)
"""


@pytest.fixture(scope="module")
def faulty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A device of the kit that fails as its property says."""
    folder = tmp_path_factory.mktemp("faulty")
    (folder / "faulty.cc").write_text(FAULTY)
    compiled(folder / "faulty.cc", folder / "libkit_faulty.so", [*KIT, *LIBRARY])
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NNADAPTER_DEVICE_PATH", str(folder))
        yield "kit_faulty"


@pytest.mark.parametrize(
    ("fault", "code", "text"),
    [
        ("create_context", ResultCode.DEVICE_INTERNAL_ERROR, "create_context .*: no board$"),
        ("create_program", ResultCode.FEATURE_NOT_SUPPORTED, "create_program .*: too deep$"),
        ("dims", ResultCode.INVALID_DIMENSIONS, "execute_program .*: made for 4 rows$"),
        ("fan", ResultCode.DEVICE_INTERNAL_ERROR, "execute_program .*: the fan stopped$"),
        ("none", ResultCode.DEVICE_INTERNAL_ERROR, ": the program computed nothing for output 0$"),
        ("long", ResultCode.DEVICE_INTERNAL_ERROR, "execute_program .*: xxé{100,}"),
    ],
)
def test_the_text_of_an_exception_reaches_the_caller(
    faulty: str, fault: str, code: ResultCode, text: str
) -> None:
    model = capi.Model()
    x = model.tensor(np.float32, [2])
    (y,) = model.operation("RELU", [x])
    model.finish([x], [y])
    for _ in range(2):
        with pytest.raises(DeviceError) as raised:
            capi.run(model, [faulty], [np.zeros(2, np.float32)], f"FAULT={fault}")
        assert raised.value.code == code  # type: ignore[attr-defined]
        assert re.search(f"device {faulty}: .*{text}", str(raised.value))


def test_the_text_reaches_the_user_of_a_predictor(faulty: str) -> None:
    model = ROOT / "tests/model/data/conv.pdmodel"
    for fault, text in (("fan", "the fan stopped"), ("long", "xxéé")):
        options = DeviceOptions(names=[faulty], properties=f"FAULT={fault}")
        predictor = lite.load(str(model), devices=options)
        with pytest.raises(DeviceError, match=text):
            predictor.run([np.zeros((1, 3, 8, 8), np.float32)])
