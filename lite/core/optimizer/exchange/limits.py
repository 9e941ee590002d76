"""What a file holds that real Paddle Lite does not run, or runs with other numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from lite.core.optimizer.build import to_graph
from lite.core.optimizer.exchange.rewrite import Site
from lite.core.optimizer.graph import Graph, Node
from lite.core.optimizer.infer import infer
from lite.core.optimizer.kernel_pick import fits, pick
from lite.core.optimizer.vendors import listed_operators
from lite.model.program import DataType, Program

PADDLE_LITE = "2.14"
"""The version that the tables are of."""


@dataclass(frozen=True)
class Limit:
    """An operator of a program that real Paddle Lite has no kernel for, or whose kernel cannot do
    what is asked: then ``what`` says it ("of int64"). ``count`` is how often it stands there."""

    operator: str
    count: int
    what: str = ""

    def __str__(self) -> str:
        what = f" {self.what}" if self.what else ""
        return f"{self.operator}{what} ({self.count}x)"


def limits_line(limits: Sequence[Limit]) -> str:
    """One line: `runs here; real Paddle Lite 2.14 lacks: cosh (2x), ...`."""
    listed = ", ".join(str(limit) for limit in limits)
    return f"runs here; real Paddle Lite {PADDLE_LITE} lacks: {listed}"


def limits(
    program: Program, targets: Sequence[str] = ("x86",), devices: Iterable[str] = ()
) -> tuple[Limit, ...]:
    """What keeps a program that is written for CPU ``targets``, with subgraphs for ``devices``,
    from running right in real Paddle Lite; the most frequent first."""
    graph = to_graph(program)
    graph.targets = tuple(targets)
    infer(graph)
    found = Counter(
        (node.type, what) for node in graph.nodes() if (what := _what(graph, node)) is not None
    )
    known = listed_operators(devices)
    if known is not None:
        inner = (op.type for detached in graph.subgraphs.values() for op in detached.ops)
        found.update((type, "in a subgraph") for type in inner if type not in known)
    ordered = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return tuple(Limit(type, count, what) for (type, what), count in ordered)


def _what(graph: Graph, node: Node) -> str | None:
    """What an operator cannot do, "" where there is no kernel, None where all is well."""
    if node.type in ("feed", "fetch"):
        return _of_border(node)
    kernel = pick(node, graph.targets)
    if kernel is None:
        return ""
    for value in (*node.input_values(), *node.output_values()):
        if value.dtype is DataType.FP64:
            return "of float64"
    check = _CHECKS.get(node.type)
    what = None if check is None else check(Site(graph, node))
    if what:
        return what
    if not fits(node, kernel):
        return f"of {_name(_first_dtype(node))}"
    return None


def _of_border(node: Node) -> str | None:
    values = (*node.input_values(), *node.output_values())
    return "of float64" if any(v.dtype is DataType.FP64 for v in values) else None


def _first_dtype(node: Node) -> DataType | None:
    return next((value.dtype for value in node.input_values()), None)


def _name(dtype: DataType | None) -> str:
    names = {DataType.FP16: "float16", DataType.FP32: "float32", DataType.FP64: "float64"}
    return "unknown type" if dtype is None else names.get(dtype, dtype.name.lower())


# -- What kernels that there are cannot do, as measured.


def _cast(site: Site) -> str:
    out = site.node.output("Out")
    bad = (DataType.FP16, DataType.UINT8, DataType.INT16, DataType.BOOL)
    changes = out is not None and out.dtype in bad and out.dtype is not _first_dtype(site.node)
    return f"to {_name(out.dtype)}" if out is not None and changes else ""


def _of_floats(site: Site) -> str:
    return "of float32" if _first_dtype(site.node) is DataType.FP32 else ""


def _gelu(site: Site) -> str:
    return "by tanh, exact there" if site.node.flag("approximate") else ""


def _rnn(site: Site) -> str:
    node = site.node
    if node.string("mode") not in ("LSTM", "GRU"):
        return f"of mode {node.string('mode')}"
    if node.input("SequenceLength") is not None:
        return "with lengths"
    read = any(not state.dead for state in node.outputs.get("State", []))
    return "whose state is read" if read else ""


def _pad3d(site: Site) -> str:
    node = site.node
    if node.input("Paddings") is not None:
        return "with computed paddings"
    constant = node.string("mode", "constant") == "constant"
    return "with another value than 0" if constant and node.number("value", 0.0) else ""


def _interpolate(site: Site) -> str:
    node = site.node
    if any(node.inputs.get(slot) for slot in ("OutSize", "SizeTensor", "Scale")):
        return ""
    if min(node.integer("out_h", -1), node.integer("out_w", -1)) > 0:
        return ""
    scale = node.attr("scale", [])
    listed = scale if isinstance(scale, list) else [scale]
    odd = [s for s in listed if isinstance(s, float) and math.isfinite(s) and not s.is_integer()]
    return f"by {odd[0]:g}" if odd and node.flag("align_corners") is False else ""


def _split(site: Site) -> str:
    return "along a computed axis" if site.node.input("AxisTensor") is not None else ""


def _array_length(site: Site) -> str:
    x = site.node.input("X")
    joined = x is not None and any(
        value.name == x.name
        for node in site.graph.nodes()
        if node.type == "tensor_array_to_tensor"
        for value in node.input_values()
    )
    behind = joined and site.node.block is site.graph.root
    return "of a list that was joined" if behind else ""


def _yolo_box(site: Site) -> str:
    return "of maps that are not square"


def _axis(site: Site, right: int) -> str:
    x = site.node.input("X")
    rank = None if x is None else site.rank(x)
    axis = site.node.integer("axis", -1)
    if rank is None:
        return "" if axis == right else f"along axis {axis}"
    return "" if rank < 2 or axis % rank == right % rank else f"along axis {axis}"


def _softmax(site: Site) -> str:
    return _axis(site, -1) if "x86" in site.graph.targets else ""


def _log_softmax(site: Site) -> str:
    return _axis(site, 0)


def _strided_slice(site: Site) -> str:
    return "backwards" if min(site.node.integers("strides"), default=1) < 0 else ""


def _where(site: Site) -> str:
    shapes = {site.dims(value) for value in site.node.input_values()}
    several = len(shapes) > 1 or None in shapes
    return "of several shapes" if several and site.node.flag("broadcast") else ""


_CHECKS: dict[str, Callable[[Site], str]] = {
    **dict.fromkeys(("bilinear_interp_v2", "nearest_interp_v2"), _interpolate),
    **dict.fromkeys(("elementwise_mod", "elementwise_floordiv"), _of_floats),
    "cast": _cast,
    "gelu": _gelu,
    "lod_array_length": _array_length,
    "log_softmax": _log_softmax,
    "pad3d": _pad3d,
    "rnn": _rnn,
    "softmax": _softmax,
    "split": _split,
    "strided_slice": _strided_slice,
    "where": _where,
    "yolo_box": _yolo_box,
}
