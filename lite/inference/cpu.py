"""Config's settings of Paddle's CPU engine: oneDNN, executors, profiles, distributed models.

What they turn on or off is done here always, or not at all.
"""

from __future__ import annotations

from typing import Any

from lite.errors import ConfigError
from lite.inference.arguments import checked, without_effect

_ONEDNN = "changes nothing: this engine has kernels of its own"
_ALWAYS = "changes nothing: this engine always does it"
_SHAPES = "changes nothing: every input may have any shape, without a file"


class DistConfig:
    """Settings of a model that is spread over machines: kept, and without an effect."""

    def __init__(self) -> None:
        self._carrier_id = "inference"
        self._comm_init_config = self._current = ""
        self._endpoints: list[str] = []
        self._enabled = False
        self._ranks = (1, 0)

    @checked
    def enable_dist_model(self, x: bool, /) -> None:
        """Kept."""
        self._enabled = x

    def use_dist_model(self) -> bool:
        """What was set; False."""
        return self._enabled

    @checked
    def set_ranks(self, nranks: int, rank: int, /) -> None:
        """Kept."""
        self._ranks = (nranks, rank)

    def nranks(self) -> int:
        """What was set; 1."""
        return self._ranks[0]

    def rank(self) -> int:
        """What was set; 0."""
        return self._ranks[1]

    @checked
    def set_endpoints(self, endpoints: list[str], current: str, /) -> None:
        """Kept."""
        self._endpoints, self._current = endpoints, current

    def trainer_endpoints(self) -> list[str]:
        """What was set."""
        return list(self._endpoints)

    def current_endpoint(self) -> str:
        """What was set."""
        return self._current

    @checked
    def set_comm_init_config(self, path: str, /) -> None:
        """Kept."""
        self._comm_init_config = path

    def comm_init_config(self) -> str:
        """What was set."""
        return self._comm_init_config

    @checked
    def set_carrier_id(self, name: str, /) -> None:
        """Kept."""
        self._carrier_id = name

    def carrier_id(self) -> str:
        """What was set; "inference"."""
        return self._carrier_id


class MkldnnQuantizerConfig:
    """Settings of oneDNN's quantiser; quantised models run as they are here."""

    def set_quant_data(self, data: list[Any], /) -> None:
        """Changes nothing."""

    def set_quant_batch_size(self, size: int, /) -> None:
        """Changes nothing."""

    def set_enabled_op_types(self, operators: set[str], /) -> None:
        """Changes nothing."""


