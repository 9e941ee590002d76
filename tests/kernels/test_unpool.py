"""Cases of unpool and unpool3d."""

from __future__ import annotations

import numpy as np
from harness import OpTable, rand, randint


def add_cases(table: OpTable, rank: int) -> None:
    size, wanted = [2, 3, 2][:rank], [5, 4, 3][:rank]
    base = {"ksize": [2] * rank, "strides": [2] * rank, "output_size": wanted}
    if rank == 2:
        base["unpooling_type"] = "max"

    def arrays(*batch: int, dtype: str = "float32") -> dict:
        shape = (*batch, *size)
        indices = randint(*shape, high=int(np.prod(wanted)), dtype="int32")
        return {"X": rand(*shape, dtype=dtype), "Indices": indices}

    table.case(arrays(2, 3), base)
    table.case(arrays(1, 2), {**base, "ksize": [3] * rank, "paddings": [1] * rank})
    table.case(arrays(1, 1, dtype="float64"), {**base, "strides": [1] * rank})

    def last_one_wins(inputs: dict, attrs: dict, given: list[int] | None = None) -> dict:
        x, at = (inputs[slot].reshape(*inputs[slot].shape[:2], -1) for slot in ("X", "Indices"))
        spans = zip(size, attrs.get("paddings", [0] * rank), strict=True)
        kernel, stride = attrs["ksize"][0], attrs.get("strides", [1])[0]
        dims = given or [(n - 1) * stride - 2 * pad + kernel for n, pad in spans]
        y = np.zeros((*x.shape[:2], np.prod(dims)), x.dtype)
        for n, c, i in np.ndindex(*x.shape):
            y[n, c, at[n, c, i]] = x[n, c, i]
        return {"Out": y.reshape(*x.shape[:2], *dims)}

    # Without output_size, as before Paddle had it.
    for attrs in ({"ksize": [2] * rank, "strides": [2] * rank}, {"ksize": [4] * rank}):
        table.case(arrays(1, 2) | {"Indices": randint(1, 2, *size)}, attrs, reference=last_one_wins)
    good = arrays(1, 2)
    for index in (int(np.prod(wanted)), -1):
        bad = good["Indices"].copy()
        bad.flat[-1] = index
        table.error({**good, "Indices": bad}, base, error="ShapeError", match=f"holds {index}")
    table.error({**good, "Indices": bad[:, :1]}, base, error="ShapeError", match="Indices")
    table.error({**good, "Indices": rand(1, 2, *size)}, base, error="DataTypeError", match="Ind")
    table.error({**good, "X": rand(1, 2)}, base, error="ShapeError", match="rank")
    table.error(good, {**base, "output_size": [-1] * rank}, error="ShapeError", match="output_size")
    table.error(good, {**base, "output_size": [1]}, error="ShapeError", match="output_size")
    table.error(good, {}, error="ModelFormatError", match="ksize")
    table.error(good, {**base, "data_format": "NDHWC"}, match="NDHWC")
    table.case(good, {**base, "data_format": "NCHW" if rank == 3 else "AnyLayout"})
    plain = {"ksize": [2] * rank}
    for given in (
        {"OutputSizeTensor": np.array(wanted, "int32")},
        {"OutputSizeTensorList": [np.array([n]) for n in wanted]},
    ):
        table.case(
            arrays(1, 2) | given,
            plain,
            params=list(given),
            reference=lambda i, a: last_one_wins(i, a, wanted),
        )
    short = {"OutputSizeTensor": np.array([3], "int32")}
    table.error(good | short, plain, error="ShapeError", match="1 values, expected")


table = OpTable("unpool")
add_cases(table, 2)
test_unpool = table.tests()

table = OpTable("unpool3d")
add_cases(table, 3)
test_unpool3d = table.tests()
