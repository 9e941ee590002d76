"""What OpenVINO wants in another form, or must not be given; its ONNX reader does the rest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import openvino as ov
import openvino.opset13 as ops
from openvino.frontend.onnx import ConversionExtension

from lite.nnadapter.driver.attributes import axes_of, known
from lite.nnadapter.driver.onnx import OPERATIONS, Emitter, Function, Graph
from lite.nnadapter.driver.registrar import registrar
from lite.nnadapter.hal import Unsupported
from lite.nnadapter.model import Array, Model, Operand, Operation

DOMAIN = "lite"
WEIGHT_BYTES = 1024
"""From this size on, constants are put in after the ONNX model was read: they are not copied."""

_OWN: dict[str, Function] = {}
operation = registrar(_OWN)


def fits(elements: Array) -> bool:
    """Whether OpenVINO's 32 bits hold integers of 64."""
    return not elements.size or bool(elements.min() >= -(2**31) and elements.max() < 2**31)


def _checked(operand: Operand) -> None:
    if operand.precision is None:
        raise Unsupported(f"the element type of {operand} is not known")
    if operand.dtype == np.float64:
        raise Unsupported("OpenVINO computes float64 in lower precision")


@operation("ADD", "CUM_SUM", "MUL", "REDUCE_SUM", "SQUARE", "SUB", "SUM")
def no_int64(c: Emitter) -> Any:
    """Sums and products of int64 are refused: OpenVINO's 32 bits would overflow unnoticed."""
    if any(operand is not None and operand.dtype == np.int64 for operand in c.op.outputs):
        raise Unsupported(f"OpenVINO computes int64 in 32 bits, where {c.type} may overflow")
    return reduce(c) if c.type == "REDUCE_SUM" else OPERATIONS[c.type](c)


@operation("REDUCE_MAX", "REDUCE_MEAN")
def reduce(c: Emitter) -> Any:
    """OpenVINO's CPU joins what follows, a bias for instance, along a wrong axis of three; a split
    into one part keeps it out."""
    result, rank = OPERATIONS[c.type](c), c.rank("input")
    axes, keep = axes_of(c.op, rank), bool(c.number("keepdim", True))
    if rank != 3 or len(axes) in (0, 3):
        return result
    kept = c.node("Unsqueeze", [result, c.ints(axes)]) if not keep else result
    whole = c.node("Split", [kept, c.ints([1])], axis=axes[0])
    return whole if keep else c.node("Squeeze", [whole, c.ints(axes)])


@operation("AND", "NOT", "OR", "XOR")
def logic(c: Emitter) -> Any:
    """On truth values."""
    if any(operand is not None and operand.dtype != np.bool_ for operand in c.op.operands):
        raise Unsupported(f"{c.type} is for bool tensors here")
    return OPERATIONS[c.type](c)


@operation("LOG_SOFTMAX", "SOFTMAX")
def softmax(c: Emitter) -> Any:
    """Of float tensors."""
    c.need_float("input")
    return OPERATIONS[c.type](c)


@operation("PAD")
def pad(c: Emitter) -> Any:
    """With numbers that float32 holds."""
    if c.dtype("input").kind in "iu" and abs(c.number("value", 0)) > 2**24:
        raise Unsupported("OpenVINO pads with float32 numbers, which this value is beyond")
    return OPERATIONS[c.type](c)


@operation("LRN")
def lrn(c: Emitter) -> Any:
    """Of sizes that are known: OpenVINO makes a kernel for them."""
    known(c.shape("input"))
    return OPERATIONS["LRN"](c)


@operation("HARD_SIGMOID", "HARD_SWISH")
def hard_sigmoid(c: Emitter) -> Any:
    """OpenVINO's reader takes an alpha or beta of 0 for one that is not given."""
    c.need_float("input")
    alpha, beta = c.constant(c.number("alpha", 0.2)), c.constant(c.number("beta", 0.5))
    scaled = c.node("Add", [c.node("Mul", [c["input"], alpha]), beta])
    gate = c.node("Clip", [scaled, c.constant(0.0), c.constant(1.0)])
    return gate if c.type == "HARD_SIGMOID" else c.node("Mul", [c["input"], gate])


@operation("ADAPTIVE_AVERAGE_POOL_2D")
def adaptive_average_pool_2d(c: Emitter) -> Any:
    """Windows that share the input, evenly or not."""
    c.need_float("input")
    return c.node("AdaptiveAvgPool", [c["input"], c.shape_value("output_shape")], domain=DOMAIN)


@operation("ADAPTIVE_MAX_POOL_2D")
def adaptive_max_pool_2d(c: Emitter) -> Any:
    """And where the maxima stand."""
    c.need_float("input")
    inputs = [c["input"], c.shape_value("output_shape")]
    return c.node("AdaptiveMaxPool", inputs, 2, domain=DOMAIN)


def _above(threshold: Any) -> float:
    """What OpenVINO's >= finds where Paddle's > finds the threshold."""
    return float(np.nextafter(np.float32(threshold), np.float32(np.inf)))


