"""The device `rockchip_rknpu2`: compiles for Rockchip's NPUs by rknn-toolkit2, runs its simulator.

On a board, where there is no toolkit, rknn-toolkit-lite2 runs what `lite build` made. Computes in
half precision. Properties, or environment variables of the same names:
ROCKCHIP_RKNPU2_TARGET_PLATFORM, the chip: rk3588 unless set; ROCKCHIP_RKNPU2_PRECISION, fp16 or
int8, of programs that `lite quantize` compiled; ROCKCHIP_RKNPU2_PYTHON, an interpreter that has the
toolkit, where `lite device setup rockchip_rknpu2` did not make one.
"""

from __future__ import annotations

import os
from ctypes.util import find_library
from importlib.util import find_spec
from pathlib import Path

from lite.errors import DeviceError
from lite.nnadapter.driver.compiled import Limits, Toolkit, ToolkitHal
from lite.nnadapter.driver.compiled.toolkit_hal import Board
from lite.nnadapter.driver.environment import setting
from lite.nnadapter.driver.rockchip_rknpu2.graph import RknnGraph

PLATFORMS = ("rk3588", "rk3576", "rk3568", "rk3566", "rk3562", "rv1126b", "rk2118")
"""That compute floats."""
INTEGER_PLATFORMS = ("rv1106", "rv1106b", "rv1103", "rv1103b")
"""That know integers only: what they would compute in floats is computed for another one."""

TOOLKIT = Toolkit(
    device="rockchip_rknpu2",
    package="rknn-toolkit2",
    # What it declares and what these need, but for torch, of which it only wants the names.
    requirements=(
        "rknn-toolkit2==2.5.0",
        "fast-histogram==0.14",
        "flatbuffers>=24",
        "numpy==1.26.4",
        "onnx==1.18.0",
        "onnxruntime>=1.17,<1.27",
        "opencv-python-headless>=4.8,<4.12",
        "packaging",
        "protobuf==4.25.4",
        "psutil",
        "ruamel.yaml",
        "scipy>=1.11,<2",
        "tqdm",
        "typing_extensions",
    ),
    minors=(11, 12, 10),
    tool=Path(__file__).with_name("tool.py"),
)


class RknnHal(ToolkitHal):
    """Programs of rknn-toolkit2."""

    vendor = "Rockchip"
    keys = (
        "ROCKCHIP_RKNPU2_TARGET_PLATFORM",
        "ROCKCHIP_RKNPU2_PYTHON",
        "ROCKCHIP_RKNPU2_PRECISION",
    )
    precision = "fp16"
    float_borders = True
    graph = RknnGraph
    toolkit = TOOLKIT
    limits = Limits(
        frozenset("float32 float16 int32 int64 int8 bool".split()),
        most_dimensions=6,
        scalars=False,
    )

    def arguments(self) -> dict[str, str]:
        """The chip."""
        name = self.keys[0]
        platform = setting(self, name) or PLATFORMS[0]
        known = PLATFORMS + INTEGER_PLATFORMS
        if platform not in known:
            raise DeviceError(f"{name} is {platform!r}, expected one of {', '.join(known)}")
        return {"platform": platform}

    def float_arguments(self) -> dict[str, str]:
        """The chip, or one that computes floats."""
        found = self.arguments()
        return {"platform": PLATFORMS[0]} if found["platform"] in INTEGER_PLATFORMS else found

    @classmethod
    def leaves_to_library(cls) -> bool:
        """On a board without rknn-toolkit-lite2 the HAL library runs programs (board.cc)."""
        python, runtime = (
            os.environ.get(f"ROCKCHIP_RKNPU2_{word}", "") for word in ("PYTHON", "RUNTIME")
        )
        if cls.toolkit.is_here(python) or find_spec("rknnlite"):
            return False
        return bool(runtime or find_library("rknnrt"))

    def board(self) -> Board | None:
        """By rknn-toolkit-lite2."""
        if self.toolkit.is_here(setting(self, self.keys[1])) or not find_spec("rknnlite"):
            return None
        from lite.nnadapter.driver.rockchip_rknpu2.board import BoardProgram

        return BoardProgram
