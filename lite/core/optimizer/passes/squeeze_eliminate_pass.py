"""Operators between convolutions of lines work on images of one row or column, as those do.

Exporters and the ONNX reader make images of lines for a convolution or pooling and lines of the
result: what stands between two of them could not go into their ends, nor take their layout.
"""

from __future__ import annotations

from collections.abc import Iterator

from lite.core.optimizer.graph import Graph, Node
from lite.core.optimizer.region import Start, cancel, order_after, order_before, turn_regions
from lite.core.optimizer.registry import Context, Pass, register

_OF_IMAGES = (
    "conv2d",
    "depthwise_conv2d",
    "conv2d_transpose",
    "depthwise_conv2d_transpose",
    "pool2d",
    "conv3d",
    "conv3d_transpose",
    "pool3d",
)


def _starts(seed: Node) -> Iterator[Start]:
    """The operators on a view's side of lines, each with the order of images."""
    x, out = seed.input("X"), seed.output("Out")
    before, after = order_before(seed), order_after(seed)
    if x is None or out is None:
        return
    if before is not None and x.producer is not None and x.producer.type in _OF_IMAGES:
        for user in out.uses:
            # A squeeze costs nothing: it is enough that the convolution is met.
            yield user, before, 0
    if after is not None and x.producer is not None and any(u.type in _OF_IMAGES for u in out.uses):
        yield x.producer, after, 1


def _run(graph: Graph, context: Context) -> None:
    for block in graph.blocks:
        for view in block.of_type("squeeze2", "unsqueeze2"):
            if view in block.by_type[view.type]:
                cancel(graph, context, view)
        seeds = block.of_type("squeeze2", "unsqueeze2")
        turn_regions(graph, context, block, [start for seed in seeds for start in _starts(seed)])


register(Pass("squeeze_eliminate_pass", run=_run))
