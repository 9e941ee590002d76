"""The cases that the resizing operators share."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand, randint


def ints(*values: int, dtype: str = "int32") -> np.ndarray:
    return np.array(values, dtype)


def add_cases(table: OpTable, method: str, version: int) -> None:
    """Sizes from every source in Paddle's order of precedence, and every alignment."""
    base: dict[str, Any] = {"interp_method": method}

    def scale(*values: float) -> Any:
        return values[0] if version == 1 else list(values)

    for align_corners in (True, False):
        for align_mode in (0, 1):
            align = {**base, "align_corners": align_corners, "align_mode": align_mode}
            for size in [(5, 6), (10, 12), (9, 3), (1, 1), (1, 7), (3, 1), (2, 2), (13, 17)]:
                attrs = {**align, "out_h": size[0], "out_w": size[1]}
                table.case({"X": rand(1, 2, 5, 6)}, attrs)
            for values in [(2.0, 2.0), (1.5, 1.5), (0.5, 0.5), (2.0, 3.3), (1.1, 0.7)]:
                table.case({"X": rand(2, 1, 5, 6)}, {**align, "scale": scale(*values)})
    plain = {**base, "align_corners": False}
    x = rand(2, 3, 5, 6)
    both = {**plain, "scale": scale(2.0, 3.0), "out_h": 4, "out_w": 4}
    table.case({"X": x}, both)
    table.case({"X": x, "OutSize": ints(7, 8)}, both, params=["OutSize"])
    table.case({"X": x, "OutSize": ints(7, 8)}, plain, params=["OutSize"])
    sizes = {"SizeTensor": [ints(9), ints(3)]}
    table.case({"X": x, **sizes}, both, params=["SizeTensor"])
    table.case({"X": x, **sizes, "OutSize": ints(7, 8)}, plain, params=["SizeTensor", "OutSize"])
    for factor in [np.array([2.0], "float32"), np.array([1.7], "float32")]:
        table.case({"X": x, "Scale": factor}, plain, params=["Scale"])
        table.case({"X": x, "Scale": factor}, both, params=["Scale"])
        everything = {"X": x, "Scale": factor, "OutSize": ints(7, 8)}
        table.case(everything, plain, params=["Scale", "OutSize"])
        table.case({"X": x, "Scale": factor, **sizes}, plain, params=["Scale", "SizeTensor"])
    if version == 2:
        factors = np.array([2.0, 1.3], "float32")
        table.case({"X": x, "Scale": factors}, both, params=["Scale"])
        doubled = {**plain, "scale": [2.0, 2.0]}
        wanted = _constant_case(table, x, doubled)
        table.case({"X": x}, {**plain, "scale": [2.0]}, reference=wanted)
    long_sizes = _constant_case(table, x, {**plain, "out_h": 7, "out_w": 8})
    for given in [
        {"OutSize": ints(7, 8, dtype="int64")},
        {"SizeTensor": [ints(7, dtype="int64"), ints(8, dtype="int64")]},
        {"OutSize": ints(7, 8).reshape(1, 2)},
    ]:
        table.case({"X": x, **given}, plain, params=list(given), reference=long_sizes)
    table.case({"X": rand(1, 2, 5, 6, dtype="float64")}, {**plain, "out_h": 7, "out_w": 4})
    table.case({"X": rand(1, 1, 17, 35)}, {**plain, "out_h": 34, "out_w": 70, "align_mode": 0})
    if method == "nearest":
        for dtype in ("int32", "int64", "uint8") if version == 2 else ("uint8",):
            table.case({"X": randint(1, 2, 5, 6, dtype=dtype)}, {**plain, "out_h": 7, "out_w": 4})
        cube = {**plain, "out_d": 3, "out_h": 7, "out_w": 4}
        if version == 2:
            table.case({"X": rand(1, 2, 4, 5, 6)}, cube)
            table.case({"X": rand(1, 2, 4, 5, 6)}, {**plain, "scale": [2.0, 1.5, 0.7]})
    if method == "bilinear":
        shades = randint(1, 2, 5, 6, high=256, dtype="uint8")
        table.case({"X": shades}, {**plain, "out_h": 7, "out_w": 4})
    empty = rand(0, 3, 5, 6)
    table.case(
        {"X": empty},
        {**plain, "out_h": 7, "out_w": 4},
        reference=lambda inputs, attrs: {"Out": np.zeros((0, 3, 7, 4), "float32")},
    )
    _add_single(table, method, x, {"out_h": 1, "out_w": 1})
    for attrs, match in [
        ({}, "output size"),
        ({"out_h": 3}, "output size"),
        ({"out_h": 3, "out_w": -2}, "output size"),
        ({"out_h": 2**31 - 1, "out_w": 1}, "output size"),
        ({"scale": scale(0.01, 0.01)}, "output size"),
        ({"scale": scale(1e30, 1e30)}, "too large"),
        ({"scale": scale(float("inf"), 1.0)}, "scale"),
        ({"out_h": 3, "out_w": 3, "data_layout": "NHWC"}, "NHWC"),
        ({"out_h": 3, "out_w": 3, "interp_method": "cubic"}, "interp_method"),
        ({"out_h": 3, "out_w": 3, "interp_method": "trilinear"}, "interp_method"),
    ]:
        table.error({"X": x}, {**plain, **attrs}, match=match)
    table.error({"X": x[0]}, {**plain, "out_h": 3, "out_w": 3}, match="interp_method")
    table.error({"X": x, "OutSize": ints(7)}, plain, params=["OutSize"], match="OutSize has 1")
    table.error({"X": x, "OutSize": ints(7, 0)}, plain, params=["OutSize"], match="size of 0")
    table.error({"X": x, "SizeTensor": [ints(7)]}, plain, params=["SizeTensor"], match="has 1")
    table.error(
        {"X": x, "Scale": np.array([-1.0], "float32")}, plain, params=["Scale"], match="scale"
    )
    table.exempt("data_layout", "anything but NCHW is an error")
    table.error(
        {"X": rand(1, 1, 2, 2), "@Base": rand(1, 1, 4, 4)},
        {"out_h": 4, "out_w": 4},
        error="ShapeError",
        match="input @Base",
    )
    table.exempt("interp_method", "each operator has one method")
    if version == 1 or method != "nearest":
        table.exempt("out_d", "only for 5-D inputs, which trilinear_interp tests")


