"""Operators of ONNX Runtime's own domain, one by one, here and in ONNX Runtime."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import onnxruntime as ort
from onnx import helper, numpy_helper

import lite.onnxruntime as lrt

Arrays = dict[str, np.ndarray[Any, Any]]

_TURNS = np.arange(20)[:, None] * 0.3 ** np.arange(8)
ANGLES = [np.cos(_TURNS).astype(np.float32), np.sin(_TURNS).astype(np.float32)]
"""cos_cache and sin_cache of 20 places, for heads of 16 numbers."""


def rand(*shape: int, seed: int = 0) -> np.ndarray[Any, Any]:
    return np.random.default_rng((seed, *shape)).standard_normal(shape).astype(np.float32)


@dataclass
class Case:
    """One node: its inputs in order, None where absent, and how many outputs it has."""

    type: str
    inputs: list[Any]
    attrs: dict[str, Any] = field(default_factory=dict)
    outputs: int = 1
    domain: str = "com.microsoft"
    constant: tuple[int, ...] = ()
    rows: tuple[int, ...] = ()
    """Of each of a batch, how many rows of what has four dimensions are defined."""

    def model(self) -> tuple[bytes, Arrays]:
        """The model, its first dimensions free, and what it is fed with."""
        names = ["" if x is None else f"x{i}" for i, x in enumerate(self.inputs)]
        arrays = {n: x for n, x in zip(names, self.inputs, strict=True) if n}
        fixed = {names[i] for i in self.constant}
        made = [f"y{i}" for i in range(self.outputs)]
        graph = helper.make_graph(
            [helper.make_node(self.type, names, made, domain=self.domain, **self.attrs)],
            "one",
            [
                helper.make_tensor_value_info(
                    n, helper.np_dtype_to_tensor_dtype(x.dtype), [f"{n}_first", *x.shape[1:]]
                )
                for n, x in arrays.items()
                if n not in fixed
            ],
            [helper.make_empty_tensor_value_info(n) for n in made],
            [numpy_helper.from_array(arrays[n], n) for n in sorted(fixed)],
        )
        sets = [helper.make_opsetid("", 17), helper.make_opsetid("com.microsoft", 1)]
        model = helper.make_model(graph, opset_imports=sets, ir_version=8)
        feeds = {n: x for n, x in arrays.items() if n not in fixed}
        return model.SerializeToString(), feeds


def integers(*shape: int, below: int = 256) -> np.ndarray[Any, Any]:
    return np.random.default_rng(shape).integers(0, below, shape).astype(np.uint8)


def check(case: Case, feed_all: bool = False) -> None:
    """The same results: integers between two roundings may differ by a step where halves meet.

    ``feed_all`` makes constants inputs in ONNX Runtime, which then rounds no activations.
    """
    data, feeds = case.model()
    options = ort.SessionOptions()
    options.log_severity_level = 4
    theirs, fed = replace(case, constant=()).model() if feed_all else (data, feeds)
    wanted = ort.InferenceSession(theirs, options).run(None, fed)
    for got, want in zip(lrt.InferenceSession(data).run(None, feeds), wanted, strict=True):
        assert (got.dtype, got.shape) == (want.dtype, want.shape)
        for i, rows in enumerate(case.rows if want.ndim == 4 else ()):
            want[i, :, rows:] = got[i, :, rows:]
        step = 1 if want.dtype.kind in "iu" and case.type.startswith("QLinear") else 1e-4
        limit = step if step == 1 else step * max(np.abs(want).max(), 1)
        np.testing.assert_allclose(got.astype(float), want.astype(float), atol=limit, rtol=0)
