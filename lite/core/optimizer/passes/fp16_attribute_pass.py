"""In a file for arm, operators compute in half precision where Paddle Lite has such kernels.

Asked for by ``enable_fp16``. As real opt writes it: the kernels' precision is FP16, ``calib``
operators stand where half and single precision meet, and ``<weight>_fp16`` marks the weights, which
stay in float32 in the file. Variables that are known outside keep their names and their precision.
Our runtime computes all of it in float32.
"""

from __future__ import annotations

from lite.core.optimizer.graph import Graph, Node, Value
from lite.core.optimizer.kernel_pick import KERNEL_ATTR, Kernel, kernel_table
from lite.core.optimizer.quantization.scales import arguments
from lite.core.optimizer.registry import Context, Pass, register
from lite.model.program import Attr, AttrType, DataType
from lite.model.text import print_op

_ARM_FLOAT = ("4", "1")


def half_kernel(node: Node) -> Kernel | None:
    """The FP16 kernel that does what the operator's FP32 kernel for arm does."""
    parts = node.string(KERNEL_ATTR).split("/")
    if len(parts) != 5 or (parts[2], parts[3]) != _ARM_FLOAT:
        return None
    aliases = (parts[1], parts[1] + "_fp16")
    for kernel in kernel_table().get(node.type, ()):
        if (kernel.target, kernel.precision) == ("ARM", "FP16") and kernel.alias in aliases:
            return kernel
    return None


class _Halver:
    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.made: dict[tuple[int, Value, DataType], Value] = {}

    def change(self, node: Node) -> bool:
        """Gives a node its FP16 kernel, or the float32 numbers that it needs."""
        kernel = half_kernel(node)
        if kernel is not None and not self._fits(node):
            kernel = None
        changed = kernel is not None
        for slot, index, value in list(arguments(node.inputs)):
            if value.is_param:
                if kernel is not None:
                    node.set_attr(f"{value.name}_fp16", AttrType.STRING, "fp16")
                continue
            wanted = DataType.FP32 if kernel is None else DataType.FP16
            if value.dtype in (DataType.FP32, DataType.FP16) and value.dtype is not wanted:
                self.graph.replace_input(node, slot, index, self._as(node, value, wanted))
                changed = True
        if kernel is not None:
            node.set_attr(KERNEL_ATTR, AttrType.STRING, str(kernel))
            for slot, index, value in list(arguments(node.outputs)):
                if value.dtype is DataType.FP32:
                    self._halve_output(node, slot, index, value)
        return changed

    @staticmethod
    def _fits(node: Node) -> bool:
        """Whether all its types are known, and nothing is written twice or read elsewhere."""
        inputs = [v for v in node.input_values() if not v.is_param]
        params = [v.array for v in node.input_values() if v.array is not None]
        outputs = list(node.output_values())
        return (
            all(value.dtype is not None and value.stable for value in (*inputs, *outputs))
            and all(array.dtype.name == "float32" for array in params)
            and any(value.dtype in (DataType.FP32, DataType.FP16) for value in inputs)
            and not node.hidden_reads
            and not any(value.hidden_uses for value in outputs)
        )

    def _as(self, reader: Node, value: Value, wanted: DataType) -> Value:
        key = (reader.block.index, value, wanted)
        if key not in self.made or not value.stable:
            self.made[key] = out = self._value(value, wanted)
            self._calib(reader, reader, value, out)
        return self.made[key]

    def _value(self, like: Value, dtype: DataType) -> Value:
        value = Value(self.graph.fresh_name(f"{like.name}/precision_trans"))
        value.dtype, value.shape = dtype, like.shape
        return value

    def _halve_output(self, node: Node, slot: str, index: int, value: Value) -> None:
        if not value.pinned:
            value.dtype = DataType.FP16
            return
        inner = self._value(value, DataType.FP16)
        inner.producer = node
        node.outputs[slot][index] = inner
        self._calib(node, node.next, inner, value)
        self.made[node.block.index, value, DataType.FP16] = inner

    @staticmethod
    def _calib(near: Node, before: Node | None, source: Value, out: Value) -> None:
        made = Node("calib", near.block)
        made.inputs["Input"], made.outputs["Out"] = [source], [out]
        alias = "fp32_to_fp16" if out.dtype is DataType.FP16 else "fp16_to_fp32"
        made.attrs[KERNEL_ATTR] = Attr(AttrType.STRING, f"calib/{alias}/4/5/1")
        source.uses[made] = source.uses.get(made, 0) + 1
        out.producer = made
        near.block.link(made, before)


def _run(graph: Graph, context: Context) -> None:
    if not context.half or context.targets[:1] != ("arm",):
        return
    halver = _Halver(graph)
    for block in graph.blocks:
        for node in list(block):
            before = [print_op(node.desc())] if context.trace is not None else []
            if halver.change(node):
                after = [print_op(node.desc())] if context.trace is not None else []
                context.record(block.index, before, after)


register(Pass("fp16_attribute_pass", run=_run, final=True))
