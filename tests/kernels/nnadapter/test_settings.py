"""Attributes and constants that exporters write: what they become and its numbers, or the reason
why an operator stays on the CPU."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from harness import core, operator_info, rand, randint

from lite.nnadapter.types import OperationType

NAMES = {int(code): code.name for code in OperationType}
Inputs = dict[str, Any]


def values(inputs: Inputs) -> dict[str, Any]:
    return {
        slot: [(np.asarray(v), []) for v in (given if isinstance(given, list) else [given])]
        for slot, given in inputs.items()
    }


def outputs_of(op: str) -> dict[str, int]:
    return {name: 1 for name, *_ in operator_info(op)["outputs"]}


def convert(op: str, inputs: Inputs, attrs: dict[str, Any], **options: Any) -> dict[str, Any]:
    outputs = options.pop("outputs", outputs_of(op))
    return dict(core().nnadapter_convert_op(op, values(inputs), outputs, attrs, **options))


def becomes(
    op: str, inputs: Inputs, attrs: dict[str, Any], names: list[str], **options: Any
) -> None:
    """It becomes these operations, and builtin_device computes what the CPU's kernel does."""
    got = convert(op, inputs, attrs, device="builtin_device", **options)
    assert got.get("reason") is None
    assert [NAMES[code] for code in got["operation_types"]] == names
    outputs = options.get("outputs", outputs_of(op))
    want = core().run_op(op, values(inputs), outputs, attrs, params=options.get("params", []))
    for slot, tensors in got["outputs"].items():
        for (array, _), (expected, _) in zip(tensors, want[slot], strict=True):
            assert array.dtype == expected.dtype and array.shape == expected.shape
            np.testing.assert_allclose(array, expected, rtol=1e-4, atol=1e-5)


def stays(op: str, inputs: Inputs, attrs: dict[str, Any], reason: str, **options: Any) -> None:
    assert convert(op, inputs, attrs, **options).get("reason") == reason


@pytest.mark.parametrize("shape", [(2, 3, 4, 5), (2, 3, 4), (1, 2, 3, 2, 2)])
def test_prelu_of_every_element(shape: tuple[int, ...]) -> None:
    names = ["RELU", "MIN", "MUL", "ADD"]
    x, slopes = rand(*shape), rand(1, *shape[1:])
    becomes("prelu", {"X": x, "Alpha": slopes}, {"mode": "element"}, names, params=["Alpha"])
    becomes("prelu", {"X": x, "Alpha": slopes[0]}, {"mode": "element"}, ["RESHAPE", *names])


def test_prelu_of_channels_last() -> None:
    attrs = {"mode": "channel", "data_format": "NHWC"}
    inputs = {"X": rand(2, 3, 4, 5), "Alpha": rand(5)}
    becomes("prelu", inputs, attrs, ["RELU", "MIN", "MUL", "ADD"], params=["Alpha"])


def test_prelu_with_the_slopes_that_the_operation_has() -> None:
    x = rand(4, 6)
    becomes("prelu", {"X": x, "Alpha": rand(6)}, {"mode": "element"}, ["PRELU"])
    becomes("prelu", {"X": x, "Alpha": rand(1)}, {"mode": "all"}, ["PRELU"])
    inputs = {"X": rand(2, 3, 4, 5), "Alpha": rand(1, 3, 1, 1)}
    becomes("prelu", inputs, {"mode": "channel"}, ["RESHAPE", "PRELU"])
    reason = "its Alpha has 5 slopes for the mode channel"
    stays("prelu", {**inputs, "Alpha": rand(5)}, {"mode": "channel"}, reason)


METHODS = {"bilinear": "RESIZE_LINEAR", "nearest": "RESIZE_NEAREST"}


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("size", "scale"),
    [
        ((6, 10), 0.5),
        ((6, 10), 1.5),
        ((10, 20), 1.2),
        ((8, 12), 0.25),
        ((9, 7), 2.0),
        ((5, 5), 1.1),
    ],
)
def test_scales_that_fit(method: str, size: tuple[int, int], scale: float) -> None:
    attrs = {"interp_method": method, "align_corners": False, "scale": [scale, scale]}
    for mode in (0, 1):
        inputs = {"X": rand(1, 2, *size)}
        becomes(f"{method}_interp_v2", inputs, {**attrs, "align_mode": mode}, [METHODS[method]])


