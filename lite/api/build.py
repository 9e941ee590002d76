"""From a model's files to a predictor core or to optimised files: the one way through."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from lite import _core
from lite.api.devices import DeviceOptions
from lite.api.placement import PlacementSource, program_placement
from lite.api.system_errors import system_errors
from lite.api.targets import CPU_TARGETS, host_target
from lite.errors import ConfigError, DeviceError, LiteError, ModelFormatError

if TYPE_CHECKING:
    from lite.api.config import CxxConfig
    from lite.core.optimizer import Tracer
    from lite.core.partition import PartitionRequest, Placement
    from lite.model.find import Found
    from lite.model.program import Origin, Program


Reader = Callable[[str], "Program"]
"""Reads a file that a front door knows, such as torch's."""

_SUFFIXES = (".pdmodel", ".json", ".nb", ".onnx")


def _read_onnx(found: Found) -> Program:
    from lite.model.onnx.reader import read_onnx

    return read_onnx(found)


class Opened(NamedTuple):
    """A predictor core, where its operators run, and what the model says of itself."""

    core: _core.Predictor
    placement: PlacementSource | Placement
    origin: Origin | None = None


@dataclass(frozen=True)
class Source:
    """Where a model comes from and how it is optimised.

    Programs are read again whenever they are needed: parameters are freed while they are packed.
    """

    model_dir: str = ""
    model_file: str = ""
    param_file: str = ""
    model_bytes: bytes | None = None
    param_bytes: bytes | None = None
    targets: tuple[str, ...] = ()
    discarded: tuple[str, ...] = ()
    passes: tuple[str, ...] | None = None
    devices: DeviceOptions = field(default_factory=DeviceOptions)
    threads: int = 1
    precision: str = "fp32"  # of products with constant weights on the CPU
    use_stored: bool = True  # packed weights beside a `.nb` file
    kept: tuple[str, ...] = ()  # intermediate tensors that are outputs, too
    shapes: Mapping[str, Sequence[int]] = field(default_factory=dict)  # that inputs have for good
    weight_bits: int = 0  # of weights in files; 0: as they came
    sparse_threshold: float | None = None  # share of zeros of sparse weights in files
    half: bool = False  # in files, arm computes in half precision
    reader: Reader | None = None  # of the model file, where it is no format of Paddle's

    @staticmethod
    def from_config(config: CxxConfig) -> Source:
        """What a CxxConfig says. Raises ConfigError where it names no model, or two."""
        buffer = config._buffer
        named = bool(config.model_dir() or config.model_file() or config.param_file())
        if buffer is None and not named:
            raise ConfigError(
                "the CxxConfig names no model; call set_model_dir, set_model_file and "
                "set_param_file, or set_model_buffer"
            )
        if config.param_file() and not config.model_file() and buffer is None:
            raise ConfigError("set_param_file was called without set_model_file")
        targets = tuple(dict.fromkeys(place.target.name.lower() for place in config._places))
        return Source(
            model_dir="" if config.model_file() else config.model_dir(),
            model_file=config.model_file(),
            param_file=config.param_file(),
            model_bytes=None if buffer is None else buffer.model,
            param_bytes=None if buffer is None else buffer.param,
            targets=tuple(name for name in targets if name in CPU_TARGETS),
            discarded=tuple(config._discarded),
            passes=None if config._passes is None else tuple(config._passes),
            devices=config.devices(),
            threads=config.threads(),
            precision=config.precision(),
            kept=tuple(config.kept_tensors()),
        )

    @property
    def name(self) -> str:
        """What people call the model: its file's name, or its folder's where that says nothing."""
        path = os.path.abspath(self.model_file or self.model_dir)
        name = os.path.basename(path)
        stem = name.rpartition(".")[0] if name.endswith(_SUFFIXES) else name
        if stem in ("inference", "model", "__model__"):
            stem = os.path.basename(os.path.dirname(path))
        return stem if self.model_file or self.model_dir else ""

    def read(self) -> Program:
        """The program as it is in the files, and what is to be kept fetched as well."""
        program = self._read()
        if self.shapes:
            from lite.api.fixed_shapes import fix_shapes

            program = fix_shapes(program, self.shapes)
        if not self.kept:
            return program
        known = {name for op in program.root.ops for name in op.output_names()}
        for name in self.kept:
            if name not in known:
                raise ConfigError(
                    f"the tensor to keep, '{name}', is not computed by the program's main block; "
                    "`lite print` shows the names"
                )
        fetched = program.fetch_names()
        return program.with_fetches(dict.fromkeys(n for n in self.kept if n not in fetched))

    def _read(self) -> Program:
        from lite.model.find import find_program
        from lite.model.load import load_found

        with system_errors(ModelFormatError):
            if self.reader is not None:
                return self.reader(self.model_file)
            if self.model_bytes is not None:
                found = find_program(model_bytes=self.model_bytes)
            elif self.model_file:
                found = find_program(model_file=self.model_file)
            else:
                found = find_program(self.model_dir)
            return load_found(found, self.param_file or None, self.param_bytes or None, _read_onnx)

    def optimize(
        self,
        program: Program,
        trace: Tracer | None = None,
        partition: PartitionRequest | None = None,
        for_file: bool = False,
    ) -> tuple[Program, Placement | None]:
        """A program after the passes, and where its operators run if it was partitioned.

        The given one is not changed. ``partition`` is this source's own request where nothing else
        is given; without devices there is none.
        """
        if partition is None and self.devices:
            self.devices.make_available()
            partition = self.devices.request()
        options: dict[str, Any] = {
            "discarded": self.discarded,
            "passes": self.passes,
            "trace": trace,
            "consume": True,
            "weight_bits": self.weight_bits if for_file else None,
            "sparse_threshold": self.sparse_threshold if for_file else None,
            "half": self.half and for_file,
        }
        targets = self.targets or (host_target(),)
        if partition is None:
            from lite.core.optimizer import optimize

            return optimize(program, targets, **options), None
        from lite.core.partition import partition as divide

        request = replace(partition, model=partition.model or self.name)
        return divide(program, request, targets, **options)

    def optimized(self, trace: Tracer | None = None, for_file: bool = False) -> Program:
        """The source's program after the passes."""
        return self.optimize(self.read(), trace, for_file=for_file)[0]

    def core_settings(self) -> dict[str, Any]:
        """The settings that the runtime takes."""
        return {
            **self.devices.core_settings(self.threads),
            "precision": self.precision,
            "use_stored": self.use_stored,
            "kept": list(self.kept),
        }

    def core_from_file(self, path: str) -> _core.Predictor:
        """A predictor core from a `.nb` file, with this source's settings."""
        self.devices.make_available()
        with system_errors(ModelFormatError):
            core = _core.Predictor.from_file(os.fsencode(path), self.core_settings())
        if core.stored_problem():
            warnings.warn(core.stored_problem(), stacklevel=4)
        return _with_subgraphs(core, self.devices)

    def core_from_bytes(self, data: bytes) -> _core.Predictor:
        """A predictor core from the bytes of a `.nb` file, with this source's settings."""
        self.devices.make_available()
        core = _core.Predictor.from_bytes(data, self.core_settings())
        return _with_subgraphs(core, self.devices)

    def make_core(self, trace: Tracer | None = None) -> Opened:
        """A predictor core over the model.

        Parameters go through the door one by one.
        """
        settings = self.core_settings()
        if not self.devices:
            program = self.optimized(trace)
            return Opened(make_core(program, settings), self.cpu_placement, program.origin)
        program, placement = self.optimize(self.read(), trace)
        core = make_core(program, settings)
        where = placement or program_placement(program, self.devices)
        return Opened(core, where, program.origin)

    def cpu_placement(self) -> Placement:
        """The report of a program that runs on the CPU alone."""
        return program_placement(self.optimized(), self.devices)

    def save_naive_buffer(self, path: str, trace: Tracer | None = None) -> str:
        """Writes a `.nb` file and returns its path (``.nb`` appended where it is missing)."""
        return save_naive_buffer(self.optimized(trace, for_file=True), path)

    def save_protobuf(self, path: str, trace: Tracer | None = None) -> str:
        """Writes the folder `path` with ``model`` and ``params``."""
        return save_protobuf(self.optimized(trace, for_file=True), path)


