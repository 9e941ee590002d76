"""Reductions of tensors of five dimensions and more, which 2.13 leaves uncomputed."""

from __future__ import annotations

from lite.core.optimizer.exchange.rewrite import END, Site, rewrite
from lite.core.optimizer.graph import Value
from lite.model.program import DataType

_MOST = 4


@rewrite("reduce_max", "reduce_mean", "reduce_min", "reduce_prod", "reduce_sum", target="x86")
def reduce_many(site: Site) -> bool:
    """What lies in front of the axes is one axis, and so is what lies behind."""
    node = site.node
    x = node.input("X")
    rank = None if x is None else site.rank(x)
    dims = node.integers("dim", [0])
    if node.input("AxisTensor") is not None:
        return False
    if x is None or rank is None or rank <= _MOST or node.flag("reduce_all") or not dims:
        return False
    if any(not -rank <= dim < rank for dim in dims):
        return False
    axes = sorted({dim % rank for dim in dims})
    first, last = axes[0], axes[-1]
    if len(axes) != last - first + 1 or len(axes) == rank:
        return False
    flat = x
    for start, stop in ((last + 1, rank - 1), (first, last), (0, first - 1)):
        if start < stop:
            ends = {"start_axis": start, "stop_axis": stop}
            flat = site.add("flatten_contiguous_range", {"X": flat}, ends)
    at = 1 if first else 0
    attrs = {**node.attrs, "dim": [at], "keep_dim": False, "reduce_all": False}
    reduced = site.add(node.type, {"X": flat}, attrs, _result(site))
    sizes = site.shape_of(x)
    parts = [_cut(site, sizes, 0, first)] if first else []
    if node.flag("keep_dim"):
        parts.append(site.param([1] * len(axes), DataType.INT32))
    if last + 1 < rank:
        parts.append(_cut(site, sizes, last + 1, END))
    shape = parts[0]
    if len(parts) > 1:
        shape = site.add("concat", {"X": parts}, {"axis": 0}, DataType.INT32, 1)
    return site.finish("reshape2", {"X": reduced, "Shape": shape})


def _result(site: Site) -> DataType | None:
    out = site.node.output("Out")
    return None if out is None else out.dtype


def _cut(site: Site, sizes: Value, start: int, end: int) -> Value:
    flags = {"infer_flags": [1], "decrease_axis": []}
    attrs = {"axes": [0], "starts": [start], "ends": [end], **flags}
    return site.add("slice", {"Input": sizes}, attrs, DataType.INT32, 1)
