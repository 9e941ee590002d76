"""The device `onnxruntime`: builds an ONNX model and runs it in an InferenceSession.

Properties, or environment variables of the same names: ONNXRUNTIME_INTRA_OP_NUM_THREADS;
ONNXRUNTIME_PROVIDERS, execution providers by preference, CPUExecutionProvider unless set. One that
a library brings (ONNXRUNTIME_PROVIDER_LIBRARY, its path) stands alone there; the CPU takes nothing
of what it leaves. ONNXRUNTIME_PROVIDER_OPTIONS are its options, "key:value,key:value".
"""

from __future__ import annotations

import os
from collections.abc import Sequence

import onnxruntime as ort

from lite.errors import DeviceError
from lite.nnadapter.driver.environment import setting
from lite.nnadapter.driver.onnxruntime.graph import OnnxRuntimeGraph
from lite.nnadapter.driver.onnxruntime.providers import devices_of
from lite.nnadapter.hal import Hal, Unsupported
from lite.nnadapter.model import Array, Model, Operation
from lite.nnadapter.types import DeviceType


class OnnxRuntimeHal(Hal):
    """Programs of ONNX Runtime."""

    vendor = "Microsoft"
    keys = (
        "ONNXRUNTIME_INTRA_OP_NUM_THREADS",
        "ONNXRUNTIME_PROVIDERS",
        "ONNXRUNTIME_PROVIDER_LIBRARY",
        "ONNXRUNTIME_PROVIDER_OPTIONS",
    )
    device_type = DeviceType.CPU
    _model: bytes | None = None

    def open(self) -> None:
        """Raises DeviceError for settings that cannot be."""
        self._options()

    def supports(self, op: Operation) -> bool | str:
        """By loading a model of the operation alone."""
        try:
            session = self._session(OnnxRuntimeGraph().alone(op), check=True)
        except Unsupported as no:
            return str(no)
        except (ValueError, TypeError, KeyError) as error:
            return f"the ONNX Runtime device cannot read {op.type}: {error}"
        except Exception as error:  # onnxruntime's own have no common base
            return f"ONNX Runtime refuses {op.type}: {str(error).strip().splitlines()[-1]}"
        del session
        return True

    def build(self, model: Model) -> None:
        """Converts and loads."""
        self._use(OnnxRuntimeGraph().whole(model))

    def save(self) -> bytes:
        """The ONNX model; called right after `build`."""
        if self._model is None:
            raise DeviceError("the model was let go of when it ran")
        return self._model

    def load(self, data: bytes) -> None:
        """What `save` wrote."""
        self._use(data)

    def run(self, inputs: Sequence[Array]) -> list[Array]:
        """One run of the session."""
        self._model = None
        if os.getpid() != self._process and self._threads != 1:
            raise DeviceError(
                "ONNX Runtime's threads did not survive the fork of this process; compile in the "
                "child, or set ONNXRUNTIME_INTRA_OP_NUM_THREADS=1"
            )
        feeds = dict(zip(self._inputs, inputs, strict=True))
        return list(self._program.run(self._outputs, feeds))

    def _use(self, data: bytes) -> None:
        self._model = data
        self._program = self._session(data)
        self._process = os.getpid()
        self._inputs = [value.name for value in self._program.get_inputs()]
        self._outputs = [value.name for value in self._program.get_outputs()]

    def _session(self, data: bytes, check: bool = False) -> ort.InferenceSession:
        options, providers = self._options(check)
        return ort.InferenceSession(data, options, providers=providers)

    def _options(self, check: bool = False) -> tuple[ort.SessionOptions, list[str] | None]:
        """With the providers by name, but for one of a library, which the options have."""
        options = ort.SessionOptions()
        options.log_severity_level = 4 if check else 3
        options.inter_op_num_threads = 1
        # A model may become many sessions, whose idle threads would take the processor.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        threads = setting(self, "ONNXRUNTIME_INTRA_OP_NUM_THREADS")
        if threads and (not threads.isdigit() or int(threads) < 1):
            raise DeviceError(
                f"ONNXRUNTIME_INTRA_OP_NUM_THREADS is {threads!r}; a number is expected"
            )
        self._threads = int(threads or 0)
        options.intra_op_num_threads = 1 if check else self._threads
        if check:
            options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        wanted = [
            name.strip()
            for name in setting(self, "ONNXRUNTIME_PROVIDERS").split(",")
            if name.strip()
        ]
        library = setting(self, "ONNXRUNTIME_PROVIDER_LIBRARY")
        if library:
            self._add_plugin(options, wanted, library)
            return options, None
        missing = [name for name in wanted if name not in ort.get_available_providers()]
        if missing:
            raise DeviceError(
                f"ONNXRUNTIME_PROVIDERS names {', '.join(missing)}; this onnxruntime has "
                f"{', '.join(ort.get_available_providers())}; ONNXRUNTIME_PROVIDER_LIBRARY names "
                "the library of another one"
            )
        return options, wanted or ["CPUExecutionProvider"]

    def _add_plugin(self, options: ort.SessionOptions, wanted: list[str], library: str) -> None:
        """Lets a provider of a library run the session, and nothing else."""
        if len(wanted) != 1:
            raise DeviceError(
                f"ONNXRUNTIME_PROVIDERS is {','.join(wanted)!r}; the one provider of "
                f"{library} is expected"
            )
        (name,) = wanted
        try:
            devices = devices_of(name, library)
        except DeviceError as error:
            raise DeviceError(f"ONNXRUNTIME_PROVIDER_LIBRARY {error}") from error
        settings = {}
        for entry in filter(None, setting(self, "ONNXRUNTIME_PROVIDER_OPTIONS").split(",")):
            key, colon, value = entry.partition(":")
            if not colon:
                raise DeviceError(
                    f"ONNXRUNTIME_PROVIDER_OPTIONS has {entry!r}; key:value is expected"
                )
            settings[key.strip()] = value.strip()
        options.add_session_config_entry("session.disable_cpu_ep_fallback", "1")
        options.add_provider_for_devices(devices[:1], settings)
