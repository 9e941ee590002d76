"""From a model's files to a predictor core or to optimised files: the one way through."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lite import _core
from lite.api.system_errors import system_errors
from lite.api.targets import CPU_TARGETS, host_target
from lite.errors import ConfigError, LiteError, ModelFormatError

if TYPE_CHECKING:
    from lite.api.config import CxxConfig
    from lite.core.optimizer import Tracer
    from lite.model.program import Program


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
        )

    def read(self) -> Program:
        """The program as it is in the files."""
        from lite.model.load import load_program

        with system_errors(ModelFormatError):
            if self.model_bytes is not None:
                return load_program(
                    model_bytes=self.model_bytes, param_bytes=self.param_bytes or None
                )
            if self.model_file:
                return load_program(model_file=self.model_file, param_file=self.param_file or None)
            return load_program(self.model_dir)

    def optimize(self, program: Program, trace: Tracer | None = None) -> Program:
        """A program after the passes; the given one is not changed."""
        from lite.core.optimizer import optimize

        return optimize(
            program,
            targets=self.targets or (host_target(),),
            discarded=self.discarded,
            passes=self.passes,
            trace=trace,
            consume=True,
        )

    def optimized(self, trace: Tracer | None = None) -> Program:
        """The source's program after the passes."""
        return self.optimize(self.read(), trace)

    def make_core(self, trace: Tracer | None = None) -> _core.Predictor:
        """A predictor core; parameters go through the door one by one."""
        return make_core(self.optimized(trace))

    def save_naive_buffer(self, path: str, trace: Tracer | None = None) -> str:
        """Writes a `.nb` file and returns its path (``.nb`` appended where it is missing)."""
        return save_naive_buffer(self.optimized(trace), path)

    def save_protobuf(self, path: str, trace: Tracer | None = None) -> str:
        """Writes the folder `path` with ``model`` and ``params``."""
        return save_protobuf(self.optimized(trace), path)


def make_core(program: Program) -> _core.Predictor:
    """A predictor core over the program's parameters, which it takes away.

    Raises UnsupportedOperatorError or ModelFormatError for a program that cannot run here.
    """
    from lite.model.naive_buffer import program_bytes

    params = program.params
    program.params = {}
    return _core.Predictor.from_program(program_bytes(program), params)


def check_runs_here(program: Program) -> None:
    """Raises what loading the program would raise; the program stays as it is."""
    make_core(replace(program, params=dict(program.params)))


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


def core_from_file(path: str) -> _core.Predictor:
    """A predictor core from a `.nb` file."""
    with system_errors(ModelFormatError):
        return _core.Predictor.from_file(os.fsencode(path))
