"""What needs a vendor's compiler runs where that is installed: `.ci/npu` makes such a place."""

from __future__ import annotations

import importlib.util

collect_ignore_glob: list[str] = []
if importlib.util.find_spec("onnxruntime_qnn") is None:
    collect_ignore_glob = ["test_with_qnn*.py"]
