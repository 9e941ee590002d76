"""IOBinding: inputs and outputs of a session that are bound by name, to memory of the caller's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

from lite.errors import DataTypeError, ShapeError
from lite.onnxruntime.options import RunOptions
from lite.onnxruntime.values import OrtValue, as_numpy, memory_at, only_cpu


class Session(Protocol):
    """What runs with what is bound."""

    def run(
        self,
        output_names: Sequence[str] | None,
        input_feed: Any,
        run_options: RunOptions | None = None,
    ) -> list[np.ndarray[Any, Any]]:
        """The outputs that are named."""
        ...


class IOBinding:
    """Inputs and outputs of a session, bound by name."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._inputs: dict[str, Any] = {}
        self._outputs: dict[str, np.ndarray[Any, Any] | None] = {}  # None: an array of its own
        self._made: list[np.ndarray[Any, Any]] = []

    def bind_cpu_input(self, name: str, arr_on_cpu: np.ndarray[Any, Any]) -> None:
        """An array as an input."""
        self._inputs[name] = arr_on_cpu

    def bind_input(
        self, name: str, device_type: str, device_id: int, element_type: Any,
        shape: Sequence[int], buffer_ptr: int,
    ) -> None:  # fmt: skip
        """The memory at an address as an input; the caller keeps it alive until the run."""
        only_cpu(device_type)
        self._inputs[name] = memory_at(buffer_ptr, shape, element_type)

    def bind_ortvalue_input(self, name: str, ortvalue: OrtValue) -> None:
        """A tensor as an input."""
        self._inputs[name] = ortvalue

    def bind_output(
        self, name: str, device_type: str = "cpu", device_id: int = 0, element_type: Any = None,
        shape: Sequence[int] | None = None, buffer_ptr: int | None = None,
    ) -> None:  # fmt: skip
        """An output that is wanted: in the memory at an address, or in an array of its own."""
        only_cpu(device_type)
        memory = None
        if buffer_ptr is not None:
            if shape is None or element_type is None:
                raise ValueError(f"output {name!r}: memory is bound by its type and shape, too")
            memory = memory_at(buffer_ptr, shape, element_type)
        self._outputs[name] = memory

    def bind_ortvalue_output(self, name: str, ortvalue: OrtValue) -> None:
        """An output that is written into a tensor."""
        self._outputs[name] = as_numpy(ortvalue)

    def clear_binding_inputs(self) -> None:
        """Nothing is bound as an input."""
        self._inputs.clear()

    def clear_binding_outputs(self) -> None:
        """Nothing is bound as an output."""
        self._outputs.clear()

    def run(self, run_options: RunOptions | None = None) -> None:
        """Computes what is bound.

        Raises DataTypeError and ShapeError where an output does not fit its memory, and what
        InferenceSession.run raises.
        """
        made = self._session.run(list(self._outputs) or None, self._inputs, run_options)
        for at, (name, memory) in enumerate(self._outputs.items()):
            if memory is not None:
                made[at] = _written(name, memory, made[at])
        self._made = made

    def get_outputs(self) -> list[OrtValue]:
        """The latest run's outputs."""
        return [OrtValue(array) for array in self._made]

    get_outputs_as_ortvaluevector = get_outputs

    def copy_outputs_to_cpu(self) -> list[np.ndarray[Any, Any]]:
        """The latest run's outputs as arrays."""
        return [array.copy() for array in self._made]

    def synchronize_inputs(self) -> None:
        """Nothing: runs are synchronous."""

    synchronize_outputs = synchronize_inputs


def _written(
    name: str, memory: np.ndarray[Any, Any], made: np.ndarray[Any, Any]
) -> np.ndarray[Any, Any]:
    if memory.dtype != made.dtype:
        raise DataTypeError(f"output {name!r} is {made.dtype.name}, its memory {memory.dtype.name}")
    if memory.shape != made.shape:
        raise ShapeError(
            f"output {name!r} has the shape {list(made.shape)}, its memory {list(memory.shape)}"
        )
    memory[...] = made
    return memory
