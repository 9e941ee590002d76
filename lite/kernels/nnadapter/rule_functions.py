"""The functions that expressions of rules may call: the one table of them. generate.py makes
declarations and a table of it; functions.cc holds one definition for each, named in CamelCase."""

from __future__ import annotations

from typing import NamedTuple

MANY = 65535


class Function(NamedTuple):
    """`emits`: adds operations or constants to the model, which conditions must not."""

    fewest: int
    most: int
    emits: bool
    text: str

    @property
    def arity(self) -> str:
        return f"{self.fewest}" if self.fewest == self.most else f"{self.fewest} to {self.most}"


def _asks(fewest: int, most: int, text: str) -> Function:
    return Function(fewest, most, False, text)


def _adds(fewest: int, most: int, text: str) -> Function:
    return Function(fewest, most, True, text)


FUNCTIONS = {
    "rank": _asks(1, 1, "the number of dimensions"),
    "dims": _asks(1, 1, "the dimensions"),
    "dtype": _asks(1, 1, "the element type: float32, int64, quant_int8, ..."),
    "has": _asks(1, 1, "whether an optional input is there"),
    "is_constant": _asks(
        1, 1, "whether an input is absent or does not depend on what is fed"
    ),
    "is_fed": _asks(1, 1, "whether an input comes from outside of the subgraph"),
    "is_shape": _asks(1, 1, "whether inputs are constants or computed from shapes alone"),
    "is_zero_dim": _asks(
        1, 1, "whether an input is a 0-dim tensor that stands for one of shape [1]"
    ),
    "is_known": _asks(
        1, 1, "whether a number, or each of a list, is known before the model runs"
    ),
    "has_lod": _asks(1, 1, "whether an input's rows may be those of sequences"),
    "is_quantized": _asks(1, 1, "whether an input is quantised"),
    "row_is_zero": _asks(2, 2, "whether a row of a constant matrix is all zeros"),
    "ints": _asks(1, 1, "the integers of a constant"),
    "floats": _asks(1, 1, "the floats of a constant"),
    "len": _asks(1, 1, "the length of a list"),
    "min": _asks(1, MANY, "the smallest of a list or of the arguments"),
    "max": _asks(1, MANY, "the largest"),
    "sum": _asks(1, 1, "the sum of a list"),
    "prod": _asks(1, 1, "the product of a list"),
    "all": _asks(1, 1, "whether all of a list are true"),
    "any": _asks(1, 1, "whether one is"),
    "abs": _asks(1, 1, "the absolute value"),
    "float": _asks(1, 1, "a number, or a text that is one"),
    "range": _asks(1, 2, "the integers below, or from and below"),
    "sorted": _asks(1, 1, "integers in ascending order"),
    "unique": _asks(1, 1, "whether all are different"),
    "axis": _asks(2, 2, "an axis, or a list of them, in [0, rank)"),
    "unsqueeze_axes": _asks(2, 2, "where axes that are inserted one after the other end up"),
    "reshape_to": _asks(1, 1, "a shape in which one unknown dimension is -1"),
    "dtype_code": _asks(1, 1, "the NNAdapter precision of a Paddle dtype attribute"),
    "precision_code": _asks(1, 1, "the NNAdapter precision of an input"),
    "fuse_code": _asks(1, 2, "the fuse code of an activation, -1 where there is none"),
    "int32": _adds(1, 1, "a constant of shape [1]"),
    "int32s": _adds(1, 1, "a constant list; nothing where it is empty"),
    "int64s": _adds(1, 1, "a constant list"),
    "float32": _adds(1, 1, "a constant of shape [1]"),
    "float32s": _adds(1, 1, "a constant list"),
    "bool8": _adds(1, 1, "a constant of shape [1]"),
    "scalar_like": _adds(2, 2, "a constant of shape [1] and an input's type"),
    "scalar_of": _adds(2, 2, "a constant of shape [1] and the type that a precision names"),
    "align": _adds(
        3, 3, "an input with dimensions of 1 around its own, for broadcasting to another at an axis"
    ),
    "activate": _adds(2, 5, "an activation by name, with its parameters"),
    "bias": _adds(
        4, 4, "a bias of so many channels for an input and weights; zeros where there is none"
    ),
    "int_list": _adds(
        3, 3, "integers from a tensor, a list of tensors or an attribute, as one operand"
    ),
}  # fmt: skip
