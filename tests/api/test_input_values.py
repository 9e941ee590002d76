"""Every kind of value, given to every kind of input: the right result, or a defined error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from api import tiny_models
from api.isolated import run_many
from api.values import BASE, VALUES

import lite

DTYPES = sorted(tiny_models.DTYPES)
NOT_NUMBERS = {
    "None", "str", "bytes", "bytearray", "dict", "set", "generator", "object", "type", "complex",
    "datetime", "timedelta", "strings", "byte strings", "objects", "object numbers", "void",
    "structured", "recarray", "ragged list", "nested in itself", "nested 5000 deep", "huge ints",
    "longdouble", "uint16", "uint32", "uint64", "masked", "broken __array__", "wrong __array__",
    "wider than memory", "wider than memory by far",
}  # fmt: skip
"""Values that no input takes, whatever its element type."""


def _load(program: Any) -> lite.LightPredictor:
    config = lite.MobileConfig()
    config.set_model_from_buffer(tiny_models.nb_bytes(program))
    return lite.create_paddle_predictor(config)


@pytest.fixture(scope="module")
def predictors() -> dict[str, lite.LightPredictor]:
    return {dtype: _load(tiny_models.typed(dtype)) for dtype in DTYPES}


def _plain(value: Any) -> np.ndarray[Any, Any]:
    if isinstance(value, tuple) and isinstance(value[0], np.ndarray):
        value = value[0]
    return np.asarray(value)


def _still_works(predictor: lite.LightPredictor, dtype: str) -> None:
    x = predictor.get_input(0)
    good = np.arange(8).reshape(2, 4).astype(dtype)
    x.set_lod([])
    x.from_numpy(good)
    predictor.run()
    assert np.array_equal(predictor.get_output(0).numpy(), good.astype(np.float32))


def _through_tensor(predictor: lite.LightPredictor, value: Any, dtype: str) -> str:
    x = predictor.get_input(0)
    try:
        x.from_numpy(value)
        given = _plain(value)
        assert x.numpy().dtype == np.dtype(dtype)
        assert np.array_equal(x.numpy(), given, equal_nan=dtype.startswith("float"))
        assert tuple(x.shape()) == given.shape
        predictor.run()
        result = predictor.get_output(0).numpy()
        assert np.array_equal(result, given.astype(np.float32), equal_nan=True)
        return "accepted"
    finally:
        _still_works(predictor, dtype)


def _through_run(predictor: lite.LightPredictor, value: Any, dtype: str) -> str:
    short = lite.Predictor(predictor._core)
    try:
        result = short.run({"x": value})["y"]
        assert np.array_equal(result, _plain(value).astype(np.float32), equal_nan=True)
        return "accepted"
    finally:
        _still_works(predictor, dtype)


@pytest.mark.parametrize("way", [_through_tensor, _through_run])
@pytest.mark.parametrize("dtype", DTYPES)
def test_value(
    predictors: dict[str, lite.LightPredictor],
    dtype: str,
    way: Callable[[lite.LightPredictor, Any, str], str],
) -> None:
    cases = [lambda value=value: way(predictors[dtype], value, dtype) for value in VALUES.values()]
    outcomes = dict(zip(VALUES, run_many(cases), strict=True))
    wrong = {
        name: outcome
        for name, outcome in outcomes.items()
        if not outcome.defined or (name in NOT_NUMBERS and outcome.kind != "raised")
    }
    assert not wrong, "\n".join(f"{name}: {outcome}" for name, outcome in wrong.items())


ACCEPTED_BY_FLOAT32 = (
    "plain", "fortran", "transposed", "reversed", "strided", "broadcast", "read only", "unaligned",
    "subclass", "big endian", "little endian", "NaN", "infinity", "denormal", "empty",
    "list", "list of ints", "list of bools", "tuple", "list of arrays", "__array__", "rank 1",
    "rank 3", "0-D", "numpy scalar", "float", "int", "memoryview",
)  # fmt: skip


@pytest.mark.parametrize("name", ACCEPTED_BY_FLOAT32)
def test_good_values_are_not_refused(predictors: dict[str, lite.LightPredictor], name: str) -> None:
    assert _through_tensor(predictors["float32"], VALUES[name], "float32") == "accepted"


@pytest.mark.parametrize("dtype", ["float16", "float64", "int8", "int64", "uint16", "complex64"])
def test_another_dtype_is_refused_by_name(
    predictors: dict[str, lite.LightPredictor], dtype: str
) -> None:
    with pytest.raises(lite.DataTypeError, match=dtype):
        predictors["float32"].get_input(0).from_numpy(BASE.astype(dtype))
