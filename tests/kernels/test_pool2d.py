import numpy as np
from harness import OpTable, lod, rand
from pool_cases import SETTINGS, expand

from lite import _core

table = OpTable("pool2d")
for kind in ("max", "avg"):
    for setting in SETTINGS:
        table.case({"X": rand(1, 5, 9, 8)}, {"pooling_type": kind, **expand(setting, 2)})
    for size, attrs in [
        ((9, 7), {"ksize": [3, 2], "strides": [2, 3], "paddings": [0, 1, 1, 0]}),
        ((9, 7), {"ksize": [3, 2], "strides": [1, 1], "paddings": [2, 1], "exclusive": False}),
        ((9, 7), {"ksize": [7, 3], "adaptive": True}),
        ((9, 7), {"ksize": [2, 9], "adaptive": True}),
        ((9, 7), {"ksize": [9, 7]}),
        ((9, 7), {"ksize": [9, 7], "paddings": [4, 3], "strides": [2, 2]}),
        ((5, 5), {"ksize": [6, 6], "strides": [2, 2], "ceil_mode": True}),
        ((5, 5), {"ksize": [6, 6], "strides": [2, 2]}),
        ((1, 1), {"ksize": [1, 1], "strides": [2, 2]}),
        ((1, 40), {"ksize": [1, 2], "strides": [1, 2]}),
        ((40, 1), {"ksize": [3, 1], "strides": [2, 1], "paddings": [1, 0]}),
        ((40, 1), {"ksize": [7, 1], "adaptive": True}),
        ((40, 3), {"ksize": [2, 2], "strides": [2, 1], "data_format": "AnyLayout"}),
        ((30, 30), {"ksize": [1, 1], "global_pooling": True}),
    ]:
        table.case({"X": rand(1, 19, *size)}, {"pooling_type": kind, **attrs})
    table.case({"X": rand(0, 3, 4, 4)}, {"pooling_type": kind, "ksize": [2, 2]})
    table.case(
        {"X": rand(1, 3, 6, 6, dtype="float64")},
        {"pooling_type": kind, "ksize": [2, 2], "paddings": [1, 1]},
    )
table.case({"X": lod(rand(3, 2, 4, 4), [[0, 1, 3]])}, {"pooling_type": "max", "ksize": [2, 2]})


def unseen(inputs: dict, attrs: dict) -> dict:
    """A last row and column of windows that see no element."""
    x = inputs["X"]
    blocks = x.reshape(1, 3, 2, 2, 2, 2)
    if attrs["pooling_type"] == "max":
        inside, outside = blocks.max(axis=(3, 5)), np.finfo("float32").min
    else:
        inside, outside = blocks.mean(axis=(3, 5)), 0.0
    padded = np.pad(inside, [(0, 0), (0, 0), (0, 1), (0, 1)], constant_values=outside)
    return {"Out": padded.astype("float32")}


for kind in ("max", "avg"):
    table.case(
        {"X": rand(1, 3, 4, 4)},
        {"pooling_type": kind, "ksize": [2, 2], "strides": [2, 2], "paddings": [0, 2, 0, 2]},
        reference=unseen,
    )

X = rand(1, 2, 5, 5)
MAX = {"pooling_type": "max", "ksize": [2, 2]}
table.error({"X": rand(2, 5, 5)}, MAX, match="rank 4")
table.error({"X": X}, {**MAX, "pooling_type": "min"}, match="pooling_type")
table.error({"X": X}, {"ksize": [2, 2]}, match="pooling_type")
table.error({"X": X}, {"pooling_type": "max"}, match="ksize")
table.error({"X": X}, {**MAX, "ksize": [2]}, match="ksize has 1")
table.error({"X": X}, {**MAX, "ksize": [0, 2]}, match="kernel")
table.error({"X": X}, {**MAX, "ksize": [-(2**31), 2]}, match="kernel")
table.error({"X": X}, {**MAX, "strides": [0, 1]}, match="strides")
table.error({"X": X}, {**MAX, "ksize": [9, 2]}, match="does not fit")
table.error({"X": X}, {**MAX, "data_format": "NHWC"}, match="NHWC")
table.error({"X": X}, {**MAX, "data_format": "NCHW8"}, match="data_format is 'NCHW8'")
table.error({"X": X}, {**MAX, "padding_algorithm": "FULL"}, match="padding_algorithm")
table.error({"X": X}, {**MAX, "paddings": [1]}, match="paddings")
table.error({"X": rand(1, 2, 0, 5)}, {**MAX, "paddings": [1, 1]}, match="empty")
table.error({"X": X.astype("int32")}, MAX, match="int32", error="DataTypeError")

test_pool2d = table.tests()


def test_nan_as_in_paddle() -> None:
    """It replaces what came before, and what follows replaces it; exporters' runtimes differ."""
    x = rand(1, 2, 6, 9)
    x[0, 0, 2, 3] = x[0, 1, 0, 8] = x[0, 1, 5, 2] = np.nan
    attrs = {"pooling_type": "max", "ksize": [3, 3]}
    made = _core.run_op("pool2d", {"X": [(x, [])]}, {"Out": 1}, attrs)["Out"][0][0]
    windows = np.lib.stride_tricks.sliding_window_view(x, (3, 3), (2, 3))
    largest = np.full(made.shape, np.finfo("float32").min)
    for y, x in np.ndindex(3, 3):
        value = windows[..., y, x]
        largest = np.where(largest > value, largest, value)
    assert np.isnan(largest).any()
    np.testing.assert_array_equal(made, largest)
