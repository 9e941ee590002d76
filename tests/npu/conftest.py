"""What needs a vendor's compiler runs where that is installed: `.ci/npu` makes such a place."""

from __future__ import annotations

import importlib.util
import os

from lite.errors import DeviceError
from lite.nnadapter.driver.rockchip_rknpu2.device import TOOLKIT

collect_ignore_glob: list[str] = []
if importlib.util.find_spec("onnxruntime_qnn") is None:
    collect_ignore_glob.append("test_with_qnn*.py")
if not os.environ.get("LITE_TEST_TIMVX"):
    collect_ignore_glob.append("test_with_timvx*.py")
try:
    TOOLKIT.python()
except DeviceError:
    collect_ignore_glob.append("test_with_rknn*.py")
