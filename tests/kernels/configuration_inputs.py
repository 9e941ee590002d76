"""Values for the tensors of a configuration: in a range that its operators make sense for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

Lod = list[list[int]]
Value = tuple[np.ndarray, Lod]
Attrs = dict[str, Any]
Random = np.random.Generator

_POSITIVE = {
    *(("log", "X"), ("sqrt", "X"), ("rsqrt", "X"), ("reciprocal", "X"), ("pow", "X")),
    *(("elementwise_pow", "X"), ("elementwise_div", "Y"), ("batch_norm", "Variance")),
    *(("matrix_nms", "Scores"), ("generate_proposals", "Scores"), ("beam_search", "scores")),
    *(("generate_proposals_v2", "Scores"), ("beam_search", "pre_scores")),
    *((f"multiclass_nms{version}", "Scores") for version in ("", "2", "3")),
}
"""Between 0.1 and 1.1."""

_BOXES = {
    *(("box_clip", "Input"), ("box_coder", "PriorBox"), ("box_coder", "TargetBox")),
    *(("matrix_nms", "BBoxes"), ("roi_align", "ROIs")),
    *((f"multiclass_nms{version}", "BBoxes") for version in ("", "2", "3")),
}
"""Rows of corners, the second beyond the first."""

_SEQUENCES = {
    *((f"sequence_{name}", "X") for name in ("concat", "conv", "pad", "pool", "softmax")),
    *((f"sequence_{name}", "X") for name in ("expand", "reshape", "reverse")),
    *(("sequence_expand", "Y"), ("sequence_expand_as", "Y"), ("ctc_align", "Input")),
    *(("gru", "Input"), ("lstm", "Input"), ("crf_decoding", "Emission")),
    *(("roi_align", "ROIs"), ("beam_search", "ids"), ("beam_search", "scores")),
    *(("crf_decoding", "Label"), ("lod_reset", "X"), ("box_clip", "Input")),
}
"""Divided into sequences."""

_BELOW: dict[tuple[str, str], Callable[[dict[str, Any], Attrs], int]] = {
    ("gather", "Index"): lambda shapes, attrs: shapes["X"][0],
    ("gather_nd", "Index"): lambda shapes, attrs: min(shapes["X"]),
    ("scatter_nd_add", "Index"): lambda shapes, attrs: min(shapes["X"]),
    ("index_select", "Index"): lambda shapes, attrs: shapes["X"][int(attrs.get("dim", 0))],
    ("lookup_table", "Ids"): lambda shapes, attrs: shapes["W"][0],
    ("lookup_table_v2", "Ids"): lambda shapes, attrs: shapes["W"][0],
    ("lookup_table_dequant", "Ids"): lambda shapes, attrs: shapes["W"][0],
    ("gather_tree", "Parents"): lambda shapes, attrs: shapes["Ids"][2],
    ("one_hot", "X"): lambda shapes, attrs: max(int(attrs.get("depth", 1)), 1),
    ("one_hot_v2", "X"): lambda shapes, attrs: max(int(attrs.get("depth", 1)), 1),
    ("crf_decoding", "Label"): lambda shapes, attrs: shapes["Emission"][-1],
    ("select_input", "Mask"): lambda shapes, attrs: 2,
    ("write_to_array", "I"): lambda shapes, attrs: 1,
}
"""Integers from 0 below a limit."""


def sequences(rows: int, random: Random, count: int = 0) -> Lod:
    """Offsets: of ``count`` sequences, or of two or three."""
    count = min(count or int(random.integers(2, 4)), rows)
    cuts = sorted(random.choice(np.arange(1, rows), count - 1, replace=False).tolist())
    return [[0, *cuts, rows]]


def _boxes(shape: list[int], random: Random) -> np.ndarray:
    """Corners, or the points of a convex polygon."""
    low = random.uniform(0, 8, [*shape[:-1], 2])
    if shape[-1] == 4:
        return np.concatenate([low, low + random.uniform(1, 8, low.shape)], -1)
    turns = np.linspace(0, 2 * np.pi, shape[-1] // 2, endpoint=False) + 0.3
    ring = np.stack([np.cos(turns), np.sin(turns)], -1)
    sides = random.uniform(2, 6, [*shape[:-1], 1, 2])
    return (low[..., None, :] + sides * ring).reshape(shape)


def _special(
    op: str, slot: str, shape: list[int], shapes: dict[str, Any], attrs: Attrs, random: Random
) -> Any:
    """Values that the operator's other tensors and attributes decide; None: nothing special."""
    at = (op, slot)
    count = int(np.prod(shape))
    if op in ("bilinear_interp", "nearest_interp"):
        if slot in ("OutSize", "SizeTensor"):
            return random.integers(5, 40, shape)
        return random.uniform(0.5, 2, shape) if slot == "Scale" else None
    if at in (("affine_grid", "OutputShape"), ("expand", "ExpandTimes")):
        return np.asarray(attrs.get("output_shape", []) or random.integers(1, 3, shape))
    if at == ("crop", "Offsets") or at == ("crop_tensor", "Offsets"):
        cut = attrs.get("shape") or shapes.get("Y", [])
        room = [a - b for a, b in zip(shapes["X"], cut, strict=False)]
        return np.asarray([max(n, 0) for n in (room + [0] * count)[:count]])
    if at == ("gather_tree", "Ids"):
        return random.integers(0, 50, shape)
    if at == ("scatter", "Ids"):
        return random.permutation(shapes["X"][0])[:count]
    if at in (("one_hot", "depth_tensor"), ("one_hot_v2", "depth_tensor")):
        return np.full(shape, max(int(attrs.get("depth", 1)), 1))
    if at == ("sequence_mask", "X"):
        return random.integers(0, 8, shape)
    if at == ("sequence_unpad", "Length"):
        return random.integers(1, shapes["X"][1] + 1, shape)
    if at == ("crf_decoding", "Length"):
        return random.integers(1, shapes["Emission"][1] + 1, shape)
    if at == ("ctc_align", "InputLength"):
        return random.integers(1, shapes["Input"][1] + 1, shape)
    if at == ("lod_reset", "Y"):
        rows = shapes["X"][0]
        return np.asarray([0, *sorted(random.integers(1, rows, count - 2).tolist()), rows])
    if slot == "RoisNum":
        total = shapes.get("ROIs", shapes.get("BBoxes", [0]))[0]
        numbers = np.full(count, total // count)
        numbers[: total % count] += 1
        return numbers
    if slot in ("ShapeTensor", "ShapeTensorList", "RepeatTimes", "repeat_times_tensor"):
        return random.integers(1, 3, shape)
    if at == ("concat", "AxisTensor"):
        return np.full(shape, int(attrs.get("axis", 0)))
    if at == ("im2sequence", "Y"):
        rows = [shapes["X"][2:]] * (count // 2)
        return np.asarray(rows).reshape(shape)
    if op == "top_k":  # without equal ones, whose order is open
        return random.permutation(count).reshape(shape) / count
    if at == ("unsqueeze2", "AxesTensor"):
        return np.arange(count)
    if slot == "K":
        return np.ones(shape)
    if at == ("linspace", "Num"):
        return np.full(shape, 5)
    if op == "range" and slot in ("Start", "End", "Step"):
        return np.full(shape, {"Start": 0.5, "End": 7.0, "Step": 1.5}[slot])
    if at == ("sequence_mask", "MaxLenTensor"):
        return np.full(shape, 9)
    if slot in ("ImInfo", "ImShape"):
        return np.broadcast_to([60.0, 50.0, 1.0][: shape[-1]], shape)
    if at == ("yolo_box", "ImgSize"):
        return random.integers(200, 400, shape)
    if op == "inverse":
        return random.uniform(-1, 1, shape) + 4 * np.eye(shape[-1])
    return None


def value(
    op: str,
    slot: str,
    tensor: tuple[str, list[int]],
    shapes: dict[str, Any],
    attrs: Attrs,
    random: Random,
) -> Value:
    """An array of a dtype and shape for a slot of an operator, and its LoD."""
    dtype, shape = tensor
    at = (op, slot)
    array = _special(op, slot, shape, shapes, attrs, random)
    if array is None and at in _BELOW:
        array = random.integers(0, _BELOW[at](shapes, attrs), shape)
    if array is None and at in _BOXES:
        array = _boxes(shape, random)
    if array is None and at in _POSITIVE:
        array = random.uniform(0.1, 1.1, shape)
    if array is None and dtype.startswith("float"):
        array = random.uniform(-1, 1, shape)
    if array is None:
        low = 0 if dtype in ("bool", "uint8") or op in ("ctc_align", "beam_search") else -5
        array = random.integers(low, 2 if dtype == "bool" else 6, shape)
    return np.ascontiguousarray(array.astype(dtype)).reshape(np.shape(array)), _lod(
        op, slot, shape, shapes, random
    )


def _lod(op: str, slot: str, shape: list[int], shapes: dict[str, Any], random: Random) -> Lod:
    at = (op, slot)
    if at not in _SEQUENCES or "Length" in shapes or "InputLength" in shapes:
        return []
    if at == ("box_clip", "Input"):
        return [list(range(shape[0] + 1))]
    if op == "roi_align":
        return [] if "RoisNum" in shapes else sequences(shape[0], random, shapes["X"][0])
    if op == "beam_search":
        return [[0, shape[0]], list(range(shape[0] + 1))]
    if op == "sequence_concat":
        return sequences(shape[0], random, 2)
    if op == "crf_decoding":  # Emission and Label alike
        return [[0, shape[0] // 3, shape[0]]]
    if op in ("gru", "lstm") and "H0" in shapes:
        return sequences(shape[0], random, shapes["H0"][0])
    if at == ("sequence_expand_as", "Y"):
        rows = shapes["X"][0]
        return sequences(shape[0], random, rows) if rows > 1 else [[0, shape[0]]]
    if op == "sequence_expand":
        return [[0, 1, shape[0]]]
    return sequences(shape[0], random) if shape[0] > 2 else [[0, shape[0]]]
