"""What builtin_device says that it takes, it runs; the rest it refuses when it is asked."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from lite.errors import DeviceError
from lite.nnadapter import capi
from lite.nnadapter.capi import Context, Model


def ones(dtype: Any, shape: list[int]) -> np.ndarray:
    return np.ones([abs(extent) for extent in shape], dtype)


def unary(kind: str, dtype: Any, shape: list[int]) -> tuple[Model, np.ndarray]:
    model = Model()
    x = model.tensor(dtype, shape)
    return model.finish([x], model.operation(kind, [x])), ones(dtype, shape)


def arg_max(shape: list[int]) -> tuple[Model, np.ndarray]:
    model = Model()
    x = model.tensor(np.float32, shape)
    y = model.operation("ARG_MAX", [x, model.constant(1), model.constant(True), model.constant(7)])
    return model.finish([x], y), ones(np.float32, shape)


def batch_norm(shape: list[int]) -> tuple[Model, np.ndarray]:
    model = Model()
    x = model.tensor(np.float32, shape)
    parameters = [model.constant(np.ones(shape[1], np.float32)) for _ in range(4)]
    y = model.operation("BATCH_NORMALIZATION", [x, *parameters, model.constant(1e-5)])
    return model.finish([x], y), ones(np.float32, shape)


def average(shape: list[int]) -> tuple[Model, np.ndarray]:
    """With padding that counts and is found from the size."""
    model = Model()
    x = model.tensor(np.float32, shape)
    numbers = [1, [0, 0, 0, 0], [2, 2], [2, 2]]
    operands = [model.constant(np.atleast_1d(np.asarray(n, np.int32))) for n in numbers]
    operands += [model.constant(False), model.constant(True), model.constant(0)]
    y = model.operation("AVERAGE_POOL_2D", [x, *operands])
    return model.finish([x], y), ones(np.float32, shape)


@pytest.mark.parametrize(
    ("case", "taken"),
    [
        (unary("ASSIGN", np.float32, [2, 3]), True),
        (unary("ASSIGN", np.int8, [-1, 3]), True),
        (unary("ASSIGN", np.float16, [2, 3]), False),
        (unary("ASSIGN", np.uint64, [2, 3]), False),
        (unary("SQUARE", np.int32, [2, 3]), True),
        (arg_max([2, 3]), True),
        (arg_max([0, 3]), False),  # the CPU operator refuses the shape
        (batch_norm([1, 2, 3, 1, 2]), True),
        (batch_norm([1, 2, 3, 1, 2, 2]), False),
        (average([1, 2, 5, 5]), True),
        (average([1, 2, -1, 5]), False),
    ],
)
def test_what_is_taken_runs(case: tuple[Model, np.ndarray], taken: bool) -> None:
    model, value = case
    context = Context(["builtin_device"])
    assert model.supported(context) == [taken]
    (reason,) = model.refusals(context)
    assert bool(reason) != taken
    if taken:
        assert capi.run(model, ["builtin_device"], [value])
    else:
        with pytest.raises(DeviceError):
            capi.run(model, ["builtin_device"], [value])


def test_a_refusal_says_why() -> None:
    context = Context(["builtin_device"])
    reasons = [
        unary("ASSIGN", np.float16, [2, 3])[0].refusals(context)[0],
        batch_norm([1, 2, 3, 1, 2, 2])[0].refusals(context)[0],
        average([1, 2, -1, 5])[0].refusals(context)[0],
    ]
    for reason, words in zip(reasons, ["FLOAT16", "rank 6", "known height"], strict=True):
        assert words in reason
