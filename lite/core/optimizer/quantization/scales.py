"""The scales of an operator's operands, as attributes in Paddle Lite's vocabulary.

``Input0_scale: floats [s]`` says that the first variable of the slot ``Input`` stands for
integers times s; a weight has one number for each output channel. ``enable_int8`` and
``bit_length`` mark operators whose weight is stored in integers. While the optimizer runs,
``Input0_simulation: floats [threshold, bits, round_type]`` says besides that the program rounds
this operand itself, so that the numbers stay the program's own on a CPU in floating point.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

from lite.core.optimizer.graph import Node, Value
from lite.model.program import AttrType, DataType, OpDesc

_SCALE, _SIMULATION, _THRESHOLD = "_scale", "_simulation", "_threshold"
ENABLE_INT8, BIT_LENGTH = "enable_int8", "bit_length"

WEIGHT_BITS = "quantize_weight_bits"
"""Attribute of an operator whose weight was, or is, stored in integers of so many bits."""

WEIGHT_STEPS = "quantize_weight_steps"
"""While the optimizer runs: the largest integer of each output channel of such a weight, where it
is not that of the type. Factors that are folded into channels do not change it."""

WEIGHT_SLOTS: dict[str, tuple[str, str]] = {
    "conv2d": ("Input", "Filter"),
    "depthwise_conv2d": ("Input", "Filter"),
    "conv2d_transpose": ("Input", "Filter"),
    "depthwise_conv2d_transpose": ("Input", "Filter"),
    "mul": ("X", "Y"),
    "matmul": ("X", "Y"),
    "matmul_v2": ("X", "Y"),
    "fc": ("Input", "W"),
}
"""Operators whose weight is kept in integers: the slots of the activation and of the weight."""

AUXILIARY_OUTPUTS = frozenset(
    """
XShape Mask MeanOut VarianceOut SavedMean SavedVariance Mean Variance ReserveSpace Indices Index
OutScale OutAccum OutState
""".split()
)
"""Output slots that hold no activation."""


INDEX_SLOTS = frozenset(
    """
Shape ShapeTensor ShapeTensorList AxisTensor AxesTensor AxesTensorList Axis Ids Index K
ExpandTimes expand_times_tensor expand_shapes_tensor RepeatTimes repeat_times_tensor
StartsTensor StartsTensorList EndsTensor EndsTensorList StridesTensor StridesTensorList
SectionsTensorList SizeTensor OutSize Scale Paddings ScaleTensor
""".split()
)
"""Input slots that hold shapes, positions and factors, never an activation."""


@dataclass(frozen=True)
class Simulation:
    """How a program rounds an operand: to multiples of threshold / (2^(bits - 1) - 1)."""

    threshold: float
    bits: int
    round_type: int

    @property
    def scale(self) -> float:
        """The number for which the integer 1 stands."""
        return self.threshold / float(2 ** (self.bits - 1) - 1)


def _floats(node: Node | OpDesc, name: str) -> list[float] | None:
    value = node.attr(name)
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return [float(value)]
    if isinstance(value, list) and value and all(isinstance(v, (int, float)) for v in value):
        return [float(v) for v in value]
    return None


def get_scale(node: Node | OpDesc, slot: str, index: int = 0) -> list[float] | None:
    """The scales of an operand, or None where it is not quantised."""
    return _floats(node, f"{slot}{index}{_SCALE}")


def set_scale(node: Node, slot: str, index: int, scales: list[float]) -> None:
    """Says that an operand is quantised."""
    node.set_attr(f"{slot}{index}{_SCALE}", AttrType.FLOATS, scales)


def get_simulation(node: Node, slot: str, index: int = 0) -> Simulation | None:
    """How the program itself rounds an operand."""
    values = _floats(node, f"{slot}{index}{_SIMULATION}")
    if values is None or len(values) != 3:
        return None
    return Simulation(values[0], int(values[1]), int(values[2]))


def set_simulation(node: Node, slot: str, index: int, simulation: Simulation) -> None:
    """Says how the program rounds an operand, and that it is quantised so."""
    values = [simulation.threshold, float(simulation.bits), float(simulation.round_type)]
    node.set_attr(f"{slot}{index}{_SIMULATION}", AttrType.FLOATS, values)
    set_scale(node, slot, index, [simulation.scale])


def drop_simulations(node: Node | OpDesc) -> None:
    """Forgets how the program rounds; a device that computes in integers does so itself."""
    for name in [n for n in node.attrs if n.endswith(_SIMULATION)]:
        del node.attrs[name]


def drop_scales(node: Node) -> bool:
    """Makes an operator a float one; says whether it was anything else."""
    names = {ENABLE_INT8, BIT_LENGTH} if ENABLE_INT8 in node.attrs else set()
    names.add("quantization_type")
    for slots in (node.inputs, node.outputs):
        for slot, values in slots.items():
            for index in range(len(values)):
                names |= {f"{slot}{index}{_SCALE}", f"{slot}{index}{_SIMULATION}"}
    found = names & node.attrs.keys()
    for name in found:
        del node.attrs[name]
    return bool(found)


def output_threshold(node: Node, slot: str, index: int) -> float | None:
    """The largest size of an output, as the exporter saw it."""
    found = node.number(f"{slot}{index}{_THRESHOLD}", node.number(f"out{_THRESHOLD}", 0.0))
    return found if math.isfinite(found) and found > 0 else None


def set_output_threshold(node: Node, slot: str, index: int, threshold: float | None) -> None:
    """Says it, or that nobody knows it."""
    name = f"{slot}{index}{_THRESHOLD}"
    if threshold is not None:
        node.set_attr(name, AttrType.FLOAT, threshold)
    else:
        node.attrs.pop(name, None)
        node.attrs.pop(f"out{_THRESHOLD}", None)


def arguments(slots: dict[str, list[Value]]) -> Iterator[tuple[str, int, Value]]:
    """Every operand of the inputs or of the outputs: its slot, its place in it and its value."""
    for slot, values in slots.items():
        for index, value in enumerate(values):
            yield slot, index, value


def data_outputs(node: Node) -> Iterator[tuple[str, int, Value]]:
    """The outputs that may be quantised."""
    for slot, index, value in arguments(node.outputs):
        if slot not in AUXILIARY_OUTPUTS and may_be_quantized(value):
            yield slot, index, value


def may_be_quantized(value: Value) -> bool:
    """Whether a variable holds real numbers, as far as that is known."""
    return value.dtype in (None, DataType.FP32, DataType.INT8)


def data_inputs(node: Node) -> Iterator[tuple[str, int, Value]]:
    """The inputs that may be quantised and are computed."""
    for slot, index, value in arguments(node.inputs):
        if slot not in INDEX_SLOTS and may_be_quantized(value) and not value.is_param:
            yield slot, index, value


def is_int8(node: Node) -> bool:
    """Whether an operator computes in integers: it has scales of all inputs and of an output.

    One with a weight needs the scales of both its factors.
    """
    slots = WEIGHT_SLOTS.get(node.type, ())
    if not all(get_scale(node, slot) for slot in slots):
        return False
    inputs = [get_scale(node, slot, index) for slot, index, _ in data_inputs(node)]
    outputs = [get_scale(node, slot, index) for slot, index, _ in arguments(node.outputs)]
    return bool(inputs) and all(inputs) and any(outputs)
