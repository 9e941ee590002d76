"""Element types and partial shapes of values, inferred from the operators.

VarDesc is believed only for what is fed (dtype and number of dimensions). A dimension or a whole
shape that is not certain is None; a pass that needs it then does nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from lite.core.optimizer.build import sub_block
from lite.core.optimizer.graph import Graph, Node, Value
from lite.core.optimizer.shape_rules import COMPARISONS, main_shape
from lite.core.user_operators import is_added
from lite.model.program import DataType, VarDesc

_TRUTHS = """
logical_not isnan isinf isfinite isnan_v2 isinf_v2 isfinite_v2 is_empty reduce_all reduce_any
allclose isclose
""".split()

_FIXED_DTYPES: dict[str, DataType] = dict.fromkeys((*COMPARISONS, *_TRUTHS), DataType.BOOL) | {
    "shape": DataType.INT32,
    "size": DataType.INT64,
    "dequantize_linear": DataType.FP32,
    "binomial": DataType.INT64,
    "histogram": DataType.INT64,
    "multinomial": DataType.INT64,
    "where_index": DataType.INT64,
    "equal_all": DataType.BOOL,
    "lod_array_length": DataType.INT64,
    "crf_decoding": DataType.INT64,
    "edit_distance": DataType.FP32,
    "multiclass_nms": DataType.FP32,
    "nms": DataType.INT64,
    "locality_aware_nms": DataType.FP32,
}

_FIXED_OUTPUTS: dict[str, DataType] = {
    "NmsRoisNum": DataType.INT32,
    "MultiLevelRoIsNum": DataType.INT32,
    "RpnRoisNum": DataType.INT32,
}

_DTYPE_ATTRS: dict[str, tuple[str, DataType | None]] = {
    "cast": ("out_dtype", None),
    "fill_constant": ("dtype", DataType.FP32),
    "fill_constant_batch_size_like": ("dtype", DataType.FP32),
    "fill_any_like": ("dtype", None),
    "fill_zeros_like": ("dtype", None),
    "assign_value": ("dtype", DataType.FP32),
    "uniform_random": ("dtype", DataType.FP32),
    "gaussian_random": ("dtype", DataType.FP32),
    "truncated_gaussian_random": ("dtype", DataType.FP32),
    "randint": ("dtype", DataType.INT64),
    "randperm": ("dtype", DataType.INT64),
    "empty": ("dtype", DataType.FP32),
    "eye": ("dtype", DataType.FP32),
    "linspace": ("dtype", None),
    "logspace": ("dtype", None),
    "one_hot": ("dtype", DataType.FP32),
    "one_hot_v2": ("dtype", DataType.FP32),
    "arg_max": ("dtype", DataType.INT64),
    "arg_min": ("dtype", DataType.INT64),
    "sequence_mask": ("out_dtype", DataType.INT64),
    "tdm_child": ("dtype", DataType.INT32),
    "reduce_sum": ("out_dtype", None),
    "reduce_prod": ("out_dtype", None),
    "reduce_mean": ("out_dtype", None),
    "cumsum": ("out_dtype", None),
    "nansum": ("dtype", None),
    "tril_indices": ("dtype", DataType.INT64),
    "triu_indices": ("dtype", DataType.INT64),
    "matrix_rank": ("out_dtype", DataType.INT32),
}

_INTS = (DataType.INT32, DataType.INT64)
_COUNTS = dict.fromkeys((DataType.BOOL, DataType.INT32), DataType.INT64)

_COMPLEX = {DataType.FP32: DataType.COMPLEX64, DataType.FP64: DataType.COMPLEX128}
_PARTS = {whole: part for part, whole in _COMPLEX.items()}

_PROMOTIONS: dict[str, dict[DataType, DataType]] = dict.fromkeys(
    ("exp", "expm1", "log", "log10", "log1p", "log2"), dict.fromkeys(_INTS, DataType.FP32)
) | {
    "atan2": dict.fromkeys(_INTS, DataType.FP64),
    "nansum": _COUNTS,
    "reduce_as": _COUNTS,
    "reduce_sum": _COUNTS,
    **dict.fromkeys(("abs", "angle", "as_real", "fft_c2r", "imag", "real"), _PARTS),
    **dict.fromkeys(("as_complex", "complex", "fft_r2c", "stft"), _COMPLEX),
}
"""What becomes of element types that the main output does not keep, unless an attribute says."""

_ARITHMETIC = frozenset(f"elementwise_{name}" for name in ("add", "sub", "mul", "div"))

_VALUE_SLOTS = "X Input W Data Start Logits X1 Emission Rois ROIs Theta Weight x".split()
"""Slots whose element type the main output has, the first that is there."""

_EXTRA_DTYPES: dict[tuple[str, str], DataType | None] = {
    ("top_k", "Indices"): DataType.INT64,
    ("top_k_v2", "Indices"): DataType.INT64,
    ("argsort", "Indices"): DataType.INT64,
    ("kthvalue", "Indices"): DataType.INT64,
    ("max_with_index", "indices"): DataType.INT64,
    ("median", "medians"): DataType.INT64,
    ("min_with_index", "indices"): DataType.INT64,
    ("mode", "Indices"): DataType.INT64,
    ("nanmedian", "MedianIndex"): DataType.INT64,
    ("max_pool2d_with_index", "Mask"): DataType.INT32,
    ("max_pool3d_with_index", "Mask"): DataType.INT32,
    ("beam_search", "selected_ids"): DataType.INT64,
    ("beam_search", "selected_scores"): DataType.FP32,
    ("beam_search", "parent_idx"): DataType.INT32,
    ("edit_distance", "SequenceNum"): DataType.INT64,
    ("roi_pool", "Argmax"): DataType.INT64,
    ("collect_fpn_proposals", "RoisNum"): DataType.INT32,
    ("sequence_pad", "Length"): DataType.INT64,
    ("ctc_align", "OutputLength"): None,  # Input's, or int64 where that has LoD
    ("distribute_fpn_proposals", "RestoreIndex"): DataType.INT32,
    ("dropout", "Mask"): DataType.UINT8,
    ("matrix_nms", "RoisNum"): DataType.INT32,
    ("rnn", "DropoutState"): DataType.UINT8,
    ("sequence_pool", "MaxIndex"): DataType.INT32,
    ("generate_proposals_v2", "RpnRoisNum"): DataType.INT32,
    ("flash_attn", "seed_offset"): DataType.INT64,
    ("flash_attn_unpadded", "seed_offset"): DataType.INT64,
    ("memory_efficient_attention", "seed_and_offset"): DataType.INT64,
    ("fused_dropout_add", "seed_offset"): DataType.INT64,
    ("graph_send_recv", "Dst_count"): DataType.INT32,
    ("graph_send_ue_recv", "Dst_count"): DataType.INT32,
    ("top_p_sampling", "ids"): DataType.INT64,
    ("accuracy", "Accuracy"): DataType.FP32,
    ("accuracy", "Correct"): DataType.INT32,
    ("accuracy", "Total"): DataType.INT32,
    ("mean_iou", "OutMeanIou"): DataType.FP32,
    ("mean_iou", "OutWrong"): DataType.INT32,
    ("mean_iou", "OutCorrect"): DataType.INT32,
    ("beam_search_decode", "SentenceIds"): DataType.INT64,
    ("beam_search_decode", "SentenceScores"): DataType.FP32,
    ("sequence_topk_avg_pooling", "pos"): DataType.INT32,
    ("viterbi_decode", "Path"): DataType.INT64,
    ("bipartite_match", "ColToRowMatchIndices"): DataType.INT32,
    ("fractional_max_pool2d", "mask"): DataType.INT32,
    ("fractional_max_pool3d", "mask"): DataType.INT32,
    ("lu", "Pivots"): DataType.INT32,
    ("lu", "Infos"): DataType.INT32,
}


_INDEX_OUTPUTS: dict[str, tuple[str, ...]] = {
    "unique": ("Indices", "Index", "Counts"),
    "unique_consecutive": ("Index", "Counts"),
    "unique_with_counts": ("Index", "Count"),
}
"""Outputs whose element type is the attribute ``dtype``, int64 where that is absent."""


def _attr_dtype(number: object) -> DataType | None:
    if isinstance(number, int) and number >= 0:
        try:
            return DataType(number)
        except ValueError:
            return None
    return None


def _main_dtype(node: Node) -> DataType | None:
    fixed = _FIXED_DTYPES.get(node.type)
    if fixed is not None:
        return fixed
    if node.type in _DTYPE_ATTRS:
        name, default = _DTYPE_ATTRS[node.type]
        found = _attr_dtype(node.attr(name))
        if found is not None or default is not None:
            return found if found is not None else default
    if node.type in ("calib", "calib_once"):
        return None  # its kernel says
    if node.type == "bincount":
        weights = node.input("Weights")
        if weights is None:
            return DataType.INT64
        return DataType.FP64 if weights.dtype in (*_INTS, DataType.FP64) else weights.dtype
    if node.type in ("lookup_table", "lookup_table_v2"):
        return _dtype_of(node, ("W",))
    if node.type == "merge_lod_tensor":
        return _dtype_of(node, ("InTrue",))
    found = _dtype_of(node, _VALUE_SLOTS)
    if node.type in _ARITHMETIC:
        return _with_complex(found, _dtype_of(node, ("Y",)))
    return found if found is None else _PROMOTIONS.get(node.type, {}).get(found, found)


def _with_complex(x: DataType | None, y: DataType | None) -> DataType | None:
    """The type of X op Y; they have one, unless one of them is complex."""
    if x is None or not {x, y} & _PARTS.keys():
        return x
    wide = {x, y} & {DataType.FP64, DataType.COMPLEX128}
    return DataType.COMPLEX128 if wide else DataType.COMPLEX64


def _dtype_of(node: Node, slots: Iterable[str]) -> DataType | None:
    for slot in slots:
        value = node.input(slot)
        if value is not None:
            return value.dtype
    for value in node.input_values():
        return value.dtype
    return None


def output_dtype(node: Node, slot: str) -> DataType | None:
    """The element type of an operator's output, or None where it is unknown."""
    if is_added(node.type):
        return None
    if (node.type, slot) in _EXTRA_DTYPES:
        return _EXTRA_DTYPES[node.type, slot]
    if node.type in ("cummax", "cummin") and slot == "indices":
        return _attr_dtype(node.attr("dtype")) or DataType.INT64
    if slot in _INDEX_OUTPUTS.get(node.type, ()):
        return _attr_dtype(node.attr("dtype")) or DataType.INT64
    if node.type == "searchsorted":
        return DataType.INT32 if node.flag("out_int32") else DataType.INT64
    if slot in _FIXED_OUTPUTS:
        return _FIXED_OUTPUTS[slot]
    if slot == "Index" and "nms" in node.type:
        return DataType.INT32
    return _main_dtype(node)