@pytest.mark.parametrize("method", METHODS)
def test_scales_that_do_not_fit(method: str) -> None:
    attrs = {"interp_method": method, "align_corners": False, "scale": [1.7, 2.0]}
    reason = "it steps by its scale 1.7, which does not fit 5 elements that become 8"
    stays(f"{method}_interp_v2", {"X": rand(1, 2, 5, 6)}, attrs, reason)
    # With the corners in place only the sizes count.
    inputs = {"X": rand(1, 2, 5, 6)}
    becomes(f"{method}_interp_v2", inputs, {**attrs, "align_corners": True}, [METHODS[method]])


def test_nearest_steps_that_read_the_same() -> None:
    """floor(7 * 1.3) is 9: 1 / 1.3 and 7 / 9 differ, but not in the elements that they name."""
    attrs = {"interp_method": "nearest", "align_corners": False}
    inputs = {"X": rand(1, 2, 7, 7)}
    becomes("nearest_interp_v2", inputs, {**attrs, "scale": [1.3, 1.3]}, ["RESIZE_NEAREST"])
    attrs["interp_method"] = "bilinear"
    reason = "it steps by its scale 1.3, which does not fit 7 elements that become 9"
    stays("bilinear_interp_v2", inputs, {**attrs, "scale": [1.3, 1.3]}, reason)


@pytest.mark.parametrize("method", METHODS)
def test_sizes_that_are_constants(method: str) -> None:
    op, names = f"{method}_interp_v2", [METHODS[method]]
    attrs: dict[str, Any] = {"interp_method": method, "align_corners": False}
    x, out = rand(1, 2, 6, 8), np.array([12, 4], "int32")
    becomes(op, {"X": x, "OutSize": out}, attrs, names, params=["OutSize"])
    parts = [np.array([12], "int32"), np.array([4], "int32")]
    becomes(op, {"X": x, "SizeTensor": parts}, attrs, names, params=["SizeTensor"])
    scale = np.array([0.5, 2], "float32")
    becomes(op, {"X": x, "Scale": scale}, attrs, names, params=["Scale"])
    both = {"X": x, "OutSize": out}
    becomes(op, both, {**attrs, "scale": [2.0, 0.5]}, names, params=["OutSize"])
    reason = "it steps by its scale 3, which does not fit 6 elements that become 12"
    stays(op, both, {**attrs, "scale": [3.0, 0.5]}, reason, params=["OutSize"])
    stays(op, {"X": x, "Scale": scale}, attrs, "the value of Scale_0 is not a constant")
    reason = "its size is computed outside of the device's subgraph"
    stays(op, both, attrs, reason)


REGIONS = np.array(
    [[0, 0, 4, 4], [1, 2, 7, 6], [3, 1, 8, 8], [0, 5, 2, 8], [2, 2, 3, 3]], "float32"
)
ALIGN = {"pooled_height": 2, "pooled_width": 3, "aligned": True}


@pytest.mark.parametrize("counts", [[2, 3], [0, 5], [5, 0], [4, 1]])
@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_roi_align_of_several_images(counts: list[int], dtype: str) -> None:
    inputs = {"X": rand(2, 3, 9, 10), "ROIs": REGIONS, "RoisNum": np.array(counts, dtype)}
    becomes("roi_align", inputs, ALIGN, ["ROI_ALIGN"], params=["RoisNum"])


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ([2, 2], "its RoisNum counts 4 of its 5 regions"),
        ([4, 4], "its RoisNum holds 4, where 1 regions are left"),
        ([-1, 6], "its RoisNum holds -1, where 5 regions are left"),
        ([5], "its RoisNum has 1 numbers for 2 images"),
    ],
)
def test_roi_align_that_counts_wrongly(counts: list[int], reason: str) -> None:
    inputs = {"X": rand(2, 3, 9, 10), "ROIs": REGIONS, "RoisNum": np.array(counts, "int32")}
    stays("roi_align", inputs, ALIGN, reason, params=["RoisNum"])


def test_roi_align_of_counts_that_are_computed() -> None:
    inputs = {"X": rand(2, 3, 9, 10), "ROIs": REGIONS, "RoisNum": np.array([2, 3], "int32")}
    reason = "it has 2 images, and which region belongs to which is known only when the model runs"
    stays("roi_align", inputs, ALIGN, reason)


