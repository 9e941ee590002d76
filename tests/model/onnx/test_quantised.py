"""Paddle's quantised models as ONNX: QuantizeLinear, DequantizeLinear, weights in int8."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import onnx
import pytest
from model.onnx.onnx_runs import session

import lite
from lite.api.build import Source
from lite.model.onnx import export_model

DATA = Path(__file__).parents[2] / "models" / "data" / "quantised"
ROUNDINGS = {
    "ptq_attention_fake_channels": 8,
    "ptq_convolutions_fake_tensor": 4,
    "ptq_convolutions_onnx_channels": 4,
    "qat_convolutions_fake_channels": 4,
    "weight_only": 0,
}


@pytest.mark.parametrize("name", ROUNDINGS)
def test_stored_exports(name: str) -> None:
    model = export_model(Source(model_dir=str(DATA / name)).read())
    onnx.checker.check_model(model, full_check=True)
    kinds = Counter(node.op_type for node in model.graph.node)
    assert kinds["QuantizeLinear"] == ROUNDINGS[name]
    assert not {"Sign", "Floor", "Round"} & kinds.keys()
    kept = {t.name for t in model.graph.initializer if t.data_type == onnx.TensorProto.INT8}
    products = [n for n in model.graph.node if n.op_type in ("Conv", "ConvTranspose", "MatMul")]
    made = {node.output[0]: node for node in model.graph.node}
    weights = [made.get(node.input[1]) for node in products]
    whole = [w for w in weights if w is not None and w.op_type == "DequantizeLinear"]
    assert sum(w.input[0] in kept for w in whole) >= 3
    exported = session(model, optimized=False)
    stored = np.load(DATA / name / "expected.npz")
    back = lite.load(model.SerializeToString())
    for at in (0, 1):
        (found,) = exported.run(None, {exported.get_inputs()[0].name: stored[f"in{at}"]})
        # Where halves are rounded to even, or numbers below the range have one step more.
        limit = 5e-3 if "fake" in name else 1e-5
        largest = np.abs(stored[f"out{at}"]).max()
        assert np.abs(found - stored[f"out{at}"]).max() <= limit * largest
        (again,) = back.run([stored[f"in{at}"]]).values()
        assert np.abs(again - found).max() <= 1e-5 * largest
