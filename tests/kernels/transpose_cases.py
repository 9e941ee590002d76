"""The cases that conv2d_transpose and depthwise_conv2d_transpose share."""

from __future__ import annotations

import numpy as np
from conv_reference import ACTIVATIONS, conv2d_transpose
from harness import OpTable, rand


def add_shared_cases(table: OpTable, c: int, groups: int) -> None:
    weight = (c, 1 if groups == c else 5)
    base = {"groups": groups}
    for size, kernel, attrs in [
        ((5, 6), (2, 2), {"strides": [2, 2]}),
        ((5, 6), (3, 3), {"strides": [2, 2], "paddings": [1, 1]}),
        ((5, 6), (3, 3), {"strides": [2, 2], "paddings": [1, 1], "output_padding": [1, 1]}),
        ((5, 6), (4, 4), {"strides": [2, 2], "paddings": [1, 1]}),
        ((5, 6), (3, 2), {"strides": [3, 2]}),
        ((5, 6), (4, 4), {"strides": [4, 4], "paddings": [0, 1, 1, 0]}),
        ((5, 6), (3, 3), {"paddings": [1, 1]}),
        ((5, 6), (3, 3), {"dilations": [2, 3], "paddings": [2, 1]}),
        ((5, 6), (3, 3), {"dilations": [2, 2], "strides": [2, 3]}),
        ((5, 6), (2, 3), {"strides": [5, 4]}),
        ((5, 6), (3, 3), {"strides": [2, 2], "output_size": [12, 13]}),
        ((5, 6), (3, 3), {"strides": [2, 2], "output_size": [11, 14], "output_padding": [1, 0]}),
        ((5, 6), (3, 3), {"strides": [2, 2], "padding_algorithm": "SAME"}),
        ((4, 7), (3, 4), {"strides": [1, 3], "padding_algorithm": "SAME", "dilations": [2, 2]}),
        ((5, 6), (3, 3), {"strides": [2, 2], "padding_algorithm": "VALID", "paddings": [1, 1]}),
        ((1, 1), (4, 4), {"strides": [7, 1]}),
        ((1, 9), (1, 1), {}),
    ]:
        arrays = {"Input": rand(2, c, *size), "Filter": rand(*weight, *kernel)}
        table.case(arrays, {**base, **attrs}, params=["Filter"])
    arrays = {"Input": rand(1, c, 5, 4), "Filter": rand(*weight, 3, 3)}
    table.case(arrays, {**base, "strides": [2, 2], "data_format": "AnyLayout"})
    doubles = {slot: array.astype("float64") for slot, array in arrays.items()}
    table.case(doubles, {**base, "strides": [2, 2]})

    def resized(inputs: dict, attrs: dict) -> dict:
        extra = [s - 11 for s in (12, 11)]
        full = conv2d_transpose({k: inputs[k] for k in ("Input", "Filter")}, attrs)["Output"]
        return {"Output": np.pad(full, [(0, 0), (0, 0), (0, extra[0]), (0, extra[1])])}

    square = {"Input": rand(1, c, 5, 5), "Filter": rand(*weight, 3, 3)}
    sizes = np.array([12, 11], "int32")
    for given in [
        {"OutputSizeTensor": sizes},
        {"OutputSizeTensor": sizes.astype("int64")},
        {"OutputSizeTensorList": [sizes[:1], sizes[1:]]},
    ]:
        names = list(given)
        table.case(
            {**square, **given},
            {**base, "strides": [2, 2]},
            params=["Filter", *names],
            reference=resized,
        )
    bias = rand(c if groups == c else 5 * groups)
    for activation in ACTIVATIONS:
        table.case(
            {"Input": rand(2, c, 4, 3), "Filter": rand(*weight, 2, 2), "Bias": bias},
            {**base, "strides": [2, 2], "with_act": True, **activation},
            params=["Filter", "Bias"],
            reference=conv2d_transpose,
        )
    table.case(
        {"Input": rand(2, c, 4, 3), "Filter": rand(*weight, 3, 3), "Bias": bias},
        {**base, "strides": [2, 2]},
        params=["Filter", "Bias"],
        reference=conv2d_transpose,
    )
    x, w = rand(1, c, 4, 4), rand(*weight, 3, 3)
    for attrs, match in [
        ({"strides": [0, 1]}, "strides"),
        ({"strides": [2, 2], "output_size": [8, 9]}, "output_size"),
        ({"strides": [2, 2], "output_size": [11, 9]}, "output_size"),
        ({"strides": [2, 2], "output_size": [9]}, "output_size"),
        ({"strides": [2, 2], "output_padding": [2, 0]}, "output_padding"),
        ({"strides": [2, 2], "output_padding": [-1, 0]}, "output_padding"),
        ({"paddings": [9, 9]}, "paddings"),
        ({"groups": 5}, "groups"),
        ({"data_format": "NHWC"}, "NHWC"),
        ({"dilations": [0, 1]}, "dilations"),
    ]:
        table.error({"Input": x, "Filter": w}, {**base, **attrs}, match=match)
    table.error({"Input": x, "Filter": w[:1]}, base, match="takes 1")
    table.error({"Input": x, "Filter": w, "Bias": bias[:1]}, base, match="Bias")
