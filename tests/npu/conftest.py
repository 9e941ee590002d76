"""What needs a vendor's compiler runs where that is installed: `.ci/npu` makes such a place."""

from __future__ import annotations

import importlib.util
import os

from lite.errors import DeviceError
from lite.nnadapter.driver.compiled import Toolkit
from lite.nnadapter.driver.rockchip_rknpu2 import device as rockchip
from lite.nnadapter.driver.sophgo_tpu import device as sophgo


def is_here(toolkit: Toolkit) -> bool:
    """Whether `lite device setup` has made it, or its variable names one."""
    try:
        toolkit.python(os.environ.get(f"{toolkit.device.upper()}_PYTHON", ""))
    except DeviceError:
        return False
    return True


HERE = {
    "test_with_qnn*.py": importlib.util.find_spec("onnxruntime_qnn") is not None,
    "test_with_rknn*.py": is_here(rockchip.TOOLKIT),
    "test_with_sophgo*.py": is_here(sophgo.TOOLKIT),
    "test_with_timvx*.py": bool(os.environ.get("LITE_TEST_TIMVX")),
    "test_with_xnnpack*.py": bool(os.environ.get("LITE_TEST_XNNPACK")),
}
collect_ignore_glob = [files for files, here in HERE.items() if not here]
