"""What Triton's python backend gives a model, in its documentation's names, as far as ours asks."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


class TritonModelException(Exception):  # noqa: N818
    """What a model raises that cannot work."""


class TritonError:
    """The error of one response."""

    def __init__(self, message: str, code: int = 0) -> None:
        self._message = message

    def message(self) -> str:
        return self._message


class Tensor:
    """A named array."""

    def __init__(self, name: str, array: np.ndarray) -> None:
        if not isinstance(array, np.ndarray):
            raise TypeError("a Tensor needs a numpy array")
        self._name, self._array = name, array

    def name(self) -> str:
        return self._name

    def as_numpy(self) -> np.ndarray:
        return self._array


class InferenceRequest:
    """The tensors of one request."""

    def __init__(self, *tensors: Tensor) -> None:
        self._tensors = list(tensors)

    def inputs(self) -> list[Tensor]:
        return self._tensors


class InferenceResponse:
    """The tensors of one answer, or its error."""

    def __init__(self, output_tensors: Sequence[Tensor], error: TritonError | None = None) -> None:
        self._tensors, self._error = list(output_tensors), error

    def output_tensors(self) -> list[Tensor]:
        return self._tensors

    def has_error(self) -> bool:
        return self._error is not None

    def error(self) -> TritonError | None:
        return self._error
