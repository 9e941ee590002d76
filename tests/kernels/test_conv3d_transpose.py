import numpy as np
from conv_reference import ACTIVATIONS, activate
from harness import OpTable, rand

table = OpTable("conv3d_transpose")
for c, m, kernel, attrs in [
    (2, 3, (3, 3, 3), {"paddings": [1, 1, 1]}),
    (2, 2, (1, 2, 3), {"paddings": [0, 1, 1, 0, 2, 1], "strides": [1, 2, 3]}),
    (4, 4, (2, 2, 2), {"groups": 2, "dilations": [1, 2, 2]}),
    (3, 3, (3, 3, 3), {"groups": 3, "padding_algorithm": "SAME", "strides": [2, 1, 2]}),
    (2, 2, (3, 2, 3), {"padding_algorithm": "VALID", "paddings": [1, 1, 1]}),
    (1, 2, (2, 2, 2), {"strides": [2, 3, 2], "output_padding": [1, 2, 0]}),
    (1, 2, (2, 2, 2), {"strides": [2, 2, 2], "output_size": [4, 7, 5]}),
    (1, 2, (1, 1, 1), {"data_format": "AnyLayout"}),
]:
    filters = rand(c, m // attrs.get("groups", 1), *kernel)
    table.case({"Input": rand(1, c, 2, 3, 2), "Filter": filters}, attrs, params=["Filter"])
# Strides beyond the kernel, and depths that several taps meet or none.
for c, m, kernel, attrs in [
    (2, 3, (2, 3, 3), {"strides": [3, 1, 2], "paddings": [1, 1, 1]}),
    (3, 2, (4, 2, 2), {"strides": [3, 2, 2], "paddings": [2, 0, 0], "dilations": [2, 1, 1]}),
    (16, 8, (2, 2, 2), {"strides": [2, 2, 2]}),
    (8, 8, (3, 3, 3), {"groups": 8, "strides": [2, 2, 2], "output_padding": [1, 1, 0]}),
]:
    arrays = {"Input": rand(1, c, 3, 4, 2), "Filter": rand(c, m // attrs.get("groups", 1), *kernel)}
    table.case(arrays, attrs, params=["Filter"])
    table.case(arrays, attrs)
doubles = {"Input": rand(1, 1, 2, 1, 3), "Filter": rand(1, 1, 2, 2, 1)}
table.case({slot: array.astype("float64") for slot, array in doubles.items()})


def separate(inputs: dict, attrs: dict) -> dict:
    """Kernels of 2 x 2 x 2 that do not meet, at stride 3; the gaps and the rest stay empty."""
    x, w = inputs["Input"], inputs["Filter"]
    blocks = np.einsum("nczyx,cmkji->nmzkyjxi", x, w)
    blocks = np.pad(blocks, [(0, 0)] * 3 + [(0, 1), (0, 0)] * 2 + [(0, 1)])
    y = blocks.reshape(*blocks.shape[:2], *(3 * size for size in x.shape[2:]))
    wanted = inputs.get("OutputSizeTensor", inputs.get("OutputSizeTensorList"))
    sizes = [3 * size - 1 for size in x.shape[2:]] if wanted is None else np.ravel(wanted)
    y = y[:, :, : sizes[0], : sizes[1], : sizes[2]]
    if "Bias" in inputs:
        y = y + inputs["Bias"].reshape(1, -1, 1, 1, 1)
    return {"Output": activate(y, attrs).astype("float32")}


STRIDES = {"strides": [3, 3, 3]}
arrays = {"Input": rand(1, 2, 2, 1, 3), "Filter": rand(2, 3, 2, 2, 2)}
for activation in ACTIVATIONS:
    attrs = {**STRIDES, "with_act": True, **activation}
    table.case({**arrays, "Bias": rand(3)}, attrs, reference=separate)
sizes = np.array([6, 2, 9], "int32")
for given in ({"OutputSizeTensor": sizes}, {"OutputSizeTensorList": list(sizes.reshape(3, 1))}):
    table.case({**arrays, **given}, STRIDES, params=list(given), reference=separate)
table.error({**arrays, "Input": rand(1, 2, 2, 3)}, match="rank 5")
table.error({**arrays, "Filter": rand(2, 3, 2, 2)}, match="rank 5")
table.error(arrays, {"data_format": "NDHWC"}, match="NDHWC")
table.error(arrays, {"strides": [2, 2]}, match="strides")
table.error(arrays, {"output_size": [6, 2]}, match="output_size")
table.error(arrays, {"output_padding": [1, 1]}, match="output_padding")
table.error({**arrays, "Input": rand(1, 2, 2, 0, 3)}, match="empty")
test_conv3d_transpose = table.tests()
