"""Recurrent layers."""

from __future__ import annotations

from lite.core.optimizer.exchange.rewrite import END, Site, rewrite
from lite.core.optimizer.graph import Value


@rewrite("rnn")
def last_state(site: Site) -> bool:
    """Real Paddle Lite leaves State unwritten: with one layer, h is the last step of the output."""
    node = site.node
    out, states = node.output("Out"), node.outputs.get("State", [])
    width, both = node.integer("hidden_size", 0), node.flag("is_bidirec")
    if out is None or not states or states[0].dead or width <= 0:
        return False
    if node.integer("num_layers", 1) != 1 or node.input("SequenceLength") is not None:
        return False
    if out.producer is not node or not out.stable:
        return False
    last = states[0]
    unread = Value(site.graph.fresh_name(f"{last.name}.unread"))
    unread.dtype = last.dtype
    outputs = {**node.outputs, "State": [unread, *states[1:]]}
    site.graph.insert(node, "rnn", node.inputs, outputs, node.attrs)
    step = _slice([0], [-1], [END])
    if not both:
        return site.finish_value("slice", {"Input": out}, step, last)
    forward = _slice([0, 2], [-1, 0], [END, width])
    backward = _slice([0, 2], [0, width], [1, END])
    parts = [site.add("slice", {"Input": out}, cut, rank=3) for cut in (forward, backward)]
    return site.finish_value("concat", {"X": parts}, {"axis": 0}, last)


def _slice(axes: list[int], starts: list[int], ends: list[int]) -> dict[str, list[int]]:
    flags = {"infer_flags": [1] * len(axes), "decrease_axis": []}
    return {"axes": axes, "starts": starts, "ends": ends, **flags}