_MAIN_OUTPUTS = frozenset({"Out", "Output", "Result", "Y", "out"})


def infer_node(node: Node, overwrite: bool = True) -> None:
    """Sets dtype and shape of an operator's outputs from its inputs.

    With ``overwrite`` false, what is known already stays.
    """
    shape = main_shape(node)
    for slot, values in node.outputs.items():
        for value in values:
            if overwrite or value.dtype is None:
                value.dtype = output_dtype(node, slot)
            if overwrite or value.shape is None:
                value.shape = shape if slot in _MAIN_OUTPUTS else None


def _infer_feed(node: Node, declared: dict[str, VarDesc]) -> None:
    for value in node.output_values():
        desc = declared.get(value.name)
        if desc is not None:
            value.dtype = desc.dtype
            value.shape = (None,) * len(desc.shape)


def _infer_declared(node: Node, declared: dict[str, VarDesc]) -> None:
    """Of a subgraph's outputs only what is declared is known, and shapes may have changed."""
    for value in node.output_values():
        desc = declared.get(value.name)
        value.dtype = desc.dtype if desc is not None else None


def infer(graph: Graph) -> None:
    """Sets dtype and shape of every value of the program."""
    _infer_block(graph, 0, {})


def _infer_block(graph: Graph, index: int, outer: dict[str, Value]) -> dict[str, Value]:
    """Infers one block; returns the last version of each name that it has."""
    block = graph.blocks[index]
    last: dict[str, Value] = dict(outer)
    for name, value in block.entry.items():
        source = outer.get(name)
        desc = block.desc.vars.get(name) or graph.root.desc.vars.get(name)
        value.dtype = source.dtype if source else desc.dtype if desc and index == 0 else None
        if source is not None and source.stable and value.stable:
            value.shape = source.shape
        last[name] = value
    for node in block:
        child = sub_block(node)
        if node.type == "feed":
            _infer_feed(node, block.desc.vars)
        elif child is not None:
            inner = _infer_block(graph, child, last)
            for value in (*node.output_values(), *node.hidden_writes):
                found = inner.get(value.name)
                value.dtype = found.dtype if found is not None else None
        elif node.type == "subgraph":
            _infer_declared(node, block.desc.vars)
        else:
            infer_node(node)
        for value in (*node.output_values(), *node.hidden_writes):
            last[value.name] = value
    return last
