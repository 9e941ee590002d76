from typing import Any

import numpy as np
from harness import OpTable, lod, rand
from int8_cases import add_int8

table = OpTable("fc")
table.exempt("padding_weights", "true is an error")


def fc(inputs: dict, attrs: dict) -> dict:
    x, w = inputs["Input"], inputs["W"]
    rows = attrs.get("in_num_col_dims", 1)
    if attrs.get("op_type", "").startswith("matmul"):
        rows = x.ndim - 1
    out = x.reshape(-1, w.shape[0]) @ w + inputs.get("Bias", np.zeros(1, x.dtype)).reshape(1, -1)
    activation = attrs.get("activation_type", "")
    if activation:
        out = np.maximum(out, 0)
    if activation == "relu6":
        out = np.minimum(out, attrs.get("alpha", 6.0))
    return {"Out": out.reshape(*x.shape[:rows], w.shape[1]).astype(x.dtype)}


for x_shape, rows, n in [
    ((2, 3), 1, 4),
    ((1, 64), 1, 33),
    ((40, 65), 1, 130),
    ((2, 3, 5), 1, 4),
    ((2, 3, 5), 2, 4),
    ((2, 3, 1, 5), 1, 4),
    ((2, 3, 4, 5), 3, 7),
]:
    k = int(np.prod(x_shape[rows:]))
    for activation in ("", "relu"):
        for bias in [{}, {"Bias": rand(n)}, {"Bias": rand(1, n)}]:
            table.case(
                {"Input": rand(*x_shape), "W": rand(k, n), **bias},
                {"in_num_col_dims": rows, "activation_type": activation},
                params=["W", "Bias"],
                reference=fc if k > 50 or (activation and not bias) else None,
            )
table.case({"Input": rand(2, 3), "W": rand(3, 4), "Bias": rand(4)})
table.case({"Input": lod(rand(3, 4), [[0, 1, 3]]), "W": rand(4, 5)}, params=["W"])
table.case({"Input": rand(2, 3, dtype="float64"), "W": rand(3, 4, dtype="float64")})
for op_type in ("mul", "matmul", "matmul_v2"):
    shape = (2, 12) if op_type == "mul" else (2, 3, 12)
    table.case(
        {"Input": rand(*shape), "W": rand(12, 4), "Bias": rand(4)},
        {"op_type": op_type},
        params=["W"],
        reference=fc,
    )
for alpha in (6.0, 0.25):
    table.case(
        {"Input": rand(3, 40), "W": rand(40, 9)},
        {"activation_type": "relu6", "alpha": alpha},
        params=["W"],
        reference=fc,
    )
table.case({"Input": rand(0, 3), "W": rand(3, 4)}, reference=fc)

X, W = rand(2, 3), rand(3, 4)
table.error({"Input": X, "W": rand(4, 3)}, match="columns")
table.error({"Input": X, "W": rand(3)}, match="rank 2")
table.error({"Input": X, "W": W, "Bias": rand(3)}, match="Bias")
table.error({"Input": X, "W": W}, {"in_num_col_dims": 2}, match="in_num_col_dims")
table.error({"Input": X, "W": W}, {"in_num_col_dims": -1}, match="in_num_col_dims")
table.error({"Input": X, "W": W}, {"in_num_col_dims": 0}, match="in_num_col_dims is 0")
table.error({"Input": X, "W": W}, {"padding_weights": True}, match="padding_weights")
table.error({"Input": X, "W": W}, {"activation_type": "mish"}, match="activation_type")
table.error({"Input": X.astype("int64"), "W": W.astype("int64")}, error="DataTypeError")


def product(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    return {"Out": np.maximum(inputs["Input"] @ inputs["W"], 0)}


add_int8(table, ("Input", "W"), [((5, 70), (70, 33), {"activation_type": "relu"})], 1, product)

test_fc = table.tests()
