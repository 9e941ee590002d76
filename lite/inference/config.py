"""Config: which model, and how it is optimised and run."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from lite.errors import ConfigError, LiteError
from lite.inference.absent import AbsentHardware
from lite.inference.arguments import checked, without_effect
from lite.inference.cpu import CpuSettings
from lite.inference.enums import PrecisionType, _PrecisionNames
from lite.inference.errors import (
    ArgumentError,
    ArgumentValueError,
    ConfigValueError,
    ModelFileError,
)
from lite.inference.nnadapter import LiteNNAdapterConfig
from lite.inference.passes import PassBuilder, default_passes
from lite.inference.summary import table

if TYPE_CHECKING:
    from lite import _core
    from lite.api.placement import PlacementSource
    from lite.core.partition import Placement

_MAX_THREADS = 256


class Config(_PrecisionNames, AbsentHardware, CpuSettings):
    """``Config()``, ``Config(config)``, ``Config(folder or .nb)``, ``Config(program, parameters)``.

    Every method of Paddle 2.6.2's and 3.3.1's is here. What has no meaning here is taken and logged
    once (logger ``lite.inference``). Files are looked at by create_predictor, which takes a
    configuration once; copy it with ``Config(config)`` to make another predictor.
    """

    __slots__ = (
        "_builder", "_flags", "_lite_engine", "_model_dir", "_nnadapter", "_params", "_params_file",
        "_prog", "_prog_file", "_threads", "_used",
    )  # fmt: skip

    def __init__(self, *args: str | Config) -> None:
        self._flags: dict[str, Any] = {}
        self._threads = 1
        self._used = False
        self._model_dir = self._prog_file = self._params_file = ""
        self._prog: bytes | None = None
        self._params = b""
        self._builder: PassBuilder | None = None
        self._lite_engine: dict[str, list[str]] | None = None
        self._nnadapter = LiteNNAdapterConfig()
        if len(args) == 1 and isinstance(args[0], Config):
            self._take(args[0])
        elif args:
            self.set_model(*args)  # type: ignore[arg-type]

    def _take(self, other: Config) -> None:
        for name in ("model_dir", "prog_file", "params_file", "prog", "params", "threads"):
            setattr(self, f"_{name}", getattr(other, f"_{name}"))
        self._flags = dict(other._flags)
        self._builder = None if other._builder is None else other._builder._copy()
        self._lite_engine = other._lite_engine
        self._nnadapter = other._nnadapter._copy()

    # -- The model.

    def set_model(self, *args: str) -> None:
        """``set_model(folder or .nb)`` or ``set_model(program, parameters)``."""
        texts = [arg.decode() if isinstance(arg, bytes) else arg for arg in args]
        if len(texts) not in (1, 2) or not all(isinstance(text, str) for text in texts):
            raise ArgumentError(
                "a model is given as one str (a folder, or a .nb file) or as two (program, "
                f"parameters), not as ({', '.join(type(arg).__name__ for arg in args)})"
            )
        if len(texts) == 1:
            self._model_dir = texts[0]
        else:
            self._prog_file, self._params_file = texts

    @checked
    def set_prog_file(self, path: str, /) -> None:
        """The program's file."""
        self._prog_file = path

    @checked
    def set_params_file(self, path: str, /) -> None:
        """The combined parameters' file."""
        self._params_file = path

    @checked
    def set_model_buffer(
        self, prog: bytes | str, prog_size: int, params: bytes | str, params_size: int, /
    ) -> None:
        """Program and parameters in memory; a `.nb` in memory has no parameters (``b"", 0``)."""
        self._prog = _part(prog, prog_size, "the program")
        self._params = _part(params, params_size, "the parameters")

    def model_dir(self) -> str:
        """The folder, or an empty text."""
        return self._model_dir

    def prog_file(self) -> str:
        """The program's file, or an empty text."""
        return self._prog_file

    def params_file(self) -> str:
        """The parameters' file, or an empty text."""
        return self._params_file

    def model_from_memory(self) -> bool:
        """Whether set_model_buffer() was called."""
        return self._prog is not None

    # -- How it runs.

    @checked
    def set_cpu_math_library_num_threads(self, threads: int, /) -> None:
        """Threads of one run; less than 1 is 1, and more than 256 is 256."""
        self._threads = threads

    def cpu_math_library_num_threads(self) -> int:
        """The number that was set; 1."""
        return self._threads

    @checked
    def switch_ir_optim(self, x: int = True) -> None:
        """Whether the optimizer's passes run. Plans fuse either way."""
        self._flags["ir_optim"] = bool(x)

    def ir_optim(self) -> bool:
        """What was set; True."""
        return bool(self._flags.get("ir_optim", True))

    def pass_builder(self) -> PassBuilder:
        """The passes that will run; changes count."""
        if self._builder is None:
            self._builder = PassBuilder(default_passes())
        return self._builder

    @checked
    def delete_pass(self, name: str, /) -> None:
        """Leaves out a pass; names that are unknown change nothing."""
        self.pass_builder().delete_pass(name)

    @without_effect("passes of Paddle 3's programs are not run here; those of this engine are")
    def enable_custom_passes(
        self,
        passes: list[str] = [],  # noqa: B006
        custom_pass_only: bool = False,
    ) -> None:
        """Adds passes that this framework has to the list; others change nothing."""
        builder = self.pass_builder()
        builder.set_passes([*([] if custom_pass_only else builder.all_passes()), *passes])

    def disable_glog_info(self) -> None:
        """Kept: nothing is logged but what a setting leads to."""
        self._flags["glog_disabled"] = True

    def glog_info_disabled(self) -> bool:
        """Whether disable_glog_info() was called."""
        return bool(self._flags.get("glog_disabled", False))

    # -- NNAdapter devices.

    @checked
    def enable_lite_engine(
        self, precision_mode: PrecisionType = PrecisionType.Float32, zero_copy: bool = False,
        passes_filter: list[str] = [], ops_filter: list[str] = [],  # noqa: B006
    ) -> None:  # fmt: skip
        """Runs on the devices that nnadapter() names what they take, and the rest on the CPU.

        ``passes_filter`` names passes to leave out, ``ops_filter`` operator types that stay on the
        CPU.
        """
        self._lite_engine = {"passes": passes_filter, "operators": ops_filter}

    def lite_engine_enabled(self) -> bool:
        """Whether enable_lite_engine() was called."""
        return self._lite_engine is not None

    def nnadapter(self) -> LiteNNAdapterConfig:
        """The devices and their settings."""
        return self._nnadapter

    def summary(self) -> str:
        """What is set, as a table."""
        flags = self._flags
        lite = [("use_lite", "true")] if self._lite_engine is not None else []
        return table(
            [
                self._model_rows(),
                [
                    ("cpu_math_thread", str(self._threads)),
                    ("enable_mkldnn", _word(self.mkldnn_enabled())),
                    ("mkldnn_cache_capacity", str(flags.get("mkldnn_cache", 10))),
                ],
                [("use_gpu", "false")],
                [("use_xpu", "false")],
                [
                    *lite,
                    ("use_cinn_compiler", "false"),
                    ("save_optimized_model", _word(flags.get("save_optimized"))),
                    ("ir_optim", _word(self.ir_optim())),
                    ("ir_debug", _word(flags.get("ir_debug"))),
                    ("memory_optim", _word(flags.get("memory_optim"))),
                    ("enable_profile", _word(flags.get("profile"))),
                    ("enable_log", _word(not self.glog_info_disabled())),
                    ("collect_shape_range_info", self._collected()),
                ],
            ]
        )

    def _collected(self) -> str:
        return self.shape_range_info_path() if self.shape_range_info_collected() else "false"

    def _model_rows(self) -> list[tuple[str, str]]:
        if self._prog is not None:
            return [("model_from_memory", "true")]
        rows = [("model_dir", self._model_dir)] if self._model_dir else []
        if self._prog_file or self._params_file:
            rows += [("model_file", self._prog_file), ("params_file", self._params_file)]
        return rows

    # -- From a configuration to a predictor.

    def _open(self) -> tuple[_core.Predictor, PlacementSource | Placement]:
        """A predictor core, and where its operators run. Takes the configuration for good."""
        if self._used:
            raise ConfigValueError(
                "each Config can be used for one predictor; copy it with Config(config), or use "
                "predictor.clone(), which shares the weights"
            )
        self._check()
        from lite.api.build import Source
        from lite.api.predictor import open_model

        engine = self._lite_engine or {"passes": [], "operators": []}
        devices = self._nnadapter._options(self._lite_engine is not None, engine["operators"])
        builder = self._builder or PassBuilder([])
        threads = min(max(self._threads, 1), _MAX_THREADS)
        source = Source(
            # Devices take their operators from a pass of the list.
            passes=_tuple(builder._chosen(self.ir_optim() or bool(devices))),
            discarded=_known(engine["passes"]),
            devices=devices,
            threads=threads,
        )
        try:
            core, placement, _ = open_model(*self._model(), source)
        except FileNotFoundError as error:
            raise ModelFileError(error.errno, error.strerror, error.filename) from error
        except OSError as error:
            raise LiteError(f"the model's file cannot be read: {error}") from error
        core.set_threads(threads)
        self._used = True
        return core, placement

    def _check(self) -> None:
        if "custom_device" in self._flags:
            raise ConfigError(
                f"enable_custom_device({self._flags['custom_device']!r}): there is no such device; "
                "NNAdapter devices are set by config.enable_lite_engine() and "
                "config.nnadapter().set_device_names([...])"
            )
        if self._prog is None and not (self._model_dir or self._prog_file):
            raise ConfigError(
                "the Config names no model: give it a folder, a program and its parameters, or "
                "call set_model_buffer()"
            )

    def _model(self) -> tuple[str | bytes, str | bytes | None]:
        if self._prog is not None:
            return self._prog, self._params or None
        if self._prog_file:
            return self._prog_file, self._params_file or None
        return os.fspath(self._model_dir), None


def _part(data: bytes | str, size: int, what: str) -> bytes:
    whole = data.encode() if isinstance(data, str) else bytes(data)
    if not 0 <= size <= len(whole):
        raise ArgumentValueError(f"the size of {what} is {size}, but there are {len(whole)} bytes")
    return whole[:size]


def _word(value: object) -> str:
    return "true" if value else "false"


def _tuple(names: list[str] | None) -> tuple[str, ...] | None:
    return None if names is None else tuple(names)


def _known(names: list[str]) -> tuple[str, ...]:
    """Those of some passes' names that can be left out."""
    if not names:
        return ()
    from lite.core.optimizer.registry import pass_names

    known = pass_names()
    return tuple(n for name in names for n in (name, f"lite_{name}") if n in known)
