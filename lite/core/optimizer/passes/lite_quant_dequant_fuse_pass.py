"""Recognises quantisation-aware training's fake operators, which nothing here computes yet."""

from __future__ import annotations

from collections import Counter

from lite.core.optimizer.graph import Graph
from lite.core.optimizer.registry import Context, Pass, register
from lite.errors import UnsupportedOperatorError


def _is_fake(type: str) -> bool:
    return type.startswith(("fake_quantize", "fake_dequantize", "fake_channel_wise")) or type in (
        "quantize_linear",
        "dequantize_linear",
        "quantize",
        "dequantize",
        "requantize",
    )


def _run(graph: Graph, context: Context) -> None:
    found = Counter(node.type for node in graph.nodes() if _is_fake(node.type))
    if found:
        listed = ", ".join(f"{type} ({count})" for type, count in sorted(found.items()))
        raise UnsupportedOperatorError(
            f"quantised programs are not supported yet: {listed}; export the model without "
            "quantisation (fp32), or remove these operators with PaddleSlim"
        )


register(Pass("lite_quant_dequant_fuse_pass", run=_run))
