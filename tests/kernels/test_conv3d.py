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


def pointwise(inputs: dict, attrs: dict) -> dict:
    y = np.einsum("nczyx,mc->nmzyx", inputs["Input"], inputs["Filter"][:, :, 0, 0, 0])
    if "Bias" in inputs:
        y = y + inputs["Bias"].reshape(1, -1, 1, 1, 1)
    return {"Output": activate(y + inputs.get("ResidualData", 0), attrs).astype("float32")}


arrays = {"Input": rand(1, 3, 2, 3, 4), "Filter": rand(5, 3, 1, 1, 1)}
for activation in ACTIVATIONS:
    attrs = {"with_act": True, **activation}
    table.case({**arrays, "Bias": rand(5)}, attrs, reference=pointwise)
table.case({**arrays, "ResidualData": rand(1, 5, 2, 3, 4)}, reference=pointwise)
table.error({"Input": rand(1, 3, 2, 3), "Filter": arrays["Filter"]}, match="rank 5")
table.error(arrays, {"data_format": "NDHWC"}, match="NDHWC")
test_conv3d = table.tests()
