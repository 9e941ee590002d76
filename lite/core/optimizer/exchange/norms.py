"""Norms, and convolutions with something left out."""

from __future__ import annotations

import math

from lite.core.optimizer.exchange.rewrite import END, Site, rewrite
from lite.core.optimizer.graph import Value
from lite.model.program import DataType


@rewrite("layer_norm")
def layer_norm(site: Site) -> bool:
    """Without scale or bias real Paddle Lite dies."""
    node = site.node
    x = node.input("X")
    given = {slot: node.input(slot) for slot in ("Scale", "Bias")}
    if x is None or None not in given.values():
        return False
    begin = node.integer("begin_norm_axis", 1)
    cut = {"axes": [0], "starts": [begin], "ends": [END], "infer_flags": [1], "decrease_axis": []}
    sizes = site.add("slice", {"Input": site.shape_of(x)}, cut, DataType.INT32, 1)
    inputs = {"X": x}
    for slot, number in (("Scale", 1.0), ("Bias", 0.0)):
        inputs[slot] = given[slot] or site.flat(site.like(sizes, number))
    attrs = {"begin_norm_axis": begin, "epsilon": node.number("epsilon", 1e-5)}
    return site.finish("layer_norm", inputs, attrs, "Y", "Y")


@rewrite("p_norm")
def p_norm(site: Site) -> bool:
    """Real Paddle Lite knows the Euclidean norm along an axis, others of positive numbers."""
    node = site.node
    x, order = node.input("X"), node.number("porder", 2.0)
    out = node.output("Out")
    assert x is not None and out is not None
    keep, whole = node.flag("keepdim"), node.flag("asvector")
    if x.dtype is not DataType.FP32 or order == 0 or (order == 2 and not whole):
        return False
    rank = site.rank(x)
    if whole and keep and rank is None:
        return False
    # The norm of the absolute values stays as it is: this is where rewriting ends.
    if x.producer is not None and x.producer.type == "abs" and not (whole or _simple(order)):
        return False
    axis = 0 if whole else node.integer("axis", -1)
    row = site.flat(x) if whole else x
    flags = {"keepdim": False if whole else keep}
    result = _norm(site, row, order, axis, flags["keepdim"])
    if whole and keep:
        return site.finish("reshape2", {"X": result}, {"shape": [1] * (rank or 1)})
    return site.finish("assign", {"X": result})


def _simple(order: float) -> bool:
    return order == 1 or math.isinf(order)


def _norm(site: Site, x: Value, order: float, axis: int, keep: bool) -> Value:
    if order == 2:
        return site.add("p_norm", {"X": x}, _p_attrs(site, order, axis, keep))
    positive = site.add("abs", {"X": x})
    if not _simple(order):
        return site.add("p_norm", {"X": positive}, _p_attrs(site, order, axis, keep))
    type = "reduce_sum" if order == 1 else "reduce_max" if order > 0 else "reduce_min"
    attrs = {"dim": [axis], "keep_dim": keep, "reduce_all": False}
    return site.add(type, {"X": positive}, attrs)


def _p_attrs(site: Site, order: float, axis: int, keep: bool) -> dict[str, object]:
    return {
        "porder": order,
        "axis": axis,
        "keepdim": keep,
        "asvector": False,
        "epsilon": site.node.number("epsilon", 1e-12),
    }


@rewrite("deformable_conv")
def deformable_conv(site: Site) -> bool:
    """Real Paddle Lite needs a mask: half as many channels as the offsets have."""
    node = site.node
    offset = node.input("Offset")
    if offset is None or node.input("Mask") is not None:
        return False
    half = site.param([1, 2, 1, 1], DataType.INT32)
    sizes = site.add("elementwise_floordiv", {"X": site.shape_of(offset), "Y": half}, {"axis": -1})
    inputs = {**node.inputs, "Mask": [site.like(sizes, 1.0)]}
    return site.finish("deformable_conv", inputs, node.attrs, "Output", "Output")
