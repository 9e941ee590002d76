import numpy as np
from conv_reference import ACTIVATIONS, activate
from harness import OpTable, rand

table = OpTable("conv3d")
for c, m, kernel, attrs in [
    (3, 4, (3, 3, 3), {"paddings": [1, 1, 1]}),
    (3, 4, (1, 2, 3), {"paddings": [0, 1, 1, 0, 2, 1], "strides": [1, 2, 3]}),
    (4, 6, (2, 2, 2), {"groups": 2, "dilations": [1, 2, 2]}),
    (4, 4, (3, 3, 3), {"groups": 4, "padding_algorithm": "SAME", "strides": [2, 2, 2]}),
    (3, 2, (3, 3, 3), {"padding_algorithm": "VALID", "paddings": [1, 1, 1]}),
    (2, 2, (1, 1, 1), {"data_format": "AnyLayout"}),
]:
    filters = rand(m, c // attrs.get("groups", 1), *kernel)
    table.case({"Input": rand(2, c, 5, 6, 4), "Filter": filters}, attrs, params=["Filter"])
# Depths that taps meet in part, not at all, or in another order than they come.
for c, m, kernel, attrs in [
    (8, 8, (3, 1, 1), {"paddings": [1, 0, 0], "strides": [2, 1, 1]}),
    (3, 4, (4, 2, 2), {"paddings": [2, 3, 1, 0, 0, 1], "strides": [3, 1, 2]}),
    (2, 3, (2, 3, 3), {"paddings": [3, 1, 1], "dilations": [3, 1, 2]}),
    (2, 3, (3, 3, 3), {"paddings": [2, 1, 2], "dilations": [2, 1, 1], "strides": [3, 2, 1]}),
    (6, 6, (3, 3, 3), {"groups": 6, "paddings": [1, 1, 1], "strides": [2, 1, 1]}),
    (2, 3, (1, 1, 1), {"paddings": [2, 1, 0]}),
]:
    arrays = {"Input": rand(2, c, 5, 5, 4), "Filter": rand(m, c // attrs.get("groups", 1), *kernel)}
    table.case(arrays, attrs, params=["Filter"])
    table.case(arrays, attrs)


def pointwise(inputs: dict, attrs: dict) -> dict:
    y = np.einsum("nczyx,mc->nmzyx", inputs["Input"], inputs["Filter"][:, :, 0, 0, 0])
    if "Bias" in inputs:
        y = y + inputs["Bias"].reshape(1, -1, 1, 1, 1)
    return {"Output": activate(y + inputs.get("ResidualData", 0), attrs).astype("float32")}


def tap_by_tap(inputs: dict, attrs: dict) -> dict:
    """3x3x3 with a padding of 1."""
    x = np.pad(inputs["Input"], [(0, 0)] * 2 + [(1, 1)] * 3)
    depth, height, width = inputs["Input"].shape[2:]
    y = sum(
        np.einsum(
            "nczyx,mc->nmzyx",
            x[:, :, i : i + depth, j : j + height, k : k + width],
            inputs["Filter"][:, :, i, j, k],
        )
        for i, j, k in np.ndindex(3, 3, 3)
    )
    return {"Output": y}


many = {"Input": rand(1, 64, 4, 14, 13), "Filter": rand(64, 64, 3, 3, 3)}  # slices by Winograd
table.case(many, {"paddings": [1, 1, 1]}, params=["Filter"], reference=tap_by_tap)
arrays = {"Input": rand(1, 3, 2, 3, 4), "Filter": rand(5, 3, 1, 1, 1)}
for activation in ACTIVATIONS:
    attrs = {"with_act": True, **activation}
    table.case({**arrays, "Bias": rand(5)}, attrs, reference=pointwise)
table.case({**arrays, "ResidualData": rand(1, 5, 2, 3, 4)}, reference=pointwise)
table.error({"Input": rand(1, 3, 2, 3), "Filter": arrays["Filter"]}, match="rank 5")
table.error(arrays, {"data_format": "NDHWC"}, match="NDHWC")
test_conv3d = table.tests()
