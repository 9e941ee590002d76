"""The device `sophgo_tpu`: compiles for Sophgo's TPUs by tpu-mlir, runs its simulator (cmodel).

On a board, where there is no toolkit, SAIL runs what `lite build` made. Computes in fp16, the small
chips in bf16.
Properties, or environment variables of the same names: SOPHGO_TPU_CHIP, bm1684x unless set;
SOPHGO_TPU_PYTHON, an interpreter that has the toolkit, where `lite device setup sophgo_tpu` did not
make one.
"""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

from lite.errors import DeviceError
from lite.nnadapter.driver.compiled import Limits, Toolkit, ToolkitHal
from lite.nnadapter.driver.compiled.toolkit_hal import Board
from lite.nnadapter.driver.environment import setting
from lite.nnadapter.driver.sophgo_tpu.graph import SophgoGraph

CHIPS = {
    "bm1684x": "F16",
    "bm1688": "F16",
    "cv186x": "F16",
    "cv184x": "BF16",
    "cv181x": "BF16",
    "cv180x": "BF16",
}
"""And what they compute floats in."""

TOOLKIT = Toolkit(
    device="sophgo_tpu",
    package="tpu-mlir",
    # What it needs of what it declares, and psutil, filelock and onnxsim, which it does not.
    requirements=(
        "tpu-mlir==1.30.2",
        "coloredlogs",
        "filelock",
        "flatbuffers>=24",
        "humanfriendly",
        "mpmath",
        "numpy==1.24.3",
        "onnx==1.14.1",
        "onnxruntime==1.16.3",
        "onnxsim<0.8",
        "opencv-python-headless>=4.8,<4.9",
        "packaging",
        "pillow",
        "protobuf==3.20.3",
        "psutil",
        "rich",
        "sympy",
        "tqdm",
    ),
    minors=(10,),
    tool=Path(__file__).with_name("tool.py"),
)


class SophgoHal(ToolkitHal):
    """Programs of tpu-mlir."""

    vendor = "Sophgo"
    keys = ("SOPHGO_TPU_CHIP", "SOPHGO_TPU_PYTHON")
    precision = "fp16"
    graph = SophgoGraph
    toolkit = TOOLKIT
    limits = Limits(frozenset({"float32", "int32"}), most_dimensions=6, scalars=False)

    def arguments(self) -> dict[str, str]:
        """The chip."""
        name = self.keys[0]
        chip = setting(self, name) or next(iter(CHIPS))
        if chip not in CHIPS:
            raise DeviceError(f"{name} is {chip!r}, expected one of {', '.join(CHIPS)}")
        return {"chip": chip, "floats": CHIPS[chip]}

    def board(self) -> Board | None:
        """By SAIL."""
        if self.toolkit.is_here(setting(self, self.keys[1])) or not find_spec("sophon"):
            return None
        from lite.nnadapter.driver.sophgo_tpu.board import BoardProgram

        return BoardProgram
