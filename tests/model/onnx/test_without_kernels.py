"""Operators that are exported but have no kernel here, hence no table: against Paddle itself."""

from __future__ import annotations

from typing import Any

import harness
import numpy as np
import paddle_oracle
import pytest
from model.onnx.onnx_runs import NoKernel, export_and_run, worst_difference
from model.onnx.test_operators import one_operator

pytestmark = [
    pytest.mark.paddle,
    pytest.mark.skipif(not paddle_oracle.available(), reason="needs paddlepaddle 2.6"),
]

RNG = np.random.RandomState(7)
X = (RNG.random_sample((2, 3, 4)) * 1.8 - 0.9).astype("float32")
ROWS = (RNG.random_sample((3, 5)) * 2 - 1).astype("float32")
PICK = np.array([[0, 2, 1], [4, 4, 0], [1, 3, 2]], "int64")
PLACES = np.array([[0], [2], [0]], "int64")

Case = tuple[str, dict[str, Any], dict[str, Any], dict[str, int]]

OUT = {"Out": 1}
CASES: list[Case] = [
    *(
        (op, {"X": X}, {}, OUT)
        for op in "acos asin asinh atan atanh cosh expm1 logsigmoid sinh tan trunc".split()
    ),
    *((op, {"X": np.abs(X) + 1}, {}, OUT) for op in ("acosh", "log2", "log10")),
    *(
        (op, {"X": np.array([1, np.nan, np.inf, -np.inf], "float32")}, {}, OUT)
        for op in ("isnan_v2", "isinf_v2", "isfinite_v2")
    ),
    ("addmm", {"Input": X[0], "X": ROWS, "Y": ROWS.T[:, [0, 1, 2, 0]]}, {}, OUT),
    (
        "addmm",
        {"Input": X[0], "X": ROWS, "Y": ROWS.T[:, [0, 1, 2, 0]]},
        {"Alpha": 0.5, "Beta": 2.0},
        OUT,
    ),
    ("mv", {"X": ROWS, "Vec": ROWS[0]}, {}, OUT),
    ("dot", {"X": ROWS, "Y": ROWS[::-1]}, {}, OUT),
    ("kron", {"X": ROWS, "Y": X[0]}, {}, OUT),
    ("elementwise_fmax", {"X": ROWS, "Y": ROWS[::-1]}, {"axis": -1}, OUT),
    ("elementwise_fmin", {"X": ROWS, "Y": ROWS[::-1]}, {"axis": -1}, OUT),
    ("logsumexp", {"X": X}, {"axis": [1], "keepdim": True}, OUT),
    ("logsumexp", {"X": X}, {"reduce_all": True}, OUT),
    ("frobenius_norm", {"X": X}, {"dim": [1, 2], "keep_dim": True}, OUT),
    ("reduce_amax", {"X": X}, {"dim": [1]}, OUT),
    ("reduce_amin", {"X": X}, {"dim": [-1], "keep_dim": True}, OUT),
    ("kthvalue", {"X": X}, {"k": 2, "axis": 1}, {"Out": 1, "Indices": 1}),
    ("kthvalue", {"X": X}, {"k": 1, "axis": -1, "keepdim": True}, {"Out": 1, "Indices": 1}),
    ("index_sample", {"X": ROWS, "Index": PICK}, {}, OUT),
    ("take_along_axis", {"Input": ROWS, "Index": PICK}, {"Axis": 1}, {"Result": 1}),
    ("scatter_nd_add", {"X": ROWS, "Index": PLACES, "Updates": ROWS}, {}, OUT),
    (
        "put_along_axis",
        {"Input": ROWS, "Index": PICK[:, :1], "Value": ROWS[:, :1]},
        {"Axis": 1, "Reduce": "add"},
        {"Result": 1},
    ),
    (
        "put_along_axis",
        {"Input": ROWS, "Index": PICK[:, :1], "Value": ROWS[:, :1]},
        {"Axis": 1, "Reduce": "assign"},
        {"Result": 1},
    ),
    ("masked_select", {"X": ROWS, "Mask": ROWS > 0}, {}, {"Y": 1}),
    ("pixel_unshuffle", {"X": RNG.random_sample((1, 2, 4, 6)).astype("float32")},
     {"downscale_factor": 2}, OUT),
    ("label_smooth", {"X": ROWS}, {"epsilon": 0.1}, OUT),
    ("eye", {}, {"num_rows": 3, "num_columns": 4, "dtype": 5}, OUT),
    ("size", {"Input": X}, {}, OUT),
]  # fmt: skip


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[2]}"[:60])
def test_operator(case: Case) -> None:
    op, inputs, attrs, outputs = case
    plain = harness._normalize(inputs)
    expected = paddle_oracle.run(op, plain, outputs, attrs)
    nothing: frozenset[str] = frozenset()
    made = harness.Case(plain, attrs, outputs, [], 1e-4, None, None, nothing, nothing, op)
    program, feeds = one_operator(op, made, expected, False)
    try:
        actual = export_and_run(program, feeds)
    except NoKernel as reason:
        pytest.skip(str(reason))
    wanted = [array for values in expected.values() for array, _ in values]
    assert worst_difference(actual, wanted) <= 1e-4
