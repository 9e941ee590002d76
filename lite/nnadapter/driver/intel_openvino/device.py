"""The device `intel_openvino`: builds an openvino.Model, compiles it and infers.

Properties, or environment variables of the same names: INTEL_OPENVINO_SELECT_DEVICE_NAMES
(OpenVINO's own device, CPU unless set; the first of a list), INTEL_OPENVINO_INFERENCE_NUM_THREADS.
Computes in float32.
"""

from __future__ import annotations

import io
import os
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import openvino as ov

from lite.errors import DeviceError
from lite.nnadapter.driver.environment import refuse_fork, setting
from lite.nnadapter.driver.intel_openvino.graph import EXTENSIONS, OpenVinoGraph, fits
from lite.nnadapter.hal import Hal, Unsupported
from lite.nnadapter.model import Array, Model, Operation
from lite.nnadapter.types import DeviceType

_cores: dict[int, ov.Core] = {}


def _core() -> ov.Core:
    """OpenVINO's entry, one a process."""
    refuse_fork("OpenVINO", _cores)
    process = os.getpid()
    if process not in _cores:
        _cores[process] = core = ov.Core()
        core.add_extension(EXTENSIONS)
    return _cores[process]


@lru_cache(maxsize=1024)
def _computed_shapes(process: int, model: bytes) -> list[ov.PartialShape]:
    """The shapes of an ONNX model's outputs; models repeat operations, and ask for each twice."""
    return [output.partial_shape for output in _core().read_model(model).outputs]


class OpenVinoHal(Hal):
    """Programs of the OpenVINO runtime."""

    vendor = "Intel"
    device_type = DeviceType.CPU

    def supports(self, op: Operation) -> bool | str:
        """By reading a model of the operation alone."""
        outputs = [operand for operand in op.outputs if operand is not None]
        try:
            shapes = _computed_shapes(os.getpid(), OpenVinoGraph().alone(op))
        except Unsupported as no:
            return str(no)
        except (ValueError, TypeError, KeyError) as error:
            return f"the OpenVINO device cannot read {op.type}: {error}"
        except RuntimeError as error:
            return f"OpenVINO refuses {op.type}: {str(error).strip().splitlines()[-1]}"
        for operand, shape in zip(outputs, shapes, strict=True):
            declared = ov.PartialShape([-1 if dim is None else dim for dim in operand.shape])
            if not shape.compatible(declared):
                return f"OpenVINO computes the shape {shape}, not {declared}"
        return True

    def build(self, model: Model) -> None:
        """Converts and compiles."""
        core = _core()
        read = OpenVinoGraph().read(core, model)
        self._use(core.compile_model(read, self._device(), self._config()))

    def save(self) -> bytes:
        """OpenVINO's version and device on a line, then its own format."""
        stream = io.BytesIO()
        self._compiled.export_model(stream)
        return self._stamp() + stream.getvalue()

    def load(self, data: bytes) -> None:
        """What `save` wrote, by the same version for the same device."""
        stamp = self._stamp()
        if not data.startswith(stamp):
            raise DeviceError("the cache is of another OpenVINO version or device")
        stream = io.BytesIO(data[len(stamp) :])
        self._use(_core().import_model(stream, self._device(), self._config()))

    def run(self, inputs: Sequence[Array]) -> list[Array]:
        """Infers; the inputs are copied, the outputs are ours."""
        if os.getpid() != self._process:
            _core()
        if any(not array.size for array in inputs):
            raise DeviceError("OpenVINO does not compute tensors without elements")
        for number, elements in enumerate(inputs):
            if elements.dtype == np.int64 and not fits(elements):
                raise DeviceError(
                    f"input {number} holds integers beyond 32 bits, in which OpenVINO computes "
                    "int64; keep the operators that read it off this device (partition config)"
                )
        # What no operation reads is no input of the compiled model.
        feeds = {name: inputs[position] for name, position in self._inputs.items()}
        results = self._request.infer(feeds, share_inputs=False, share_outputs=False)
        return [np.asarray(results[i]) for i in range(len(self._compiled.outputs))]

    def _use(self, compiled: ov.CompiledModel) -> None:
        self._compiled = compiled
        self._request = compiled.create_infer_request()
        # What is passed on unchanged has an output's name, too.
        names = (name for value in compiled.inputs for name in value.names)
        self._inputs = {
            name: int(name.removeprefix("input")) for name in names if name.startswith("input")
        }
        self._process = os.getpid()

    def _device(self) -> str:
        names = setting(self, "INTEL_OPENVINO_SELECT_DEVICE_NAMES").split(",")
        return names[0].strip() or "CPU"

    def _stamp(self) -> bytes:
        return f"{ov.get_version()} {self._device()}\n".encode()

    def _config(self) -> dict[str, Any]:
        config: dict[str, Any] = {
            "INFERENCE_PRECISION_HINT": "f32",
            "EXECUTION_MODE_HINT": "ACCURACY",
            "PERFORMANCE_HINT": "LATENCY",
        }
        threads = setting(self, "INTEL_OPENVINO_INFERENCE_NUM_THREADS")
        if threads:
            if not threads.isdigit() or int(threads) < 1:
                raise DeviceError(
                    f"INTEL_OPENVINO_INFERENCE_NUM_THREADS is {threads!r}; a number is expected"
                )
            config["INFERENCE_NUM_THREADS"] = int(threads)
        return config
