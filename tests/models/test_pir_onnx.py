"""Programs of Paddle 3 as ONNX in onnxruntime, against Paddle 3.3.1: the cases of test_pir.py.

Whatever is exported must be right; what ONNX cannot hold is refused by name.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from model.onnx.onnx_runs import NoKernel, session, worst_difference
from models.test_pir import FOLDER, cases, unpack

from lite.errors import UnsupportedOperatorError
from lite.model.load import load_program
from lite.model.onnx import export_model

MODELS_REFUSED = {
    "graph": ["graph_send_recv"],
    "grounding_dino": ["cummax"],
    "mask_rcnn": ["generate_proposals_v2"],
    "pools": ["lp_pool2d"],
    "pp_yoloe_r": ["multiclass_nms3"],
    "ranks": ["mode"],
    "reductions": ["median"],
    "times_net": ["fft_r2c"],
}
"""Whole models that are refused, and by which operators; of functions there are more."""


def is_complex(name: str) -> bool:
    """A case of spectral.py: ONNX has no complex numbers."""
    return name.startswith("z_")


def chosen() -> list[str]:
    """Of the functions a third, but all where a folder is named."""
    functions = [name for name in cases() if name.startswith("fn_")]
    left_out = set() if FOLDER else {name for i, name in enumerate(functions) if i % 3 != 1}
    return [name for name in cases() if name not in left_out]


@pytest.mark.parametrize("name", chosen())
def test_case(name: str, tmp_path: Path) -> None:
    folder = unpack(name, tmp_path)
    with np.load(folder / "io.npz") as file:
        arrays = dict(file)
    try:
        model = export_model(load_program(str(folder)))
    except UnsupportedOperatorError as refused:
        assert "\n" not in str(refused)
        assert "fn_" in name or is_complex(name) or name in MODELS_REFUSED, str(refused)
        assert all(f"{type}" in str(refused) for type in MODELS_REFUSED.get(name, []))
        return
    assert name not in MODELS_REFUSED
    try:
        running = session(model)
    except NoKernel:
        pytest.skip("onnxruntime has no kernel")
    for run in sorted({key.split(".")[0] for key in arrays if ".out." in key}):
        feeds = {k.split(".", 2)[2]: v for k, v in arrays.items() if k.startswith(f"{run}.in.")}
        count = sum(key.startswith(f"{run}.out.") for key in arrays)
        wanted = [arrays[f"{run}.out.{index}"] for index in range(count)]
        worst = worst_difference(running.run(None, feeds), wanted, 1e-30)
        assert worst <= float(arrays.get("tol", 1e-4)), f"run {run}: {worst}"