class CpuSettings:
    """The part of Config that tunes Paddle's CPU engine."""

    __slots__ = ()
    _flags: dict[str, Any]

    # -- oneDNN, by its two names.

    @without_effect(_ONEDNN)
    def enable_mkldnn(self) -> None:
        """Changes nothing; mkldnn_enabled() is True, as it is from the start."""
        self._flags["mkldnn"] = True

    @without_effect(_ONEDNN)
    def disable_mkldnn(self) -> None:
        """Changes nothing; mkldnn_enabled() is False."""
        self._flags["mkldnn"] = False

    def mkldnn_enabled(self) -> bool:
        """What was set; True."""
        return bool(self._flags.get("mkldnn", True))

    @without_effect(_ONEDNN)
    def set_mkldnn_cache_capacity(self, capacity: int = 0) -> None:
        """Changes nothing: plans are kept for the latest shapes."""
        self._flags["mkldnn_cache"] = capacity

    @without_effect(_ONEDNN)
    def set_mkldnn_op(self, operators: set[str], /) -> None:
        """Changes nothing."""

    @without_effect("changes nothing: models compute in float32")
    def enable_mkldnn_bfloat16(self) -> None:
        """Changes nothing: models compute in float32."""

    @without_effect("changes nothing: models compute in float32")
    def set_bfloat16_op(self, operators: set[str], /) -> None:
        """Changes nothing."""

    @without_effect("changes nothing: quantised models compute in integers anyway")
    def enable_mkldnn_int8(
        self,
        mkldnn_int8_enabled_op_types: set[str] = set(),  # noqa: B006
    ) -> None:
        """Changes nothing: what a quantised model says counts."""
        self._flags["mkldnn_int8"] = True

    def mkldnn_int8_enabled(self) -> bool:
        """Whether enable_mkldnn_int8() was called."""
        return bool(self._flags.get("mkldnn_int8", False))

    @without_effect(_ONEDNN)
    def disable_mkldnn_fc_passes(self) -> None:
        """Changes nothing."""

    def enable_onednn(self) -> None:
        """As enable_mkldnn()."""
        self.enable_mkldnn()

    def disable_onednn(self) -> None:
        """As disable_mkldnn()."""
        self.disable_mkldnn()

    def onednn_enabled(self) -> bool:
        """As mkldnn_enabled()."""
        return self.mkldnn_enabled()

    @checked
    def set_onednn_cache_capacity(self, capacity: int = 0) -> None:
        """As set_mkldnn_cache_capacity()."""
        self.set_mkldnn_cache_capacity(capacity)

    @checked
    def set_onednn_op(self, operators: set[str], /) -> None:
        """As set_mkldnn_op()."""
        self.set_mkldnn_op(operators)

    def enable_onednn_bfloat16(self) -> None:
        """As enable_mkldnn_bfloat16()."""
        self.enable_mkldnn_bfloat16()

    @checked
    def enable_onednn_int8(self, onednn_int8_enabled_op_types: set[str] = set()) -> None:  # noqa: B006
        """As enable_mkldnn_int8()."""
        self.enable_mkldnn_int8(onednn_int8_enabled_op_types)

    def onednn_int8_enabled(self) -> bool:
        """As mkldnn_int8_enabled()."""
        return self.mkldnn_int8_enabled()

    def disable_onednn_fc_passes(self) -> None:
        """As disable_mkldnn_fc_passes()."""
        self.disable_mkldnn_fc_passes()

    @without_effect("changes nothing: quantise the model before it is exported")
    def enable_quantizer(self) -> None:
        """Changes nothing; quantizer_config() is there."""
        self._flags["quantizer"] = True

    def quantizer_config(self) -> MkldnnQuantizerConfig:
        """Settings that change nothing. Raises ConfigError before enable_quantizer()."""
        if not self._flags.get("quantizer"):
            raise ConfigError("quantizer_config(): enable_quantizer() was not called")
        return MkldnnQuantizerConfig()

    # -- Memory, executors, the intermediate representation.

    @without_effect(_ALWAYS)
    def enable_memory_optim(self, x: bool = True) -> None:
        """Changes nothing: intermediate results always share one arena."""
        self._flags["memory_optim"] = x

    @without_effect("changes nothing: programs of both kinds are read")
    def enable_new_ir(self, x: bool = True) -> None:
        """Changes nothing: ``.pdmodel`` and ``inference.json`` are read either way."""
        self._flags["new_ir"] = x

    def new_ir_enabled(self) -> bool:
        """What was set; False."""
        return bool(self._flags.get("new_ir", False))

    @without_effect("changes nothing: there is one executor")
    def enable_new_executor(self, x: bool = True) -> None:
        """Changes nothing."""

    @without_effect("changes nothing: every optimisation is on")
    def set_optimization_level(self, opt_level: int = 2) -> None:
        """Changes nothing."""

    @without_effect("changes nothing: feed and fetch cost nothing here")
    def switch_use_feed_fetch_ops(self, x: int = True) -> None:
        """Changes nothing; use_feed_fetch_ops_enabled() stays False."""

    def use_feed_fetch_ops_enabled(self) -> bool:
        """False."""
        return False

    @checked
    def switch_specify_input_names(self, x: bool = True) -> None:
        """Kept: inputs have names always."""
        self._flags["input_names"] = x

    def specify_input_name(self) -> bool:
        """What was set; False."""
        return bool(self._flags.get("input_names", False))

    @without_effect("changes nothing: GLOG_v=3 prints what each pass changes")
    def switch_ir_debug(self, x: int = True, passes: list[str] = []) -> None:  # noqa: B006
        """Changes nothing; GLOG_v=3 prints what each pass changes."""
        self._flags["ir_debug"] = bool(x)

    @without_effect("changes nothing: paddle_lite_opt writes optimised models")
    def enable_save_optim_model(self, save_optimized_model: bool = False) -> None:
        """Changes nothing: paddle_lite_opt writes optimised models."""
        self._flags["save_optimized"] = save_optimized_model

    @without_effect("changes nothing: give the .nb file of paddle_lite_opt as the model")
    def use_optimized_model(self, x: bool = True) -> None:
        """Changes nothing: a `.nb` file is an optimised model."""

    @without_effect("changes nothing: give the .nb file of paddle_lite_opt as the model")
    def set_optim_cache_dir(self, path: str, /) -> None:
        """Changes nothing."""

    @without_effect("changes nothing: `lite bench MODEL --profile` says where the time goes")
    def enable_profile(self) -> None:
        """Changes nothing: ``lite bench MODEL --profile`` says where the time goes."""
        self._flags["profile"] = True

    # -- Shapes.

    @without_effect(_SHAPES)
    def collect_shape_range_info(self, path: str, /) -> None:
        """Kept, and nothing is written: every input may have any shape."""
        self._flags["collect_shapes"] = True
        self._flags["shape_range_path"] = path

    def shape_range_info_collected(self) -> bool:
        """Whether collect_shape_range_info() was called."""
        return bool(self._flags.get("collect_shapes", False))

    def shape_range_info_path(self) -> str:
        """The path that was set here or by enable_tuned_tensorrt_dynamic_shape()."""
        return str(self._flags.get("shape_range_path", ""))

    # -- Models spread over machines, and the oldest configuration.

    def dist_config(self) -> DistConfig:
        """What was set."""
        return self._flags.get("dist_config") or DistConfig()

    @without_effect("changes nothing: a model runs on one machine")
    def set_dist_config(self, config: DistConfig, /) -> None:
        """Kept, and changes nothing."""
        self._flags["dist_config"] = config

    def to_native_config(self) -> None:
        """Raises ConfigError: NativeConfig is the API before 2.0."""
        raise ConfigError(
            "to_native_config(): NativeConfig is not available; use the Config itself"
        )
