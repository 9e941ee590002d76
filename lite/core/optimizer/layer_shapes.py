"""Partial shapes of what layers compute: convolutions, windows, products, attention."""

from __future__ import annotations

from collections.abc import Callable

from lite.core.optimizer.broadcasting import broadcast
from lite.core.optimizer.graph import Node, Shape

ShapeRule = Callable[[Node], "Shape | None"]


def input_shape(node: Node, slot: str) -> Shape | None:
    value = node.input(slot)
    return None if value is None else value.shape


def main_input_shape(node: Node) -> Shape | None:
    for slot in ("X", "Input", "x"):
        value = node.input(slot)
        if value is not None:
            return value.shape
    return None


def conv(node: Node) -> Shape | None:
    x, w = input_shape(node, "Input"), input_shape(node, "Filter")
    if w is None or len(w) < 3 or (x is not None and len(x) != len(w)):
        return None
    if x is None:
        x = (None,) * len(w)
    if node.string("data_format", "NCHW") not in ("NCHW", "NCDHW", "AnyLayout"):
        return (None,) * len(x)
    if "transpose" in node.type:
        channels = None if w[1] is None else w[1] * node.integer("groups", 1)
    else:
        channels = w[0]
    return (x[0], channels, *_where_single(node, x[2:], w[2:]))


def _where_single(node: Node, dims: Shape, taps: Shape) -> Shape:
    """Numbers of rows, columns, ... as they are where a window of one tap reads each once."""
    count = len(dims)
    steps, pads = node.integers("strides", [1] * count), node.integers("paddings", [0] * count)
    grown = any(node.integers("output_padding")) or node.integers("output_size")
    if len(taps) != count or len(steps) != count or len(pads) not in (count, 2 * count) or grown:
        return (None,) * count
    sides = len(pads) // count
    single = [
        taps[i] == 1 and steps[i] == 1 and not any(pads[sides * i : sides * (i + 1)])
        for i in range(count)
    ]
    return tuple(dim if same else None for dim, same in zip(dims, single, strict=True))


def pool(node: Node) -> Shape | None:
    x = main_input_shape(node)
    if x is None or len(x) < 3 or node.string("data_format", "NCHW") not in ("NCHW", "NCDHW"):
        return None if x is None else (None,) * len(x)
    spatial = len(x) - 2
    size = node.integers("ksize")
    fixed = node.flag("adaptive") and "KernelSize" not in node.inputs and len(size) == spatial
    dims: list[int | None] = [None] * spatial
    if node.flag("global_pooling") and node.flag("adaptive"):
        pass  # not one, whatever ksize is
    elif node.flag("global_pooling"):
        dims = [1] * spatial
    elif fixed:
        dims = [d if d > 0 else None for d in size]
    elif not node.flag("adaptive") and node.input("KernelSize") is None:
        dims = list(_where_single(node, x[2:], tuple(size)))
    return (*x[:2], *dims)


def matmul(node: Node) -> Shape | None:
    x, y = input_shape(node, "X"), input_shape(node, "Y")
    if x is None or y is None or len(x) < 2 or len(y) < 2:
        return None
    if node.type == "matmul" and len(x) != len(y) and min(len(x), len(y)) > 2:
        return None  # the old operator pairs as many matrices of either, and keeps X's batch
    if node.flag("trans_x", node.flag("transpose_X")):
        x = (*x[:-2], x[-1], x[-2])
    if node.flag("trans_y", node.flag("transpose_Y")):
        y = (*y[:-2], y[-1], y[-2])
    batch = broadcast(x[:-2], y[:-2], -1)
    return None if batch is None else (*batch, x[-2], y[-1])


def mul(node: Node) -> Shape | None:
    x, y = input_shape(node, "X"), input_shape(node, "Y")
    rows, columns = node.integer("x_num_col_dims", 1), node.integer("y_num_col_dims", 1)
    return None if x is None or y is None else (*x[:rows], *y[columns:])


def fc(node: Node) -> Shape | None:
    x, w = input_shape(node, "Input"), input_shape(node, "W")
    if x is None or w is None or len(w) != 2:
        return None
    if node.string("op_type") in ("matmul", "matmul_v2"):
        return (*x[:-1], w[1])
    return (*x[: node.integer("in_num_col_dims", 1)], w[1])


def rows_times(columns: int) -> ShapeRule:
    """Of a product of X's rows with Y, whose axis ``columns`` is as long as the result's last."""

    def rule(node: Node) -> Shape | None:
        x, y = input_shape(node, "X"), input_shape(node, "Y")
        return None if not x or y is None or len(y) <= columns else (*x[:-1], y[columns])

    return rule


def expert_matmul(node: Node) -> Shape | None:
    index, y = input_shape(node, "Index"), input_shape(node, "Y")
    if index is None or y is None or len(y) < 3:
        return None
    count: int | None = 1
    for dim in index:
        count = None if count is None or dim is None else count * dim
    return (count, y[1])


def cache_rows(node: Node) -> Shape | None:
    x = input_shape(node, "X")
    return None if x is None or len(x) != 4 else (*x[:2], None, x[3])


def linear_attention(node: Node) -> Shape | None:
    query, value = input_shape(node, "Query"), input_shape(node, "Value")
    if query is None or value is None or len(query) != 3 or len(value) != 3:
        return None
    groups = max(node.integer("q_num_heads", 1) // max(node.integer("kv_num_heads", 1), 1), 1)
    return (*query[:2], value[2] * groups if value[2] is not None else None)


def interp(node: Node) -> Shape | None:
    x = main_input_shape(node)
    return None if x is None or len(x) < 3 else (*x[:2], *(None,) * (len(x) - 2))
