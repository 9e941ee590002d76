"""Skips where the onnx package is not: wheels are tested without it."""

from __future__ import annotations

import pytest

pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
