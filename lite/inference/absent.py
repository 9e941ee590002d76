"""Config's settings for hardware and engines that are not here: GPU, XPU, TensorRT and others.

Each does what the CPU build of Paddle does: goes on with the CPU, or raises at once. Arguments and
defaults are those of Paddle 2.6.2 and 3.3.1.
"""

from __future__ import annotations

import logging
from typing import Any, NoReturn

from lite.errors import ConfigError
from lite.inference.arguments import checked, without_effect
from lite.inference.enums import PrecisionType
from lite.inference.errors import ConfigValueError

_FLOAT32 = PrecisionType.Float32
_CPU = "goes on with the CPU: this engine runs models there and on NNAdapter devices"
_TENSORRT = "changes nothing: there is no TensorRT here"
_IPU = "changes nothing: there is no IPU here"
_MIXED = "changes nothing: models compute in float32"


class XpuConfig:
    """Settings of an XPU; kept for scripts that fill one in."""

    context: Any = None
    context_gm_size: int = -1
    conv_autotune_file: str = ""
    conv_autotune_file_writeback: bool = False
    conv_autotune_level: int = 0
    device_id: int = 0
    fc_autotune_file: str = ""
    fc_autotune_file_writeback: bool = False
    fc_autotune_level: int = 0
    gemm_compute_precision: int = 1
    l3_autotune_size: int = 0
    l3_ptr: Any = None
    l3_size: int = 0
    quant_post_dynamic_activation_method: int = 0
    quant_post_dynamic_op_types: list[str]
    quant_post_dynamic_weight_precision: int = 1
    quant_post_static_gelu_out_threshold: float = 10.0
    stream: Any = None
    transformer_encoder_adaptive_seqlen: bool = True
    transformer_softmax_optimize_level: int = 0

    def __init__(self) -> None:
        self.quant_post_dynamic_op_types = []


def _absent(method: str, what: str) -> NoReturn:
    raise ConfigError(
        f"{method}(): {what} is not available here; leave the call out to run on the CPU, or name "
        "an NNAdapter device: config.enable_lite_engine(), config.nnadapter().set_device_names()"
    )