def add_other_ranks(table: OpTable, method: str, version: int) -> None:
    """For the operators of 3-D and 5-D images."""
    names = ["out_w"] if method == "linear" else ["out_d", "out_h", "out_w"]
    shape = [4, 5, 6][-len(names) :]
    base: dict[str, Any] = {"interp_method": method}

    def scale(factor: float) -> Any:
        return factor if version == 1 else [factor] * len(names)

    for align in [
        {"align_corners": True},
        {"align_corners": False, "align_mode": 0},
        {"align_corners": False, "align_mode": 1},
    ]:
        for sizes in [(7, 9, 11), (2, 3, 4), (1, 1, 1), (4, 5, 6)]:
            out = dict(zip(names, sizes[-len(names) :], strict=True))
            table.case({"X": rand(1, 2, *shape)}, {**base, **align, **out})
        for factor in (2.0, 0.6):
            table.case({"X": rand(1, 2, *shape)}, {**base, **align, "scale": scale(factor)})
    x = rand(2, 1, *shape)
    sizes = [ints(size) for size in (3, 8, 7)][-len(names) :]
    table.case({"X": x, "OutSize": np.concatenate(sizes)}, base, params=["OutSize"])
    table.case({"X": x, "SizeTensor": sizes}, base, params=["SizeTensor"])
    table.case({"X": x, "Scale": np.array([1.4], "float32")}, base, params=["Scale"])
    table.case({"X": x.astype("float64")}, {**base, "scale": scale(1.5)})
    _add_single(table, method, x, dict.fromkeys(names, 1))
    table.error({"X": rand(1, 2, 3, 3)}, {**base, "scale": scale(1.5)}, match="interp_method")
    table.error({"X": x}, base, match="output size")
    table.exempt("data_layout", "anything but NCHW is an error")
    table.error(
        {"X": rand(1, 1, 2, 2), "@Base": rand(1, 1, 4, 4)},
        {"out_h": 4, "out_w": 4},
        error="ShapeError",
        match="input @Base",
    )
    table.exempt("interp_method", "each operator has one method")
    if method == "linear":
        for name in ("out_d", "out_h"):
            table.exempt(name, "3-D inputs have a width only")


def _add_single(table: OpTable, method: str, x: np.ndarray, sizes: dict[str, int]) -> None:
    """One element of an axis, as ONNX places it: in the middle."""

    def weights(size: int) -> np.ndarray:
        places = np.arange(4) - 1 + (size - 1) // 2
        if method == "nearest":
            return np.eye(size)[0]
        parts = [0, 1, 0, 0] if size % 2 else [0, 0.5, 0.5, 0]
        if method == "bicubic" and size % 2 == 0:
            parts = [-0.09375, 0.59375, 0.59375, -0.09375]
        return np.bincount(places, parts, size)

    def reference(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, np.ndarray]:
        made = inputs["X"]
        for axis in range(2, made.ndim):
            made = np.moveaxis(
                np.tensordot(made, weights(made.shape[axis]), (axis, 0))[None], 0, axis
            )
        return {"Out": made.astype("float32")}

    attrs = {"interp_method": method, "align_corners": False, "align_mode": 0, **sizes}
    table.case({"X": x}, {**attrs, "single_in_middle": True}, reference=reference)
    corner = (..., *[slice(1)] * (x.ndim - 2))
    given = {**attrs, "align_corners": True, "single_in_middle": True}
    table.case({"X": x}, given, reference=lambda inputs, _: {"Out": inputs["X"][corner]})


def _constant_case(table: OpTable, x: np.ndarray, attrs: dict[str, Any]) -> Any:
    """Adds a case that Paddle computes, and gives its value for another way to write it."""
    table.case({"X": x}, attrs)
    case = table.cases[-1]
    return lambda inputs, _: {"Out": table.expected(case)["Out"][0][0]}