def test_clip() -> None:
    x, low, high = rand(2, 5, low=-3, high=3), np.array([-1], "float32"), np.array([0.5], "float32")
    becomes("clip", {"X": x, "Min": low, "Max": high}, {}, ["CLIP"], params=["Min", "Max"])
    becomes("clip", {"X": x, "Min": low, "Max": high}, {}, ["MAX", "MIN"])
    becomes("clip", {"X": x, "Max": high}, {"min": -2.0}, ["MAX", "MIN"])
    numbers = randint(3, 4, low=-9, high=9, dtype="int64")
    becomes("clip", {"X": numbers}, {"min": -2.0, "max": 5.0}, ["MAX", "MIN"])
    most = np.array([4], "int64")
    becomes("clip", {"X": numbers, "Max": most}, {"min": 0.0}, ["MAX", "MIN"], params=["Max"])
    stays("clip", {"X": numbers, "Max": high}, {"min": 0.0}, "its Max is of another type than X")
    reason = "it clips integers to the fraction 0.5"
    stays("clip", {"X": numbers}, {"min": 0.0, "max": 0.5}, reason)
    reason = "it clips integers to 3.40282e+38, which their type cannot hold"
    stays("clip", {"X": numbers}, {"min": 0.0}, reason)
    stays("clip", {"X": x}, {"min": 1.0, "max": -1.0}, "it clips to [1, -1]")


def test_boxes_of_several_images_in_one_list() -> None:
    corner = rand(9, 3, 2, low=0, high=10)
    boxes = np.concatenate([corner, corner + rand(9, 3, 2, low=1, high=8)], 2)
    attrs = {"score_threshold": 0.2, "nms_top_k": 8, "keep_top_k": 5, "nms_threshold": 0.3}
    inputs = {"BBoxes": boxes, "Scores": rand(9, 3, low=0, high=1)}
    counts = np.array([4, 0, 5], "int32")
    names = ["NON_MAX_SUPPRESSION"]
    becomes("multiclass_nms3", {**inputs, "RoisNum": counts}, attrs, names)
    becomes("multiclass_nms3", {**inputs, "RoisNum": counts}, attrs, names, params=["RoisNum"])
    reason = "how many of its boxes each image has is not said by RoisNum"
    stays("multiclass_nms3", inputs, attrs, reason)


def test_top_k_of_integers() -> None:
    x = np.random.default_rng(0).permutation(24).reshape(4, 6)
    for dtype in ("int32", "int64"):
        becomes("top_k_v2", {"X": x.astype(dtype)}, {"k": 3}, ["TOP_K"])


def test_split_with_sections_and_a_number() -> None:
    attrs = {"axis": 1, "num": 2, "sections": [3, -1]}
    becomes("split", {"X": rand(2, 7)}, attrs, ["SPLIT"], outputs={"Out": 2})
    reason = "it splits 7 elements into 2 parts"
    attrs = {"axis": 1, "num": 2}
    stays("split", {"X": rand(2, 7)}, attrs, reason, outputs={"Out": 2})


@pytest.mark.parametrize("op", ["reshape", "reshape2"])
@pytest.mark.parametrize("zero_dim", [False, True])
def test_reshape_with_one_dimension_from_elsewhere(op: str, zero_dim: bool) -> None:
    """As exporters write x.reshape([0, x.shape[1], 3, 4]): the shape is the CPU's to compute."""
    x, shape = rand(2, 5, 12), [] if zero_dim else [1]
    numbers = [np.full(shape, n, "int32") for n in (0, 5, 3, 4)]
    inputs = {"X": x, "ShapeTensor": numbers}
    constants = [f"ShapeTensor_{n}" for n in (0, 2, 3)]
    got = convert(op, inputs, {}, params=constants, device="builtin_device")
    assert got.get("reason") is None and got["inputs"] == ["X_0"]
    np.testing.assert_array_equal(got["outputs"]["Out"][0][0], x.reshape(2, 5, 3, 4))
    reason = "its shape is computed outside of the device's subgraph"
    stays(op, inputs, {}, reason, params=constants[1:])
    numbers[3] = np.full(shape, -1, "int32")
    stays(op, inputs, {}, reason, params=constants)