@operation("NON_MAX_SUPPRESSION")
def non_max_suppression(c: Emitter) -> Any:
    """[class, score, corners] of the boxes that remain, how many each image has, and which.

    OpenVINO orders boxes of equal scores, and unites boxes without an area, in its own way.
    """
    top_k, keep = int(c.number("nms_top_k", -1)), int(c.number("keep_top_k", -1))
    if c.op.get("rois_num") is not None:
        raise Unsupported("NON_MAX_SUPPRESSION with rois_num has another order in OpenVINO")
    if c.shape("bboxes")[2] != 4:
        raise Unsupported("OpenVINO's NON_MAX_SUPPRESSION has boxes of 4 numbers only")
    if not c.number("normalized", True) or c.number("nms_eta", 1.0) != 1 or not top_k or not keep:
        raise Unsupported(
            "OpenVINO's NON_MAX_SUPPRESSION is for normalized boxes, an nms_eta of 1, and limits "
            "nms_top_k and keep_top_k that are not 0"
        )
    rows, places, counts = c.node(
        "MulticlassNms",
        [c["bboxes"], c["scores"]],
        3,
        domain=DOMAIN,
        iou_threshold=_above(c.number("nms_threshold", 0.3)),
        score_threshold=_above(c.number("score_threshold", 0.0)),
        nms_top_k=max(top_k, -1),
        keep_top_k=max(keep, -1),
        background_class=int(c.number("background_label", -1)),
    )
    return rows, counts, places


def _deform_conv(node: Any) -> Any:
    """OpenVINO's reader has no DeformConv."""
    pads = node.get_attribute("pads")
    given = [node.get_input(position) for position in range(node.get_input_size())]
    x, weight, offset, bias = given[:4]
    result = ops.deformable_convolution(
        x, offset, weight, node.get_attribute("strides"), pads[:2], pads[2:],
        node.get_attribute("dilations"), given[4] if len(given) > 4 else None, "EXPLICIT",
        node.get_attribute("group"), node.get_attribute("offset_group"), True,
    )  # fmt: skip
    return ops.add(result, ops.reshape(bias, [1, -1, 1, 1], False)).outputs()


def _grid_sample(node: Any) -> Any:
    """OpenVINO 2025.3's reader has no linear mode."""
    attributes = {
        "align_corners": bool(node.get_attribute("align_corners")),
        "mode": node.get_attribute("mode").replace("linear", "bilinear"),
        "padding_mode": node.get_attribute("padding_mode"),
    }
    return ops.grid_sample(node.get_input(0), node.get_input(1), attributes).outputs()


def _multiclass_nms(node: Any) -> Any:
    """Boxes that remain, which ONNX finds without their scores."""
    found = ops.multiclass_nms(
        node.get_input(0),
        node.get_input(1),
        sort_result_type="classid",
        output_type="i32",
        iou_threshold=node.get_attribute("iou_threshold"),
        score_threshold=node.get_attribute("score_threshold"),
        nms_top_k=node.get_attribute("nms_top_k"),
        keep_top_k=node.get_attribute("keep_top_k"),
        background_class=node.get_attribute("background_class"),
    )
    return found.outputs()


EXTENSIONS = [
    ConversionExtension("MulticlassNms", DOMAIN, _multiclass_nms),
    ConversionExtension(
        "AdaptiveAvgPool",
        DOMAIN,
        lambda node: ops.adaptive_avg_pool(node.get_input(0), node.get_input(1)).outputs(),
    ),
    ConversionExtension(
        "AdaptiveMaxPool",
        DOMAIN,
        lambda node: ops.adaptive_max_pool(node.get_input(0), node.get_input(1), "i32").outputs(),
    ),
    ConversionExtension("DeformConv", _deform_conv),
    ConversionExtension("GridSample", _grid_sample),
]


class _Shared:
    """A constant's elements: OpenVINO shares only what it might write, though it does not."""

    def __init__(self, elements: Array) -> None:
        self.elements = elements
        place = (elements.ctypes.data, False)
        self.__array_interface__ = {**elements.__array_interface__, "data": place}


class OpenVinoGraph(Graph):
    """A model for OpenVINO's ONNX reader."""

    operations: ClassVar[Mapping[str, Function]] = {**OPERATIONS, **_OWN}
    library = "OpenVINO"

    def __init__(self) -> None:
        super().__init__()
        self.proto.opset_import.add(domain=DOMAIN, version=1)
        self._weights: dict[str, Array] = {}

    def add_input(self, operand: Operand) -> None:
        """Makes an operand an input."""
        _checked(operand)
        super().add_input(operand)

    def stored(self, operand: Operand) -> str:
        """An operand's elements; a large constant is an input until the model was read."""
        if operand.index not in self._stored and operand.is_constant:
            _checked(operand)
            elements = operand.value
            if elements.dtype == np.int64 and not fits(elements):
                raise Unsupported("OpenVINO computes int64 in 32 bits, which a constant is beyond")
            if elements.nbytes >= WEIGHT_BYTES:
                self.add_input(operand)
                self._weights[self._stored[operand.index]] = elements.astype(
                    operand.dtype, copy=False
                )
        return super().stored(operand)

    def define(self, operand: Operand, name: str) -> None:
        """Sets an operand from its real numbers, in its element type."""
        _checked(operand)
        super().define(operand, name)

    def emit(self, op: Operation) -> None:
        """Adds an operation. Raises Unsupported with the reason where it cannot be done."""
        if any(operand is not None and 0 in operand.shape for operand in op.outputs):
            raise Unsupported("OpenVINO does not compute tensors without elements")
        super().emit(op)

    def read(self, core: ov.Core, model: Model) -> ov.Model:
        """A whole model as OpenVINO reads it, with its weights."""
        found = core.read_model(self.whole(model))
        for parameter in found.get_parameters():
            elements = self._weights.pop(parameter.get_friendly_name(), None)
            if elements is not None:
                constant = ops.constant(np.asarray(_Shared(elements)), shared_memory=True)
                parameter.output(0).replace(constant.output(0))
                found.remove_parameter(parameter)
        return found
