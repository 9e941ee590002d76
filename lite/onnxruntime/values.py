"""OrtValue and IOBinding over numpy arrays: there is one memory, the CPU's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np


class Session(Protocol):
    """What runs with what is bound."""

    def run(
        self, output_names: Sequence[str] | None, input_feed: Any
    ) -> list[np.ndarray[Any, Any]]:
        """The outputs that are named."""
        ...


class OrtValue:
    """A tensor in the CPU's memory."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self._array = array

    @staticmethod
    def ortvalue_from_numpy(
        numpy_obj: np.ndarray[Any, Any], device_type: str = "cpu", device_id: int = 0
    ) -> OrtValue:
        """A tensor that holds an array."""
        _only_cpu(device_type)
        return OrtValue(np.asarray(numpy_obj))

    @staticmethod
    def ortvalue_from_shape_and_type(
        shape: Sequence[int], element_type: Any, device_type: str = "cpu", device_id: int = 0
    ) -> OrtValue:
        """A tensor of zeros."""
        _only_cpu(device_type)
        return OrtValue(np.zeros(list(shape), element_type))

    def numpy(self) -> np.ndarray[Any, Any]:
        """The array."""
        return self._array

    def shape(self) -> list[int]:
        """The dimensions."""
        return list(self._array.shape)

    def device_name(self) -> str:
        """``cpu``."""
        return "cpu"

    def is_tensor(self) -> bool:
        """True: there is nothing else."""
        return True

    def has_value(self) -> bool:
        """True."""
        return True

    def update_inplace(self, np_arr: np.ndarray[Any, Any]) -> None:
        """Other elements in the same array."""
        self._array[...] = np_arr


def _only_cpu(device_type: str) -> None:
    if device_type.lower() != "cpu":
        raise ValueError(f"the device {device_type!r}: tensors are in the CPU's memory only")


def as_numpy(value: Any) -> np.ndarray[Any, Any]:
    """The array of what a run is given."""
    return value.numpy() if isinstance(value, OrtValue) else np.asarray(value)


class IOBinding:
    """Inputs and outputs of a session, bound by name."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._inputs: dict[str, Any] = {}
        self._outputs: list[str] = []
        self._made: list[np.ndarray[Any, Any]] = []

    def bind_cpu_input(self, name: str, arr_on_cpu: np.ndarray[Any, Any]) -> None:
        """An array as an input."""
        self._inputs[name] = arr_on_cpu

    def bind_ortvalue_input(self, name: str, ortvalue: OrtValue) -> None:
        """A tensor as an input."""
        self._inputs[name] = ortvalue

    def bind_output(self, name: str, device_type: str = "cpu", *_: Any, **__: Any) -> None:
        """An output that is wanted; it gets an array of its own."""
        _only_cpu(device_type)
        self._outputs.append(name)

    def clear_binding_inputs(self) -> None:
        """Nothing is bound as an input."""
        self._inputs.clear()

    def clear_binding_outputs(self) -> None:
        """Nothing is bound as an output."""
        self._outputs.clear()

    def run(self) -> None:
        """Computes what is bound."""
        self._made = self._session.run(self._outputs or None, self._inputs)

    def get_outputs(self) -> list[OrtValue]:
        """The latest run's outputs."""
        return [OrtValue(array) for array in self._made]

    def copy_outputs_to_cpu(self) -> list[np.ndarray[Any, Any]]:
        """The latest run's outputs as arrays."""
        return list(self._made)

    def synchronize_inputs(self) -> None:
        """Nothing: runs are synchronous."""

    synchronize_outputs = synchronize_inputs
