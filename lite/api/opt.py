"""Opt: turns a Paddle model into an optimised one, with the methods of Paddle Lite's Opt."""

from __future__ import annotations

import os
from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING

from lite.api import arguments
from lite.api.build import Reader, Source, check_runs_here, save_naive_buffer, save_protobuf
from lite.api.devices import DeviceOptions
from lite.api.system_errors import system_errors
from lite.api.targets import CPU_TARGETS, host_target, parse_targets
from lite.errors import ConfigError, LiteError, ModelFormatError, UnsupportedOperatorError
from lite.model.atomic import require_folder

if TYPE_CHECKING:
    from lite.core.optimizer.exchange.limits import Limit
    from lite.core.partition import PartitionRequest

MODEL_TYPES = ("naive_buffer", "protobuf")
QUANT_TYPES = ("QUANT_INT4", "QUANT_INT8", "QUANT_INT16")


class Opt:
    """Reads a model, optimises it for CPU targets and writes it.

    The target is this machine's own CPU unless ``set_valid_places`` names others.
    """

    def __init__(self) -> None:
        self._model_dir = ""
        self._model_file = ""
        self._param_file = ""
        self._model_set_dir = ""
        self._out = ""
        self._model_type = "naive_buffer"
        self._targets: tuple[str, ...] = (host_target(),)
        self._passes: tuple[str, ...] | None = None
        self._record = False
        self._quantize = False
        self._sparse = False
        self._sparse_threshold = 0.6
        self._quant_type = "QUANT_INT16"
        self._partition_config_path = ""
        self._mixed_precision_config_path = ""
        self._half = False
        self._kept: tuple[str, ...] = ()
        self._reader: Reader | None = None
        self._limits: tuple[Limit, ...] = ()

    def set_model_dir(self, path: str) -> None:
        """The model's folder; used when no model file is set."""
        self._model_dir = arguments.text(path, "the model folder")

    def set_model_file(self, path: str, reader: Reader | None = None) -> None:
        """The program's file, and what reads it where it is no format of Paddle's."""
        self._model_file = arguments.text(path, "the model file")
        self._reader = reader

    def set_param_file(self, path: str) -> None:
        """The combined parameters' file."""
        self._param_file = arguments.text(path, "the parameter file")

    def set_modelset_dir(self, path: str) -> None:
        """A folder of models: each of its folders is converted."""
        self._model_set_dir = arguments.text(path, "the folder of models")

    def set_optimize_out(self, path: str) -> None:
        """Where to write: ``.nb`` is appended where it is missing; a folder for protobuf.

        An empty str is no output path, as before the first call.
        """
        text = arguments.text(path, "the output path")
        self._out = arguments.path(text, "the output path") if text else ""

    def set_lite_out(self, path: str) -> None:
        """The same as set_optimize_out, as Paddle Lite's help calls it."""
        self.set_optimize_out(path)

    def set_valid_places(self, targets: str) -> None:
        """Targets separated by commas or spaces, e.g. ``"x86"``. Devices are targets, too. Raises
        ConfigError for names that are none."""
        self._targets = parse_targets(arguments.text(targets, "the valid places"))

    def set_model_type(self, model_type: str) -> None:
        """What to write: ``naive_buffer`` (a `.nb` file) or ``protobuf`` (model and params)."""
        chosen = arguments.text(model_type, "the model type")
        if chosen not in MODEL_TYPES:
            raise ConfigError(f"unknown model type '{chosen}'; known are {', '.join(MODEL_TYPES)}")
        self._model_type = chosen

    def set_passes_internal(self, passes: Sequence[str]) -> None:
        """Runs just these passes, in this order; an empty list restores the default."""
        self._passes = tuple(arguments.texts(passes, "passes")) or None

    def keep_tensors(self, names: Sequence[str]) -> None:
        """Intermediate tensors that are outputs of what is written, after the model's own."""
        self._kept = tuple(arguments.texts(names, "tensors to keep"))

    def record_model_info(self, record: bool) -> None:
        """Also writes the lists of used operators and kernels into a folder named as the output."""
        self._record = arguments.flag(record, "record_model_info")

    # -- How weights are stored, and what computes.

    def set_quant_model(self, quantize: bool) -> None:
        """Stores the weights of convolutions and matrix products in integers."""
        self._quantize = arguments.flag(quantize, "quant_model")

    def set_quant_type(self, quant_type: str) -> None:
        """The integers of ``set_quant_model``: QUANT_INT8, QUANT_INT16 (the default) or QUANT_INT4,
        products in 4 bits with a scale for each 32 weights and convolutions in 8."""
        chosen = arguments.text(quant_type, "the quantisation type")
        if chosen not in QUANT_TYPES:
            raise ConfigError(
                f"unknown quantisation type '{chosen}'; known are {', '.join(QUANT_TYPES)}"
            )
        self._quant_type = chosen

    def set_sparse_model(self, sparse: bool) -> None:
        """Stores convolutions of 1 x 1 pixels without their zero weights; for arm, as real opt."""
        self._sparse = arguments.flag(sparse, "sparse_model")

    def set_sparse_threshold(self, threshold: float) -> None:
        """The share of zeros from which weights count as sparse, 0 to 1."""
        if isinstance(threshold, bool) or not isinstance(threshold, int | float):
            raise TypeError(f"threshold must be a float, not {type(threshold).__name__}")
        if not 0 <= threshold <= 1:
            raise ValueError(f"threshold is {threshold}, expected 0 to 1")
        self._sparse_threshold = float(threshold)

    def set_nnadapter_subgraph_partition_config_path(self, path: str) -> None:
        """A file that says what stays on the CPU."""
        self._partition_config_path = arguments.text(path, "the partition config")

    def set_nnadapter_mixed_precision_quantization_config_path(self, path: str) -> None:
        """A file that says which quantised operators compute in floating point."""
        self._mixed_precision_config_path = arguments.text(path, "the mixed-precision config")

    def enable_fp16(self) -> None:
        """Files for arm name its kernels of half precision; here they compute in float32."""
        self._half = True

    # -- What it does.

    def run(self) -> None:
        """Converts the model, or every model of the model set.

        Raises ConfigError for settings that are missing or not available, FileNotFoundError,
        PermissionError, ModelFormatError or UnsupportedOperatorError for the model. Nothing is
        written unless everything is well, and what is written is whole.
        """
        if not self._out:
            raise ConfigError("no output is named; call set_optimize_out (--optimize_out)")
        if self._model_set_dir:
            self._run_model_set()
            return
        if self._model_type == "naive_buffer":
            require_folder(self._out)  # before minutes of work
        operators, kernels = self._convert(self._source(), self._out)
        if self._record:
            self._write_lists(operators, kernels)

    def limits(self) -> tuple[Limit, ...]:
        """Which operators of what ``run`` wrote real Paddle Lite has no kernel for, or one that
        cannot do what is asked; of the last model of a model set."""
        return self._limits

    def run_optimize(
        self,
        model_dir: str,
        model_file: str,
        param_file: str,
        model_type: str,
        valid_places: str,
        optimize_out: str,
    ) -> None:
        """Sets everything and runs."""
        self.set_model_dir(model_dir)
        self.set_model_file(model_file)
        self.set_param_file(param_file)
        self.set_model_type(model_type)
        self.set_valid_places(valid_places)
        self.set_optimize_out(optimize_out)
        self.run()

    def check_if_model_supported(self, print_ops_info: bool = True) -> None:
        """Prints the model's operators, and those that a device of the targets lacks.

        Raises UnsupportedOperatorError where any runs nowhere.
        """
        from lite.api.op_support import count_operators, shown_targets, text_table

        arguments.flag(print_ops_info, "print_ops_info")
        source = self._source()
        program = source.read()
        if print_ops_info:
            print("OPs in the input model include:")
            print(text_table(sorted(count_operators(program)), self._devices()))
        try:
            check_runs_here(source.optimized())
        except UnsupportedOperatorError as error:
            raise UnsupportedOperatorError(
                f"this model is not supported on {shown_targets(self._targets)}: {error}"
            ) from None
        for device in self._devices():
            print(self._lacks(device, set(count_operators(program)) - {"feed", "fetch"}))
        print("Paddle-Lite supports this model!")

    def _devices(self) -> tuple[str, ...]:
        """The targets that are no CPU."""
        return tuple(name for name in self._targets if name not in CPU_TARGETS)

    def _lacks(self, device: str, operators: set[str]) -> str:
        """Which of the operators a device does not take, in one line."""
        from lite.api.op_support import device_operators
        from lite.core.optimizer.vendors import vendor_operators

        judge = "the public list" if device in vendor_operators() else "what can be converted"
        missing = sorted(operators - device_operators(device))
        if not missing:
            return f"{device} takes all {len(operators)} ops (judged by {judge})."
        return (
            f"{len(missing)} of {len(operators)} ops are not supported on '{device}' (judged by "
            f"{judge}) and run on the CPU. These ops are: '{', '.join(missing)}'."
        )

    def print_supported_ops(self) -> None:
        """Prints the operators that this version runs."""
        from lite.api.op_support import device_operators, operators_here, shown_targets, text_table

        devices = self._devices()
        known = operators_here().union(*map(device_operators, devices))
        print(f"Supported OPs on '{shown_targets(self._targets)}':")
        print(text_table(sorted(known), devices))

    def print_all_ops(self) -> None:
        """Prints every operator: whether it runs here, and which kernels Paddle Lite has."""
        from lite.api.op_support import support, text_table

        print(text_table(support()))

    def print_all_ops_in_md_dormat(self) -> None:
        """The same in Markdown; the name is spelled as in Paddle Lite."""
        from lite.api.op_support import markdown_table, operators_here, support

        print(f"The number of supported operators is : {len(operators_here())}")
        print(markdown_table(support()))

    def display_kernels_info(self) -> None:
        """Prints every kernel that this version has."""
        from lite.api.op_support import kernel_lines

        for line in kernel_lines():
            print(f" - {line}")

    def visualize_optimized_nb_model(self, model_path: str, output_path: str) -> list[str]:
        """Writes a Graphviz file for each block of a `.nb` file; returns their names without
        ``.dot``."""
        from lite.api.dot import block_dot
        from lite.model.atomic import replacing
        from lite.model.naive_buffer import read_nb

        model = arguments.path(model_path, "the model's path")
        folder = arguments.path(output_path, "the output folder")
        with system_errors(ModelFormatError):
            program = read_nb(model)
        names = []
        with system_errors(LiteError):
            os.makedirs(folder, exist_ok=True)
            for block in program.blocks:
                names.append(f"Block_{block.idx}")
                with replacing(os.path.join(folder, f"{names[-1]}.dot")) as file:
                    file.write(block_dot(program, block).encode("utf-8", "surrogateescape"))
        return names

    def version(self) -> str:
        """The framework's version."""
        import lite

        return lite.__version__

    def help(self) -> None:
        """Prints what the methods do."""
        print(f"opt version:{self.version()}")
        for name in _HELP_ORDER:
            doc = (getattr(Opt, name).__doc__ or "").split(". ")[0].split("\n")[0].rstrip(".")
            print(f"  `{name}`  {doc}")
        print('  e.g. opt.set_model_dir("./mobilenet_v1"); opt.set_optimize_out("m"); opt.run()')

    def executablebin_help(self) -> None:
        """Prints the flags of paddle_lite_opt."""
        import_module("lite.tools.opt.flags").make_parser().print_help()

    # -- The steps.

    def _source(self, folder: str = "") -> Source:
        model_dir, model, params = self._model_dir, self._model_file, self._param_file
        if folder:
            model_dir = folder
            model = os.path.join(folder, model) if model else ""
            params = os.path.join(folder, params) if params else ""
        if params and not model:
            raise ConfigError("a parameter file is set without a model file (--model_file)")
        if not model and not model_dir:
            raise ConfigError("no model is named; set a model folder or a model file")
        return Source(
            model_dir="" if model else model_dir,
            model_file=model,
            param_file=params,
            targets=tuple(name for name in self._targets if name in CPU_TARGETS),
            passes=self._passes,
            weight_bits=int(self._quant_type.removeprefix("QUANT_INT")) if self._quantize else 0,
            sparse_threshold=self._sparse_threshold if self._sparse else None,
            half=self._half,
            reader=self._reader,
            kept=self._kept,
        )

    def _partition(self) -> PartitionRequest | None:
        """Targets that are no CPU are devices, whose drivers need not be here."""
        devices = self._devices()
        if not devices:
            return None
        options = DeviceOptions(
            devices,
            partition_config_path=self._partition_config_path,
            mixed_precision_config_path=self._mixed_precision_config_path,
        )
        return options.request(offline=True)

    def _convert(self, source: Source, out: str) -> tuple[set[str], set[str]]:
        from lite.api.tailoring import used_kernels, used_operators
        from lite.core.optimizer.exchange.limits import limits, limits_line
        from lite.report.progress import Progress

        print(f"Loading topology data from {source.model_file or source.model_dir}")
        if source.param_file:
            print(f"Loading params data from {source.param_file}")
        with Progress("reading"):
            program = source.read()
        print("1. Model is successfully loaded!")
        with Progress("optimising"):
            program, placement = source.optimize(
                program, partition=self._partition(), for_file=True
            )
            check_runs_here(program)
        if placement is not None:
            for device, text in placement.judged.items():
                print(f"{device}: {text}")
        save = save_naive_buffer if self._model_type == "naive_buffer" else save_protobuf
        with Progress("writing"):
            written = save(program, out)
        print(f"2. Model is optimized and saved into {written} successfully")
        cpu = tuple(name for name in self._targets if name in CPU_TARGETS) or (host_target(),)
        devices = [name for name in self._targets if name not in CPU_TARGETS]
        self._limits = limits(program, cpu, devices)
        if self._limits:
            print(f"It {limits_line(self._limits)}")
        return used_operators(program), used_kernels(program)

    def _run_model_set(self) -> None:
        with system_errors(ModelFormatError):
            entries = sorted(os.listdir(self._model_set_dir))
        folders = [
            name for name in entries if os.path.isdir(os.path.join(self._model_set_dir, name))
        ]
        if not folders:
            raise ModelFormatError(
                f"{self._model_set_dir} holds no folder; a model set is a folder of model folders"
            )
        with system_errors(LiteError):
            os.makedirs(self._out, exist_ok=True)
        operators: set[str] = set()
        kernels: set[str] = set()
        for name in folders:
            source = self._source(os.path.join(self._model_set_dir, name))
            ops, names = self._convert(source, os.path.join(self._out, name))
            operators |= ops
            kernels |= names
        if self._record:
            self._write_lists(operators, kernels)

    def _write_lists(self, operators: set[str], kernels: set[str]) -> None:
        from lite.api.tailoring import write_lists

        folder = self._out.removesuffix(".nb")
        ops_path, kernels_path = write_lists(folder, operators, kernels)
        print(f"operators information of tailored model is stored into: {ops_path}")
        print(f"kernels information of tailored model is stored into: {kernels_path}")


_HELP_ORDER = (
    "set_model_dir",
    "set_model_file",
    "set_param_file",
    "set_modelset_dir",
    "set_model_type",
    "set_optimize_out",
    "set_valid_places",
    "record_model_info",
    "run",
    "run_optimize",
    "check_if_model_supported",
    "print_all_ops",
    "print_supported_ops",
    "display_kernels_info",
    "visualize_optimized_nb_model",
)