@pytest.mark.parametrize("outputs", [{"Out": 1}, {"Out": 1, "Mask": 1}], ids=["", "mask"])
@pytest.mark.parametrize("size", [[1, 1], [2, 3], [3, 5], [7, 9]])
def test_adaptive_max_pooling(size: list[int], outputs: dict[str, int]) -> None:
    """Paddle exports it as max_pool2d_with_index; its pool2d has other windows."""
    x = {"X": rand(2, 3, 7, 9)}
    names = ["MAX_POOL_2D" if size == [1, 1] else "ADAPTIVE_MAX_POOL_2D"]
    attrs: dict[str, Any] = {"ksize": size, "adaptive": True}
    becomes("max_pool2d_with_index", x, attrs, names, outputs=outputs)
    attrs = {"ksize": [1, 1], "global_pooling": True}
    becomes("max_pool2d_with_index", x, attrs, ["MAX_POOL_2D"], outputs=outputs)
    attrs = {"ksize": [3, 2], "strides": [2, 2], "paddings": [1, 0]}
    becomes("max_pool2d_with_index", x, attrs, ["MAX_POOL_2D"], outputs=outputs)
    reason = "it is both global and adaptive"
    attrs = {"ksize": size, "adaptive": True, "global_pooling": True}
    stays("max_pool2d_with_index", x, attrs, reason)
    attrs = {"pooling_type": "max", "ksize": size, "adaptive": True}
    reason = "it is an adaptive max pooling, whose windows are not those of NNAdapter"
    stays("pool2d", x, attrs, reason)


def test_p_norm() -> None:
    x = {"X": rand(3, 4, 5, low=0.1, high=2)}
    sums = ["SQUARE", "REDUCE_SUM", "POW"]
    becomes("p_norm", x, {"axis": 1, "keepdim": True}, sums)
    becomes("p_norm", x, {"asvector": True, "keepdim": True}, sums)
    becomes("p_norm", x, {"porder": 1.0}, ["ABS", "REDUCE_SUM"])
    becomes("p_norm", x, {"porder": float("inf")}, ["ABS", "REDUCE_MAX"])
    becomes("p_norm", x, {"porder": 3.0}, ["ABS", "POW", "REDUCE_SUM", "POW"])
    stays("p_norm", x, {"porder": 0.0}, "its porder is 0, not positive")
    reason = "its result is a 0-dim tensor, which NNAdapter does not have"
    stays("p_norm", x, {"asvector": True}, reason)


def test_grid_sampler() -> None:
    inputs = {"X": rand(2, 3, 4, 5), "Grid": rand(2, 6, 7, 2, low=-1.3, high=1.3)}
    for mode in ("bilinear", "nearest"):
        for padding in ("zeros", "border", "reflection"):
            attrs = {"mode": mode, "padding_mode": padding, "align_corners": False}
            becomes("grid_sampler", inputs, attrs, ["GRID_SAMPLE"])
    volume = {"X": rand(1, 2, 3, 4, 5), "Grid": rand(1, 2, 3, 4, 3)}
    stays("grid_sampler", volume, {}, "its input has 5 dimensions, not 4")


def test_index_select() -> None:
    x, index = rand(3, 4, 5), np.array([2, 0, 1, 1])
    becomes("index_select", {"X": x, "Index": index}, {"dim": 1}, ["GATHER"], params=["Index"])
    column = {"X": x, "Index": index[:, None]}
    becomes("index_select", column, {"dim": -1}, ["RESHAPE", "GATHER"])


def test_flip() -> None:
    x = {"X": rand(2, 3, 4)}
    for axes in ([0], [-1], [1, 2], [0, 1, 2]):
        becomes("flip", x, {"axis": axes}, ["SLICE"])
    stays("flip", x, {"axis": [1, -2]}, "its axes [1, -2] name a dimension twice")


def test_reduce_min() -> None:
    x = {"X": rand(2, 3, 4)}
    becomes("reduce_min", x, {"dim": [1]}, ["MUL", "REDUCE_MAX", "MUL"])
    becomes("reduce_min", x, {"reduce_all": True, "keep_dim": True}, ["MUL", "REDUCE_MAX", "MUL"])
    reason = "its result is a 0-dim tensor, which NNAdapter does not have"
    stays("reduce_min", x, {"reduce_all": True}, reason)


@pytest.mark.parametrize("kind", ["max", "avg"])
@pytest.mark.parametrize(
    ("size", "pads", "ceil"),
    [
        ([3, 5], [0, 0], False),
        ([3, 4], [0, 0], True),
        ([4, 6], [0, 0, 1, 0], False),
        ([2, 2], [0, 0], True),  # by more: the numbers of windows are rounded up
        ([3, 3], [0, 0, 1, 1], False),
    ],
)
def test_windows_that_stick_out_by_less_than_a_stride(
    kind: str, size: list[int], pads: list[int], ceil: bool
) -> None:
    attrs = {"pooling_type": kind, "ksize": [4, 6], "strides": [2, 3], "ceil_mode": ceil}
    name = {"max": "MAX_POOL_2D", "avg": "AVERAGE_POOL_2D"}[kind]
    becomes("pool2d", {"X": rand(1, 2, *size) - 1}, {**attrs, "paddings": pads}, [name])