class AbsentHardware:
    """The part of Config that asks for what is not here."""

    __slots__ = ()
    _flags: dict[str, Any]

    # -- GPU.

    @without_effect(_CPU, logging.WARNING)
    def enable_use_gpu(
        self, memory_pool_init_size_mb: int, device_id: int = 0,
        precision_mode: PrecisionType = _FLOAT32,
    ) -> None:  # fmt: skip
        """Goes on with the CPU; use_gpu() stays False."""

    def disable_gpu(self) -> None:
        """Nothing to do: there is no GPU."""

    def use_gpu(self) -> bool:
        """False."""
        return False

    def gpu_device_id(self) -> int:
        """0."""
        return 0

    def memory_pool_init_size_mb(self) -> int:
        """100, Paddle's default; no pool is made."""
        return 100

    def fraction_of_gpu_memory_for_pool(self) -> float:
        """0.0."""
        return 0.0

    @checked
    def enable_low_precision_io(self, x: bool = True) -> None:
        """Raises ConfigValueError: it needs a GPU, in Paddle as well."""
        if x:
            raise ConfigValueError("enable_low_precision_io(): it needs a GPU, and there is none")

    @without_effect(_CPU)
    def exp_enable_use_cutlass(self) -> None:
        """Goes on with the CPU."""

    @without_effect("changes nothing: there is no sparse convolution engine here")
    def exp_sparse_conv_using_buffer(
        self, kernels: list[list[int]], strides: list[list[int]]
    ) -> None:
        """Changes nothing."""

    # -- XPU, IPU, other devices.

    @checked
    def enable_xpu(
        self, l3_size: int = 16777216, l3_locked: bool = False, conv_autotune: bool = False,
        conv_autotune_file: str = "", transformer_encoder_precision: str = "int16",
        transformer_encoder_adaptive_seqlen: bool = False, enable_multi_stream: bool = False,
    ) -> None:  # fmt: skip
        """Raises ConfigError: there is no XPU."""
        _absent("enable_xpu", "an XPU")

    def use_xpu(self) -> bool:
        """False."""
        return False

    @checked
    def set_xpu_device_id(self, device_id: int = 0) -> None:
        """Raises ConfigError: there is no XPU."""
        _absent("set_xpu_device_id", "an XPU")

    def xpu_device_id(self) -> int:
        """0."""
        return 0

    def set_xpu_config(self, config: XpuConfig, /) -> None:
        """Raises ConfigError: there is no XPU."""
        _absent("set_xpu_config", "an XPU")

    def xpu_config(self) -> XpuConfig:
        """Paddle's defaults."""
        return XpuConfig()

    @checked
    def enable_ipu(
        self, ipu_device_num: int = 1, ipu_micro_batch_size: int = 1,
        ipu_enable_pipelining: bool = False, ipu_batches_per_step: int = 1,
    ) -> None:  # fmt: skip
        """Raises ConfigError: there is no IPU."""
        _absent("enable_ipu", "an IPU")

    @without_effect(_IPU)
    def set_ipu_config(
        self, ipu_enable_fp16: bool = False, ipu_replica_num: int = 1,
        ipu_available_memory_proportion: float = 1.0, ipu_enable_half_partial: bool = False,
        ipu_enable_model_runtime_executor: bool = False,
    ) -> None:  # fmt: skip
        """Changes nothing."""

    @without_effect(_IPU)
    def set_ipu_custom_info(
        self, ipu_custom_ops_info: list[list[str]] = [],  # noqa: B006
        ipu_custom_patterns: dict[str, bool] = {},  # noqa: B006
    ) -> None:  # fmt: skip
        """Changes nothing."""

    @checked
    def load_ipu_config(self, config_path: str) -> None:
        """Raises ConfigError: there is no IPU."""
        _absent("load_ipu_config", "an IPU")

    @checked
    def enable_custom_device(
        self, device_type: str, device_id: int = 0, precision: PrecisionType = _FLOAT32
    ) -> None:
        """Kept; create_predictor then raises ConfigError, where Paddle ends the process."""
        self._flags["custom_device"] = device_type

    @without_effect(_CPU)
    def enable_dlnne(
        self, min_subgraph_size: int = 3, max_batch_size: int = 1, use_static_batch: bool = False,
        weight_share_mode: str = "0", disable_nodes_by_outputs: set[str] = set(),  # noqa: B006
        input_shape_dict: dict[str, list[int]] = {}, use_calib_mode: bool = False,  # noqa: B006
        precision_mode: PrecisionType = _FLOAT32,
    ) -> None:  # fmt: skip
        """Goes on with the CPU."""

    @without_effect(_CPU)
    def enable_opencl(self) -> None:
        """Goes on with the CPU."""
        self._flags["opencl"] = True

    def use_opencl(self) -> bool:
        """Whether enable_opencl() was called."""
        return bool(self._flags.get("opencl", False))

    # -- Other engines and compilers.

    @without_effect(_CPU)
    def enable_onnxruntime(self) -> None:
        """Goes on with the CPU."""

    def disable_onnxruntime(self) -> None:
        """Nothing to do."""

    @without_effect(_CPU)
    def enable_ort_optimization(self) -> None:
        """Goes on with the CPU."""

    def onnxruntime_enabled(self) -> bool:
        """False."""
        return False

    @without_effect("goes on with the CPU; lite has OpenVINO as the device intel_openvino")
    def enable_openvino_engine(self, inference_precision: PrecisionType = _FLOAT32) -> None:
        """Goes on with the CPU; the device ``intel_openvino`` is OpenVINO."""
        self._flags["openvino"] = True

    def openvino_engine_enabled(self) -> bool:
        """Whether enable_openvino_engine() was called."""
        return bool(self._flags.get("openvino", False))

    def enable_cinn(self) -> None:
        """Raises ConfigError: there is no CINN."""
        _absent("enable_cinn", "the compiler CINN")

    @without_effect(_MIXED)
    def exp_enable_mixed_precision_ops(self, operators: set[str], /) -> None:
        """Changes nothing."""

    @without_effect(_MIXED)
    def exp_disable_mixed_precision_ops(self, operators: set[str], /) -> None:
        """Changes nothing."""

    # -- TensorRT.

    @checked
    def enable_tensorrt_engine(
        self, workspace_size: int = 1073741824, max_batch_size: int = 1,
        min_subgraph_size: int = 3, precision_mode: PrecisionType = _FLOAT32,
        use_static: bool = False, use_calib_mode: bool = True, use_cuda_graph: bool = False,
    ) -> None:  # fmt: skip
        """Raises ConfigError: there is no TensorRT."""
        _absent("enable_tensorrt_engine", "TensorRT")

    def tensorrt_engine_enabled(self) -> bool:
        """False."""
        return False

    def tensorrt_precision_mode(self) -> PrecisionType:
        """Float32."""
        return _FLOAT32

    @checked
    def enable_tensorrt_memory_optim(
        self, engine_memory_sharing: bool = True, sharing_identifier: int = 0
    ) -> None:
        """Raises ConfigValueError: there is no TensorRT."""
        raise ConfigValueError("enable_tensorrt_memory_optim(): there is no TensorRT here")

    @without_effect(_TENSORRT)
    def enable_tensorrt_dla(self, dla_core: int = 0) -> None:
        """Changes nothing."""
        self._flags["tensorrt_dla"] = True

    def tensorrt_dla_enabled(self) -> bool:
        """Whether enable_tensorrt_dla() was called."""
        return bool(self._flags.get("tensorrt_dla", False))

    @without_effect(_TENSORRT)
    def enable_tensorrt_explicit_quantization(self) -> None:
        """Changes nothing."""
        self._flags["tensorrt_explicit_quantization"] = True

    def tensorrt_explicit_quantization_enabled(self) -> bool:
        """Whether enable_tensorrt_explicit_quantization() was called."""
        return bool(self._flags.get("tensorrt_explicit_quantization", False))

    @without_effect(_TENSORRT)
    def enable_tensorrt_inspector(self, inspector_serialize: bool = False) -> None:
        """Changes nothing."""
        self._flags["tensorrt_inspector"] = True

    def tensorrt_inspector_enabled(self) -> bool:
        """Whether enable_tensorrt_inspector() was called."""
        return bool(self._flags.get("tensorrt_inspector", False))

    @without_effect(_TENSORRT)
    def enable_tensorrt_varseqlen(self) -> None:
        """Changes nothing."""
        self._flags["tensorrt_varseqlen"] = True

    def tensorrt_varseqlen_enabled(self) -> bool:
        """Whether enable_tensorrt_varseqlen() was called."""
        return bool(self._flags.get("tensorrt_varseqlen", False))

    @without_effect(_TENSORRT)
    def set_tensorrt_optimization_level(self, level: int, /) -> None:
        """Kept, and changes nothing."""
        if not 0 <= level <= 5:
            raise ConfigValueError(f"set_tensorrt_optimization_level({level}): expected 0 to 5")
        self._flags["tensorrt_optimization_level"] = level

    def tensorrt_optimization_level(self) -> int:
        """The level that was set; 3."""
        return int(self._flags.get("tensorrt_optimization_level", 3))

    @without_effect(_TENSORRT)
    def enable_tuned_tensorrt_dynamic_shape(
        self, shape_range_info_path: str = "", allow_build_at_runtime: bool = True
    ) -> None:
        """Changes nothing: every input has any shape here."""
        self._flags["tuned_shapes"] = True
        self._flags["shape_range_path"] = shape_range_info_path
        self._flags["build_at_runtime"] = allow_build_at_runtime

    def tuned_tensorrt_dynamic_shape(self) -> bool:
        """Whether enable_tuned_tensorrt_dynamic_shape() was called."""
        return bool(self._flags.get("tuned_shapes", False))

    def trt_allow_build_at_runtime(self) -> bool:
        """What enable_tuned_tensorrt_dynamic_shape() was given."""
        return bool(self._flags.get("build_at_runtime", False))

    @without_effect(_TENSORRT)
    def set_trt_dynamic_shape_info(
        self, min_input_shape: dict[str, list[int]] = {},  # noqa: B006
        max_input_shape: dict[str, list[int]] = {},  # noqa: B006
        optim_input_shape: dict[str, list[int]] = {},  # noqa: B006
        disable_trt_plugin_fp16: bool = False,
    ) -> None:  # fmt: skip
        """Changes nothing: every input has any shape here."""
        self._flags["trt_shapes"] = bool(min_input_shape)

    def tensorrt_dynamic_shape_enabled(self) -> bool:
        """Whether set_trt_dynamic_shape_info() was given shapes."""
        return bool(self._flags.get("trt_shapes", False))

    @without_effect(_TENSORRT)
    def mark_trt_engine_outputs(self, output_tensor_names: list[str] = []) -> None:  # noqa: B006
        """Changes nothing."""

    @without_effect(_TENSORRT)
    def exp_disable_tensorrt_ops(self, operators: list[str], /) -> None:
        """Changes nothing."""

    @without_effect(_TENSORRT)
    def exp_disable_tensorrt_dynamic_shape_ops(self, disable: bool, /) -> None:
        """Changes nothing."""

    @without_effect(_TENSORRT)
    def exp_disable_tensorrt_subgraph(self, names: list[str], /) -> None:
        """Changes nothing."""

    @without_effect(_TENSORRT)
    def exp_specify_tensorrt_subgraph_precision(
        self, fp32: list[str], fp16: list[str], bf16: list[str], /
    ) -> None:
        """Changes nothing."""
