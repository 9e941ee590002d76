"""Cases that the fake quantisation operators share: inputs that fall on and between the steps."""

from __future__ import annotations

import numpy as np
from harness import OpTable, rand


def on_ties(scale: float = 2.0, bits: int = 8) -> np.ndarray:
    """Numbers halfway between two steps of the grid, and numbers beyond its ends."""
    bound = 2 ** (bits - 1) - 1
    halves = (np.arange(-8, 8) + 0.5) * scale / bound
    return np.concatenate([halves, [-3 * scale, -scale, scale, 1.5 * scale]]).astype("float32")


def static_table(op: str) -> OpTable:
    """The table of an operator with a stored scale."""
    table = OpTable(op)
    for rounding in (0, 1):
        for bits in (4, 8, 16):
            attrs = {"is_test": True, "round_type": rounding, "bit_length": bits}
            for x in (on_ties(bits=bits), rand(2, 3, 5, 4, low=-3, high=3), rand(1)):
                feeds = {"X": x, "InScale": np.array([2.0], "float32")}
                table.case(feeds, attrs)
    one = {"X": rand(2, 3), "InScale": rand(1, low=0.5)}
    table.case(one, {"is_test": True})
    table.case({**one, "InScale": np.zeros(1, "float32")}, {"is_test": True})
    table.case(
        {"X": np.empty((0, 2), "float32"), "InScale": rand(1)},
        {"is_test": True},
        outputs={"Out": 1, "OutScale": 1},
        reference=lambda i, a: {"Out": i["X"], "OutScale": i["InScale"]},
    )
    table.error(one, {"is_test": False}, error="ShapeError", match="is_test")
    table.error(one, {"is_test": True, "bit_length": 1}, error="ShapeError", match="bit_length")
    table.error(one, {"is_test": True, "bit_length": 70}, error="ShapeError", match="bit_length")
    table.error(one, {"is_test": True, "round_type": 3}, error="ShapeError", match="round_type")
    table.error({**one, "InScale": rand(2)}, {"is_test": True}, error="ShapeError", match="InScale")
    integers = {**one, "X": np.ones((2, 3), "int64")}
    table.error(integers, {"is_test": True}, error="DataTypeError", match="int64")
    table.exempt("is_test", "false is an error")
    return table


def dynamic_table(op: str, channel_wise: bool) -> OpTable:
    """The table of an operator that takes its scale from the numbers that it is given."""
    table = OpTable(op)
    outputs = {"Out": 1, "OutScale": 1}
    for axis in (0, 1) if channel_wise else (None,):
        where = {} if axis is None else {"quant_axis": axis}
        for rounding in (0, 1):
            for bits in (4, 8, 16):
                attrs = {"round_type": rounding, "bit_length": bits, **where}
                table.case({"X": rand(3, 4, 5, 2, low=-3, high=2)}, attrs, outputs=outputs)
                table.case({"X": on_ties(bits=bits).reshape(4, 5)}, attrs, outputs=outputs)
    table.case({"X": np.zeros((2, 2), "float32")}, outputs=outputs)
    table.error({"X": rand(2)}, {"bit_length": 0}, error="ShapeError", match="bit_length")
    table.error({"X": rand(2)}, {"round_type": -1}, error="ShapeError", match="round_type")
    table.error({"X": np.ones(2, "int8")}, error="DataTypeError", match="int8")
    if channel_wise:
        for axis in (-1, 1):
            table.error({"X": rand(2)}, {"quant_axis": axis}, error="ShapeError", match="axis")
    table.exempt("OutScale", "Paddle always has it")
    return table
