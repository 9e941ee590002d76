"""From a model's files to a predictor core or to optimised files: the one way through."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lite import _core
from lite.errors import ConfigError

if TYPE_CHECKING:
    from lite.api.config import CxxConfig
    from lite.model.program import Program

Trace = Callable[[str], None]


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
            targets=tuple(name for name in targets if name in ("x86", "arm", "host")),
            discarded=tuple(config._discarded),
            passes=None if config._passes is None else tuple(config._passes),
        )

    def read(self) -> Program:
        """The program as it is in the files."""
        from lite.model.load import load_program

        if self.model_bytes is not None:
            return load_program(model_bytes=self.model_bytes, param_bytes=self.param_bytes)
        if self.model_file:
            return load_program(
                model_file=self.model_file, param_file=self.param_file or None
            )
        return load_program(self.model_dir)

    def optimized(self, trace: Trace | None = None) -> Program:
        """The program after the passes."""
        from lite.core.optimizer import optimize

        return optimize(
            self.read(),
            targets=self.targets or (host_target(),),
            discarded=self.discarded,
            passes=self.passes,
            trace=trace,
            consume=True,
        )

    def make_core(self, trace: Trace | None = None) -> _core.Predictor:
        """A predictor core; parameters go through the door one by one."""
        from lite.model.naive_buffer import program_bytes

        program = self.optimized(trace)
        door = program_bytes(program)
        params = program.params
        program.params = {}
        return _core.Predictor.from_program(door, params)

    def save_naive_buffer(self, path: str, trace: Trace | None = None) -> str:
        """Writes a `.nb` file and returns its path (``.nb`` appended where it is missing)."""
        from lite.model.naive_buffer import write_nb_file

        if not path.endswith(".nb"):
            path += ".nb"
        write_nb_file(self.optimized(trace), path)
        return path

    def save_protobuf(self, path: str, trace: Trace | None = None) -> str:
        """Writes the folder `path` with ``model`` and ``params``."""
        from lite.model.save import write_protobuf_dir

        write_protobuf_dir(self.optimized(trace), path)
        return path


def host_target() -> str:
    """The target that is this machine's own CPU: x86 or arm."""
    return "arm" if os.uname().machine.startswith(("aarch64", "arm")) else "x86"


def nearest(name: str, known: Sequence[str]) -> str:
    """A hint that names the known words closest in spelling, or nothing."""
    import difflib

    close = difflib.get_close_matches(name, known, n=3)
    return f"; did you mean {' or '.join(close)}?" if close else ""