def make_core(program: Program, settings: dict[str, Any] | None = None) -> _core.Predictor:
    """A predictor core over the program's parameters, which it takes away.

    Raises UnsupportedOperatorError or ModelFormatError for a program that cannot run here.
    """
    from lite.model.naive_buffer import program_bytes

    params = program.params
    program.params = {}
    return _core.Predictor.from_program(program_bytes(program), params, settings or {})


def check_runs_here(program: Program) -> None:
    """Raises what loading the program would raise; the program stays as it is."""
    # What is for a device could run on any, the CPU among them.
    settings = DeviceOptions(("builtin_device",)).core_settings()
    make_core(replace(program, params=dict(program.params)), settings)


def save_naive_buffer(program: Program, path: str) -> str:
    """Writes a `.nb` file and returns its path (``.nb`` appended where it is missing)."""
    from lite.model.naive_buffer import write_nb_file

    if not path.endswith(".nb"):
        path += ".nb"
    with system_errors(LiteError):
        write_nb_file(program, path)
    return path


def save_protobuf(program: Program, path: str) -> str:
    """Writes the folder `path` with ``model`` and ``params``."""
    from lite.model.save import write_protobuf_dir

    with system_errors(LiteError):
        write_protobuf_dir(program, path)
    return path


def _with_subgraphs(core: _core.Predictor, devices: DeviceOptions) -> _core.Predictor:
    """The core; a warning, or with ``strict`` an error, where no device has anything to do."""
    if not devices or core.device_reports():
        return core
    text = (
        f"devices {', '.join(devices.names)} are set, but the model has no subgraph for a device: "
        "all of it runs on the CPU. Convert it with paddle_lite_opt --valid_targets naming a "
        "device, or load the Paddle model itself"
    )
    if devices.strict:
        raise DeviceError(text)
    warnings.warn(text, stacklevel=5)
    return core
