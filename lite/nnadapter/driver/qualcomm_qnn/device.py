"""The device `qualcomm_qnn`: compiles for the HTP (NPU) of a Snapdragon by onnxruntime-qnn.

On x86-64 its simulator runs the programs; what `save` gives runs on a Snapdragon with the same
package. Computes in half precision. Properties, or environment variables of the same names:
QUALCOMM_QNN_SOC_MODEL, Qualcomm's number of the chip: 57 (SM8650, HTP v75) unless set.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import onnxruntime as ort
import onnxruntime_qnn as qnn

from lite.errors import DeviceError
from lite.model.onnx.writer import describe, new_model
from lite.nnadapter.driver.compiled.hal import CompiledHal, Limits, operation_of
from lite.nnadapter.driver.environment import refuse_fork, setting
from lite.nnadapter.driver.onnx.graph import IR_VERSION, OPSET
from lite.nnadapter.driver.onnxruntime.providers import devices_of
from lite.nnadapter.driver.qualcomm_qnn.graph import QnnGraph
from lite.nnadapter.model import Array, Model

_CPU = "CPUExecutionProvider"
_SOC_MODEL = "57"
_processes: set[int] = set()
_known_chips: set[str] = set()


def _devices() -> list[Any]:
    """QNN's devices; its library is registered under the provider's name, once a process."""
    refuse_fork("QNN", _processes)  # before the lock, which a fork may have left held
    _processes.add(os.getpid())
    return devices_of(qnn.get_ep_name(), qnn.get_library_path())[:1]


class QnnHal(CompiledHal):
    """Programs of QNN's HTP back end."""

    vendor = "Qualcomm"
    keys = ("QUALCOMM_QNN_SOC_MODEL",)
    precision = "fp16"
    graph = QnnGraph
    limits = Limits(frozenset("float32 float16 int32 int64 int8 uint8 bool".split()))
    _context = b""

    def version(self) -> str:
        """onnxruntime-qnn, its version and the chip."""
        return f"onnxruntime-qnn {qnn.__version__} soc_model {self._soc_model()}"

    def left(self, model: bytes) -> Mapping[int, str]:
        """The operations of which a node went to ONNX Runtime's CPU."""
        self._refuse_an_unknown_chip()
        session = self._session(model, {"session.record_ep_graph_assignment_info": "1"}, check=True)
        found: dict[int, str] = {}
        parts = session.get_provider_graph_assignment_info()
        if all(part.ep_name == _CPU for part in parts):
            raise RuntimeError("nothing of it is left for the HTP")
        for part in parts:
            for node in part.get_nodes() if part.ep_name == _CPU else ():
                number = operation_of(node.name)
                if number is not None:
                    found[number] = f"QNN's HTP does not take the ONNX {node.op_type} of it"
        return found

    def build(self, model: Model) -> None:
        """Compiles; the context binary stands in an ONNX model of one node."""
        with TemporaryDirectory() as folder:
            path = Path(folder, "context.onnx")
            entries = {
                "session.disable_cpu_ep_fallback": "1",
                "ep.context_enable": "1",
                "ep.context_embed_mode": "1",
                "ep.context_file_path": str(path),
            }
            self._use(self._session(self.whole(model), entries))
            if not path.exists():  # a model of constants
                raise DeviceError("nothing of the model is left for the HTP")
            self._context = path.read_bytes()

    def save(self) -> bytes:
        """The context, for this version and chip; called right after `build`."""
        return self.stamped(self._context)

    def load(self, data: bytes) -> None:
        """What `save` wrote."""
        context = self.unstamped(data)
        self._use(self._session(context, {"session.disable_cpu_ep_fallback": "1"}))
        self._context = context

    def run(self, inputs: Sequence[Array]) -> list[Array]:
        """One run, in the simulator or on the chip."""
        self._context = b""
        refuse_fork("QNN", _processes)
        # What no operation reads may be no input of the program.
        feeds = {name: inputs[_place(name)] for name in self._inputs}
        return list(self._program.run(self._outputs, feeds))

    def _use(self, session: ort.InferenceSession) -> None:
        self._program = session
        self._inputs = [value.name for value in session.get_inputs()]
        # A context's come in an order of its own.
        self._outputs = sorted((value.name for value in session.get_outputs()), key=_place)

    def _soc_model(self) -> str:
        name = "QUALCOMM_QNN_SOC_MODEL"
        found = setting(self, name) or _SOC_MODEL
        if not found.isdigit() or not int(found):
            raise DeviceError(f"{name} is {found!r}; Qualcomm's number of a chip is expected")
        return found

    def _refuse_an_unknown_chip(self) -> None:
        """QNN leaves everything to the CPU for a number that it does not know."""
        chip = self._soc_model()
        if chip in _known_chips:
            return
        try:
            self._session(_one_relu(), {"session.disable_cpu_ep_fallback": "1"}, check=True)
        except Exception as error:  # onnxruntime's own have no common base
            raise DeviceError(
                f"QNN compiles nothing for QUALCOMM_QNN_SOC_MODEL {chip}: {error}"
            ) from error
        _known_chips.add(chip)

    def _session(
        self, model: bytes, entries: Mapping[str, str], check: bool = False
    ) -> ort.InferenceSession:
        options = ort.SessionOptions()
        options.log_severity_level = 4 if check else 3
        # Folds constants, and leaves the nodes their names.
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_BASIC
        for key, value in entries.items():
            options.add_session_config_entry(key, value)
        # Without a chip it would compute in float, which none does.
        settings = {"backend_path": qnn.get_qnn_htp_path(), "soc_model": self._soc_model()}
        options.add_provider_for_devices(_devices(), settings)
        session = ort.InferenceSession(model, options)
        session.disable_fallback()  # to the CPU, where a run fails
        return session


def _one_relu() -> bytes:
    """The smallest model that any chip takes."""
    proto = new_model(OPSET, IR_VERSION, "relu")
    describe(proto.graph.input.add(name="input0"), np.dtype(np.float32), (1, 8))
    proto.graph.node.add(op_type="Relu", input=["input0"], output=["output0"])
    describe(proto.graph.output.add(name="output0"), np.dtype(np.float32), (1, 8))
    return bytes(proto.SerializeToString())


def _place(name: str) -> int:
    """The position of input<i> or output<i>."""
    return int(name.removeprefix("input").removeprefix("output"))
