from collections.abc import Callable
from enum import Enum
from typing import Any

import numpy as np

from lite.model.program import Program

_Array = np.ndarray[Any, Any]
_Info = tuple[str, tuple[int, ...], str | None]
# (version, {operator: version}, blocks, {parameter: (array, offset)})
_Stored = tuple[int, dict[str, int], list[Any], dict[str, tuple[_Array, int]]]
_Meta = tuple[tuple[int, ...], str, list[list[int]]]

class Predictor:
    @staticmethod
    def from_file(path: str | bytes, settings: dict[str, Any] = ...) -> Predictor: ...
    @staticmethod
    def from_bytes(file: bytes, settings: dict[str, Any] = ...) -> Predictor: ...
    @staticmethod
    def from_program(
        program: bytes, params: dict[str, _Array], settings: dict[str, Any] = ...
    ) -> Predictor: ...
    def stored_problem(self) -> str: ...
    def save_packed(
        self,
        model_path: str | bytes,
        path: str | bytes,
        inputs: list[tuple[_Array, list[list[int]]]],
    ) -> None: ...
    def device_reports(self) -> list[SubgraphReport]: ...
    def clone(self) -> Predictor: ...
    def run(self) -> None: ...
    def cancel(self) -> None: ...
    def show_declared_shapes(self) -> None: ...
    def run_with(
        self, inputs: list[tuple[_Array, list[list[int]]]]
    ) -> list[tuple[_Array, list[list[int]]]]: ...
    def inputs(self) -> list[_Info]: ...
    def outputs(self) -> list[_Info]: ...
    def set_input(self, index: int, array: _Array, lod: list[list[int]] = ...) -> None: ...
    def resize_input(self, index: int, dims: list[int]) -> None: ...
    def set_input_lod(self, index: int, lod: list[list[int]]) -> None: ...
    def input_meta(self, index: int) -> _Meta: ...
    def output_meta(self, index: int) -> _Meta: ...
    def copy_input(self, index: int) -> _Array: ...
    def copy_output(self, index: int) -> _Array: ...
    def threads(self) -> int: ...
    def set_threads(self, threads: int) -> None: ...
    def set_power_mode(self, mode: int) -> None: ...
    def arena_bytes(self) -> int: ...
    def shapes_depend_on_data(self) -> bool: ...

class Cache(Enum):
    NONE = 0
    USED = 1
    WRITTEN = 2
    NOT_WRITTEN = 3
    REFUSED = 4

class DeviceProgram:
    device: str
    create_ms: float
    operations: list[int]

class RuntimeReport:
    cache: Cache
    cache_text: str
    programs: list[DeviceProgram]

class CompileAttempt:
    devices: list[str]
    error: str

class CompileOutcome:
    attempts: list[CompileAttempt]
    runtime: RuntimeReport | None
    operations: list[list[int]]
    compilations: int
    runs: int

class SubgraphReport:
    block: int
    outcomes: list[CompileOutcome]
    programs: int
    runs: int
    padded_runs: int
    padding: float
    compile_ms: float
    run_ms: float
    input_bytes: int
    output_bytes: int

class TensorRecord:
    slot: str
    shape: tuple[int, ...]
    dtype: str
    layout: str
    constant: bool

class OperatorRecord:
    kind: str
    type: str
    where: str
    precision: int
    layout: str
    alias: str
    algorithm: str
    reason: str
    inputs: list[TensorRecord]
    outputs: list[TensorRecord]
    steps: list[str]

class RunRecord:
    records: list[OperatorRecord]
    dropped: int
    def events(self) -> np.ndarray[Any, np.dtype[np.int64]]: ...

def read_nb_file(path: str | bytes) -> _Stored: ...
def read_nb_bytes(file: bytes, name: str) -> _Stored: ...
def sniff(head: bytes) -> tuple[str, str | None]: ...

SNIFFED_BYTES: int

def profile(
    predictor: Predictor, inputs: list[tuple[_Array, list[list[int]]]], warmup: int, runs: int
) -> RunRecord: ...
def measure_peak(threads: int) -> tuple[float, list[tuple[int, float]]]: ...
def operator_table() -> list[dict[str, Any]]: ...
def run_op(
    type: str,
    inputs: dict[str, list[tuple[_Array, list[list[int]]]]],
    outputs: dict[str, int],
    attrs: dict[str, Any],
    params: list[str] = ...,
    dynamic: bool = ...,
    layout: str = ...,
    threads: int = ...,
    most: int = ...,
) -> dict[str, list[tuple[_Array, list[list[int]]]]]: ...
def check_support(
    program: Program,
    params: dict[str, _Array],
    block: int,
    clusters: list[list[int]],
    settings: dict[str, Any],
    input_shapes: dict[str, list[int]] = ...,
    declaration_only: bool = ...,
    op_versions: dict[str, int] = ...,
    counted: frozenset[str] = ...,
) -> dict[int, str]: ...
def infer_shapes(
    program: Program,
    params: dict[str, _Array],
    input_shapes: dict[str, list[int]],
    counted: frozenset[str],
) -> dict[str, tuple[list[int], _Array | None]]: ...
def add_operator(
    type: str,
    inputs: list[tuple[str, bool, bool]],
    outputs: list[tuple[str, bool, bool]],
    attrs: list[tuple[str, str, Any, bool]],
    compute: Callable[..., Any],
    infer: Callable[..., Any] | None,
) -> None: ...
def remove_operator(type: str) -> bool: ...
def require_device(name: str) -> None: ...
def describe_devices(settings: dict[str, Any]) -> str: ...
def isa_name() -> str: ...

DEFAULT_LOOP_LIMIT: int
MAX_INT8_SUMMANDS: int

def set_loop_limit(iterations: int) -> None: ...
def loop_limit() -> int: ...
def set_memory_limit(bytes: int) -> None: ...
def fits_memory_limit(bytes: int) -> bool: ...
def memory_limit() -> int: ...
def nnadapter_operators() -> list[str]: ...
def nnadapter_add_rules(rules: list[list[tuple[int, str, int, int]]]) -> None: ...
def nnadapter_reset_rules() -> None: ...
def nnadapter_convert_op(
    type: str,
    inputs: dict[str, list[tuple[_Array, list[list[int]]]]],
    outputs: dict[str, int],
    attrs: dict[str, Any],
    params: list[str] = ...,
    unknown: bool = ...,
    device: str = ...,
    scales: dict[str, float] = ...,
    op_version: int = ...,
    driver_version: int = ...,
) -> dict[str, Any]: ...
