"""SessionOptions and RunOptions: what means something here is used, the rest is remembered."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import IntEnum
from typing import Any, Protocol

from lite.errors import CancelledError, ConfigError
from lite.model.source import Buffer
from lite.onnxruntime.module import PROVIDER
from lite.onnxruntime.values import as_numpy


class GraphOptimizationLevel(IntEnum):
    """How much a graph is rewritten. ``ORT_DISABLE_ALL`` switches this engine's passes off."""

    ORT_DISABLE_ALL = 0
    ORT_ENABLE_BASIC = 1
    ORT_ENABLE_EXTENDED = 2
    ORT_ENABLE_LAYOUT = 3
    ORT_ENABLE_ALL = 99


class ExecutionMode(IntEnum):
    """Operators run one after the other here, whichever is chosen."""

    ORT_SEQUENTIAL = 0
    ORT_PARALLEL = 1


class ExecutionOrder(IntEnum):
    """The order of operators is the engine's."""

    DEFAULT = 0
    PRIORITY_BASED = 1
    MEMORY_EFFICIENT = 2


_FOLDER = "session.model_external_initializers_file_folder_path"

_WARNED: set[str] = set()

_MEANINGLESS = ("use_deterministic_compute",)
"""Fields that ask for something that this engine does always."""


class SessionOptions:
    """How a session runs. ``intra_op_num_threads`` is its threads (0: every core);
    ``optimized_model_filepath`` gets the model as `lite convert --to onnx` writes it."""

    def __init__(self) -> None:
        self.intra_op_num_threads = 0
        self.inter_op_num_threads = 0
        self.graph_optimization_level = GraphOptimizationLevel.ORT_ENABLE_ALL
        self.execution_mode = ExecutionMode.ORT_SEQUENTIAL
        self.execution_order = ExecutionOrder.DEFAULT
        self.enable_cpu_mem_arena = True
        self.enable_mem_pattern = True
        self.enable_mem_reuse = True
        self.enable_profiling = False
        self.log_severity_level = 2
        self.log_verbosity_level = 0
        self.logid = ""
        self.optimized_model_filepath = ""
        self.profile_file_prefix = "onnxruntime_profile_"
        self.use_deterministic_compute = False
        self.use_per_session_threads = True
        self.initializers: dict[str, Any] = {}
        self.files: dict[str, Buffer] = {}
        self._entries: dict[str, str] = {}

    def add_session_config_entry(self, key: str, value: str) -> None:
        """Remembers an entry; only the folder of a model that is given as bytes means something."""
        if key != _FOLDER:
            warn_once(f"the session's entry {key!r}")
        self._entries[key] = value

    @property
    def folder(self) -> str | None:
        """Where the files lie that a model of bytes names."""
        return self._entries.get(_FOLDER)

    def get_session_config_entry(self, key: str) -> str:
        """An entry. Raises KeyError where there is none."""
        return self._entries[key]

    def add_initializer(self, name: str, ort_value: Any) -> None:
        """A constant's elements, in place of those of the file; of its type and shape."""
        self.initializers[name] = as_numpy(ort_value)

    def add_external_initializers(self, names: Sequence[str], values: Sequence[Any]) -> None:
        """The same for several."""
        for name, value in zip(names, values, strict=True):
            self.add_initializer(name, value)

    def add_external_initializers_from_files_in_memory(
        self, file_names: Sequence[str], buffers: Sequence[Buffer], lengths: Sequence[int]
    ) -> None:
        """The files that a model names, from memory."""
        for name, buffer, length in zip(file_names, buffers, lengths, strict=True):
            self.files[name] = memoryview(buffer).cast("B")[:length]

    def add_provider(self, name: str, options: Mapping[str, str]) -> None:
        """Remembered by nobody: the CPU runs."""
        if name != PROVIDER:
            warn_once(f"the provider {name}")

    def has_providers(self) -> bool:
        """False."""
        return False

    def add_free_dimension_override_by_name(self, name: str, size: int) -> None:
        """Nothing: shapes are known with each run."""
        warn_once("a size for a free dimension")

    add_free_dimension_override_by_denotation = add_free_dimension_override_by_name

    def register_custom_ops_library(self, path: str) -> None:
        """Raises NotImplementedError: operators are added with @lite.operator."""
        raise NotImplementedError(
            f"{path}: libraries of ONNX Runtime's operators are not loaded; add an operator with "
            "@lite.operator (docs/custom_operators.md)"
        )

    def check(self) -> None:
        """Warns, once a process, of what is set and means nothing here. Raises ConfigError for a
        model that cannot be written."""
        path = self.optimized_model_filepath
        if path.endswith(".ort"):
            raise ConfigError(
                f"optimized_model_filepath is {path!r}: models are written as .onnx, not in ONNX "
                "Runtime's own format"
            )
        usual = vars(SessionOptions())
        for name in _MEANINGLESS:
            if getattr(self, name) != usual[name]:
                warn_once(f"SessionOptions.{name}")


class Running(Protocol):
    """A predictor that may be in a run."""

    def cancel(self) -> None:
        """Stops it."""
        ...


class RunOptions:
    """What a run may be told. ``terminate`` ends those that have these options."""

    def __init__(self) -> None:
        self.log_severity_level = 2
        self.log_verbosity_level = 0
        self.logid = ""
        self.only_execute_path_to_fetches = False
        self.training_mode = False
        self._terminate = False
        self._running: list[Running] = []
        self._entries: dict[str, str] = {}

    @property
    def terminate(self) -> bool:
        """Whether runs end with CancelledError, those that are under way and later ones."""
        return self._terminate

    @terminate.setter
    def terminate(self, value: bool) -> None:
        self._terminate = bool(value)
        if value:
            for predictor in list(self._running):
                predictor.cancel()

    @contextmanager
    def watching(self, predictor: Running) -> Iterator[None]:
        """Around a run, which ``terminate`` ends. Raises CancelledError."""
        self._running.append(predictor)
        try:
            self._check()
            yield
            self._check()  # set before the predictor had begun: there was nothing to stop
        except CancelledError:
            self._check()
            raise
        finally:
            self._running.remove(predictor)

    def _check(self) -> None:
        if self._terminate:
            raise CancelledError("Exiting due to terminate flag being set to true.")

    def add_run_config_entry(self, key: str, value: str) -> None:
        """Remembers an entry, which means nothing here."""
        self._entries[key] = value

    def get_run_config_entry(self, key: str) -> str:
        """An entry. Raises KeyError where there is none."""
        return self._entries[key]


def warn_once(what: str) -> None:
    """Says once in a process that something has no meaning here."""
    if what not in _WARNED:
        _WARNED.add(what)
        warnings.warn(f"{what} has no meaning for lite.onnxruntime", stacklevel=4)
