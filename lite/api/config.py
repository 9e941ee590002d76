"""CxxConfig and MobileConfig: what a predictor is made from, as in Paddle Lite's Python API."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lite.api import arguments
from lite.api.devices import DeviceOptions
from lite.api.enums import CLPrecisionType, CLTuneMode, Place, PowerMode, TargetType
from lite.api.targets import warn_of_absent
from lite.errors import ConfigError

_CPU_TARGETS = (TargetType.Host, TargetType.X86, TargetType.ARM, TargetType.Any, TargetType.Unk)


class CxxModelBuffer:
    """A model and its parameters in memory."""

    def __init__(
        self, model: bytes, model_size: int | None = None, param: bytes = b"",
        param_size: int | None = None,
    ) -> None:  # fmt: skip
        self.model = arguments.data(model, model_size, "the model")
        self.param = arguments.data(param, param_size, "the parameters")


class ConfigBase:
    """What both configurations have: model folder, threads, devices that are not the CPU."""

    def __init__(self) -> None:
        self._model_dir = ""
        self._settings: dict[str, Any] = {}
        self._power_mode = PowerMode.LITE_POWER_NO_BIND
        self._threads = 1
        self._precision = "fp32"
        self._kept: list[str] = []

    def set_model_dir(self, path: str) -> None:
        """The folder of a model."""
        self._model_dir = arguments.text(path, "the model folder")

    def model_dir(self) -> str:
        """The folder of the model, or an empty text."""
        return self._model_dir

    def set_power_mode(self, mode: PowerMode) -> None:
        """The cores of runs, by the capacities in ``/sys``; no more threads than such cores."""
        if not isinstance(mode, PowerMode):
            raise TypeError(f"mode must be a PowerMode, not {mode!r}")
        self._power_mode = mode

    def power_mode(self) -> PowerMode:
        """The mode that was set."""
        return self._power_mode

    def set_threads(self, threads: int) -> None:
        """Threads of one run, 1 to 256."""
        self._threads = arguments.threads(threads)

    def threads(self) -> int:
        """Threads of one run."""
        return self._threads

    def set_precision(self, precision: str) -> None:
        """``fp32``, or ``bf16`` or ``fp16``: products with constant weights round their operands.

        Raises ConfigError for any other name.
        """
        self._precision = arguments.precision(precision)

    def precision(self) -> str:
        """The precision that was set; ``fp32`` where none was."""
        return self._precision

    # -- NNAdapter.

    def keep_tensors(self, names: Sequence[str]) -> None:
        """Intermediate tensors that are outputs, too, after the model's own: get_tensor gives them.

        Of a `.nb` file those that its optimizer left; name others when the model is converted.
        """
        self._kept = arguments.texts(names, "tensors to keep")

    def kept_tensors(self) -> list[str]:
        """What keep_tensors named."""
        return list(self._kept)

    def set_nnadapter_device_names(self, names: Sequence[str]) -> None:
        """Devices in order of preference."""
        self._settings["nnadapter_device_names"] = arguments.texts(names, "device names")

    def set_nnadapter_context_properties(self, properties: str) -> None:
        """``key=value;`` pairs for the devices."""
        self._settings["nnadapter_context_properties"] = arguments.text(
            properties, "context properties"
        )

    def set_nnadapter_model_cache_dir(self, path: str) -> None:
        """Where compiled subgraphs are kept."""
        self._settings["nnadapter_model_cache_dir"] = arguments.text(path, "the cache folder")

    def set_nnadapter_dynamic_shape_info(self, info: dict[str, list[list[int]]]) -> None:
        """Complete shapes that inputs will have: one program then serves them all."""
        self._settings["nnadapter_dynamic_shape_info"] = arguments.shapes(info)

    def set_nnadapter_padded_axes(self, axes: dict[str, list[int]]) -> None:
        """Axes of inputs along which zeros at the end do no harm: an input is padded to the
        smallest of its declared shapes that holds it, and outputs are cut. Not in Paddle Lite."""
        self._settings["nnadapter_padded_axes"] = arguments.axes(axes)

    def set_nnadapter_model_cache_buffers(self, token: str, buffer: bytes | Sequence[str]) -> None:
        """A compiled subgraph in memory: bytes, or a list of characters as the real wheels take."""
        name = arguments.text(token, "the token")
        buffers = self._settings.setdefault("nnadapter_model_cache_buffers", {})
        buffers[name] = arguments.characters(buffer, "the cache buffer")

    def nnadapter_device_names(self) -> list[str]:
        """The names that were set."""
        return list(self._settings.get("nnadapter_device_names", []))

    def nnadapter_context_properties(self) -> str:
        """The properties that were set."""
        return str(self._settings.get("nnadapter_context_properties", ""))

    def nnadapter_model_cache_dir(self) -> str:
        """The folder that was set."""
        return str(self._settings.get("nnadapter_model_cache_dir", ""))

    def nnadapter_dynamic_shape_info(self) -> dict[str, list[list[int]]]:
        """The shapes that were set."""
        return dict(self._settings.get("nnadapter_dynamic_shape_info", {}))

    def devices(self) -> DeviceOptions:
        """All that was set of NNAdapter. Raises ConfigError for settings without a device."""
        found = {
            name.removeprefix("nnadapter_"): value
            for name, value in self._settings.items()
            if name.startswith("nnadapter_") and value
        }
        if found and "device_names" not in found:
            names = ", ".join(f"nnadapter_{name}" for name in sorted(found))
            raise ConfigError(
                f"{names} set, but no device: name one with set_nnadapter_device_names "
                "('builtin_device' is the CPU)"
            )
        # Programs that take theirs from the command line say "cpu" for none.
        devices = tuple(name for name in found.get("device_names", ()) if name != "cpu")
        if not devices:
            return DeviceOptions()
        return DeviceOptions(
            names=devices,
            properties=found.get("context_properties", ""),
            cache_dir=found.get("model_cache_dir", ""),
            cache_buffers=found.get("model_cache_buffers", {}),
            dynamic_shapes=found.get("dynamic_shape_info", {}),
            padded_axes=found.get("padded_axes", {}),
            partition_config=found.get("subgraph_partition_config_buffer"),
            partition_config_path=found.get("subgraph_partition_config_path", ""),
            mixed_precision_config=found.get("mixed_precision_quantization_config_buffer"),
            mixed_precision_config_path=found.get("mixed_precision_quantization_config_path", ""),
        )

    # -- OpenCL and Metal: kept here, and a warning where a predictor is made while they are set.

    def set_opencl_tune(
        self, tune_mode: CLTuneMode = CLTuneMode.CL_TUNE_NONE, path: str = "", name: str = "",
        lws_repeats: int = 4,
    ) -> None:  # fmt: skip
        """OpenCL kernel tuning."""
        if not isinstance(tune_mode, CLTuneMode):
            raise TypeError(f"tune_mode must be a CLTuneMode, not {tune_mode!r}")
        arguments.text(path, "the path")
        arguments.text(name, "the name")
        arguments.integer(lws_repeats, "lws_repeats")
        self._settings["opencl_tune"] = tune_mode

    def set_opencl_precision(self, precision: CLPrecisionType) -> None:
        """OpenCL precision."""
        if not isinstance(precision, CLPrecisionType):
            raise TypeError(f"precision must be a CLPrecisionType, not {precision!r}")
        self._settings["opencl_precision"] = precision

    def set_opencl_binary_path_name(self, path: str, name: str) -> None:
        """Where compiled OpenCL kernels are kept."""
        self._settings["opencl_binary_path_name"] = (
            arguments.text(path, "path"),
            arguments.text(name, "name"),
        )

    def set_metal_lib_path(self, path: str) -> None:
        """The Metal library."""
        self._settings["metal_lib_path"] = arguments.text(path, "the library path")

    def set_metal_use_mps(self, flag: bool = True) -> None:
        """Metal Performance Shaders."""
        self._settings["metal_use_mps"] = arguments.flag(flag, "metal_use_mps")

    def set_metal_use_memory_reuse(self, flag: bool) -> None:
        """Metal memory reuse."""
        self._settings["metal_use_memory_reuse"] = arguments.flag(flag, "metal_use_memory_reuse")

    def _check_settings(self) -> None:
        """Raises ConfigError for contradictions, and warns once of what is not available here."""
        unavailable = self._unavailable()
        if unavailable:
            warn_of_absent(", ".join(unavailable), stacklevel=3)

    def _unavailable(self) -> list[str]:
        """The settings that ask for what is not here."""
        return sorted(
            name
            for name, value in self._settings.items()
            if value and not name.startswith("nnadapter_")
        )


class CxxConfig(ConfigBase):
    """A Paddle model (``.pdmodel``, ``__model__``) and how to optimise and run it."""

    def __init__(self) -> None:
        super().__init__()
        self._model_file = ""
        self._param_file = ""
        self._buffer: CxxModelBuffer | None = None
        self._places: list[Place] = []
        self._passes: list[str] | None = None
        self._discarded: list[str] = []

    def set_model_file(self, path: str) -> None:
        """The program's file."""
        self._model_file = arguments.text(path, "the model file")

    def model_file(self) -> str:
        """The program's file, or an empty text."""
        return self._model_file

    def set_param_file(self, path: str) -> None:
        """The combined parameters' file."""
        self._param_file = arguments.text(path, "the parameter file")

    def param_file(self) -> str:
        """The combined parameters' file, or an empty text."""
        return self._param_file

    def set_model_buffer(
        self, model: bytes | CxxModelBuffer, model_size: int | None = None,
        param: bytes | None = None, param_size: int | None = None,
    ) -> None:  # fmt: skip
        """Program and parameters in memory; sizes may be left out."""
        if isinstance(model, CxxModelBuffer):
            self._buffer = model
        else:
            self._buffer = CxxModelBuffer(
                model, model_size, b"" if param is None else param, param_size
            )

    def is_model_from_memory(self) -> bool:
        """Whether set_model_buffer was called."""
        return self._buffer is not None

    def set_valid_places(self, places: Sequence[Place]) -> None:
        """Places in order of preference; without any, this machine's CPU."""
        if isinstance(places, str) or not isinstance(places, Sequence):
            raise TypeError(f"places must be a list of Place, not {type(places).__name__}")
        for place in places:
            if not isinstance(place, Place):
                raise TypeError(f"places must be a list of Place, but it holds {place!r}")
        self._places = list(places)

    def set_passes_internal(self, passes: Sequence[str]) -> None:
        """Runs just these passes, in this order; an empty list restores the default."""
        self._passes = arguments.texts(passes, "passes") or None

    def add_discarded_pass(self, name: str) -> None:
        """Leaves out a pass of the default list."""
        self._discarded.append(arguments.text(name, "a pass"))

    def set_nnadapter_subgraph_partition_config_path(self, path: str) -> None:
        """A file that says what stays on the CPU."""
        self._settings["nnadapter_subgraph_partition_config_path"] = arguments.text(
            path, "the path"
        )

    def set_nnadapter_mixed_precision_quantization_config_path(self, path: str) -> None:
        """A file that says what is not quantised."""
        self._settings["nnadapter_mixed_precision_quantization_config_path"] = arguments.text(
            path, "the path"
        )

    def set_nnadapter_subgraph_partition_config_buffer(self, text: str) -> None:
        """The text of a partition config; it comes before the path."""
        self._settings["nnadapter_subgraph_partition_config_buffer"] = arguments.text(
            text, "the partition config"
        )

    def set_nnadapter_mixed_precision_quantization_config_buffer(self, text: str) -> None:
        """The text of a mixed-precision config; it comes before the path."""
        self._settings["nnadapter_mixed_precision_quantization_config_buffer"] = arguments.text(
            text, "the mixed-precision config"
        )

    def nnadapter_subgraph_partition_config_path(self) -> str:
        """The path that was set."""
        return str(self._settings.get("nnadapter_subgraph_partition_config_path", ""))

    def nnadapter_mixed_precision_quantization_config_path(self) -> str:
        """The path that was set."""
        return str(self._settings.get("nnadapter_mixed_precision_quantization_config_path", ""))

    def _unavailable(self) -> list[str]:
        known = (*_CPU_TARGETS, TargetType.NNAdapter)
        places = dict.fromkeys(p.target.name for p in self._places if p.target not in known)
        return [*(f"valid place {name}" for name in places), *super()._unavailable()]

    def _check_settings(self) -> None:
        super()._check_settings()
        if any(p.target == TargetType.NNAdapter for p in self._places) and not self.devices():
            raise ConfigError(
                "valid places name NNAdapter, but no device is set; name one with "
                "set_nnadapter_device_names ('builtin_device' is the CPU)"
            )


class MobileConfig(ConfigBase):
    """A `.nb` model and how to run it."""

    def __init__(self) -> None:
        super().__init__()
        self._file = ""
        self._bytes: bytes | None = None

    def set_model_from_file(self, path: str) -> None:
        """The `.nb` file."""
        self._file = arguments.text(path, "the model file")
        self._bytes = None

    def set_model_from_buffer(self, buffer: bytes) -> None:
        """The bytes of a `.nb` file."""
        self._bytes = arguments.data(buffer, None, "the model")
        self._file = ""

    def set_model_buffer(
        self, model: bytes, model_size: int | None = None, param: bytes = b"",
        param_size: int | None = None,
    ) -> None:  # fmt: skip
        """The old two-part form: accepted when the first part is a whole `.nb`."""
        arguments.data(param, param_size, "the parameters")
        self.set_model_from_buffer(arguments.data(model, model_size, "the model"))

    def is_model_from_memory(self) -> bool:
        """Whether the model is given as bytes."""
        return self._bytes is not None
