"""In a file for arm, roundings become calibs, and what Paddle Lite computes in int8 says so.

``fake_quantize_dequantize_*`` is no operator of Paddle Lite: a calib to int8 and one back do the
same. A convolution or fc behind it whose weight is a multiple of its scales takes the int8 tensor,
the weight in integers and the kernel that returns floats. calib's ``threshold`` and ``round_type``
are ours alone: with them our runtime rounds exactly as the program did. Not for x86: the calib of
real Paddle Lite 2.13 and 2.14 leaves a part of its output unwritten there.
"""

from __future__ import annotations

from lite.core.optimizer.graph import Graph, Node, Value, data_type
from lite.core.optimizer.kernel_pick import KERNEL_ATTR, int8_kernel, pick
from lite.core.optimizer.passes.post_quant_dynamic_pass import exact_steps
from lite.core.optimizer.quantization.fakes import STATIC_ROUND, rounded_activation
from lite.core.optimizer.quantization.scales import (
    BIT_LENGTH,
    ENABLE_INT8,
    WEIGHT_BITS,
    WEIGHT_SLOTS,
    Simulation,
    arguments,
    set_scale,
)
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.program import Attr, AttrType, DataType
from lite.model.text import print_op


def _cast(graph: Graph, context: Context, node: Node) -> bool:
    found = rounded_activation(node)
    if found is None or found[2].bits != 8 or node.type != STATIC_ROUND:
        return False
    source, out, simulation = found
    steps = Value(graph.fresh_name(f"{source.name}/quant"))
    steps.dtype, steps.shape = DataType.INT8, source.shape
    _calib(graph, context, node, source, steps, simulation)
    for reader in list(out.uses):
        _to_int8(graph, context, reader, out, steps, simulation)
    unread = out.dead
    graph.remove(node)
    if not unread:
        _calib(graph, context, None, steps, out, simulation, after=steps.producer)
    return True


def _calib(
    graph: Graph,
    context: Context,
    before: Node | None,
    source: Value,
    out: Value,
    simulation: Simulation,
    after: Node | None = None,
) -> None:
    home = before or after
    assert home is not None
    made = Node("calib", home.block)
    made.inputs["Input"], made.outputs["Out"] = [source], [out]
    made.attrs = {
        "scale": Attr(AttrType.FLOAT, simulation.scale),
        "threshold": Attr(AttrType.FLOAT, simulation.threshold),
        "round_type": Attr(AttrType.INT, simulation.round_type),
    }
    source.uses[made] = source.uses.get(made, 0) + 1
    out.producer = made
    home.block.link(made, before if before is not None else home.next)
    kernel = pick(made, context.targets)
    if kernel is not None:
        made.set_attr(KERNEL_ATTR, AttrType.STRING, str(kernel))


def _to_int8(
    graph: Graph, context: Context, reader: Node, out: Value, steps: Value, how: Simulation
) -> None:
    """Lets an operator that real Paddle Lite computes in int8 do that."""
    kernel, slots = int8_kernel(reader, context.targets), WEIGHT_SLOTS.get(reader.type)
    maker = steps.producer
    if kernel is None or slots is None or maker is None or reader.block is not maker.block:
        return
    read = [(slot, index) for slot, index, value in arguments(reader.inputs) if value is out]
    weight = reader.input(slots[1])
    made = exact_steps(reader, 8)
    if read != [(slots[0], 0)] or weight is None or made is None:
        return
    array, scales = made
    weight.array, weight.dtype = array, data_type(array.dtype)
    graph.replace_input(reader, slots[0], 0, steps)
    reader.attrs.pop(WEIGHT_BITS, None)
    set_scale(reader, slots[0], 0, [how.scale])
    set_scale(reader, slots[1], 0, scales)
    reader.set_attr(ENABLE_INT8, AttrType.BOOLEAN, True)
    reader.set_attr(BIT_LENGTH, AttrType.INT, 8)
    reader.set_attr(KERNEL_ATTR, AttrType.STRING, str(kernel))


def _run(graph: Graph, context: Context) -> None:
    if context.weight_bits is None or context.targets[:1] != ("arm",):
        return
    for block in graph.blocks:
        for node in block.of_type(STATIC_ROUND):
            before = [print_op(node.desc())] if context.trace is not None else []
            if _cast(graph, context, node):
                context.record(block.index, before, ("calib",))


register(Pass("type_precision_cast_pass", run=_run, final=True))
