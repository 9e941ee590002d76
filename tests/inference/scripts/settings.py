# Everything that can be set and asked for without a model.
from paddle.inference import Config, PrecisionType, XpuConfig

facts, results = [], {}
GETTERS = """
cpu_math_library_num_threads fraction_of_gpu_memory_for_pool glog_info_disabled gpu_device_id
ir_optim lite_engine_enabled memory_pool_init_size_mb mkldnn_enabled mkldnn_int8_enabled model_dir
model_from_memory onnxruntime_enabled params_file prog_file shape_range_info_collected
shape_range_info_path specify_input_name tensorrt_dla_enabled tensorrt_dynamic_shape_enabled
tensorrt_engine_enabled tensorrt_explicit_quantization_enabled tensorrt_inspector_enabled
tensorrt_optimization_level tensorrt_precision_mode tensorrt_varseqlen_enabled
trt_allow_build_at_runtime tuned_tensorrt_dynamic_shape use_feed_fetch_ops_enabled use_gpu
use_opencl use_xpu xpu_device_id
""".split()
SETTERS = {
    "collect_shape_range_info": ("shapes.txt",),
    "delete_pass": ("no such pass",),
    "disable_glog_info": (),
    "disable_gpu": (),
    "disable_mkldnn": (),
    "disable_mkldnn_fc_passes": (),
    "disable_onnxruntime": (),
    "enable_custom_device": ("npu",),
    "enable_dlnne": (),
    "enable_ipu": (),
    "enable_lite_engine": (PrecisionType.Float32, True),
    "enable_low_precision_io": (),
    "enable_memory_optim": (),
    "enable_mkldnn": (),
    "enable_mkldnn_bfloat16": (),
    "enable_mkldnn_int8": ({"conv2d"},),
    "enable_new_executor": (True,),
    "enable_onnxruntime": (),
    "enable_opencl": (),
    "enable_ort_optimization": (),
    "enable_profile": (),
    "enable_quantizer": (),
    "enable_save_optim_model": (True,),
    "enable_tensorrt_dla": (0,),
    "enable_tensorrt_engine": (1 << 30, 1, 3, PrecisionType.Half),
    "enable_tensorrt_explicit_quantization": (),
    "enable_tensorrt_inspector": (),
    "enable_tensorrt_memory_optim": (),
    "enable_tensorrt_varseqlen": (),
    "enable_tuned_tensorrt_dynamic_shape": ("shapes.txt", True),
    "enable_use_gpu": (500, 0, PrecisionType.Half),
    "enable_xpu": (10 * 1024 * 1024,),
    "exp_disable_mixed_precision_ops": ({"softmax"},),
    "exp_disable_tensorrt_ops": (["concat"],),
    "exp_enable_mixed_precision_ops": ({"conv2d"},),
    "exp_enable_use_cutlass": (),
    "load_ipu_config": ("no such file",),
    "mark_trt_engine_outputs": (["y"],),
    "quantizer_config": (),
    "set_bfloat16_op": ({"conv2d"},),
    "set_cpu_math_library_num_threads": (4,),
    "set_ipu_config": (True,),
    "set_ipu_custom_info": ([["a", "b"]], {"x": True}),
    "set_mkldnn_cache_capacity": (5,),
    "set_mkldnn_op": ({"conv2d"},),
    "set_model": ("folder",),
    "set_optim_cache_dir": ("cache",),
    "set_params_file": ("params",),
    "set_prog_file": ("prog",),
    "set_tensorrt_optimization_level": (2,),
    "set_trt_dynamic_shape_info": ({"x": [1, 3]}, {"x": [4, 3]}, {"x": [2, 3]}),
    "set_xpu_config": (XpuConfig(),),
    "set_xpu_device_id": (0,),
    "switch_ir_debug": (True,),
    "switch_ir_optim": (False,),
    "switch_specify_input_names": (True,),
    "switch_use_feed_fetch_ops": (True,),
}


def caught(error):
    return next(c.__name__ for c in (TypeError, ValueError, RuntimeError) if isinstance(error, c))


for name, arguments in SETTERS.items():
    config = Config()
    try:
        getattr(config, name)(*arguments)
        outcome = "done"
    except Exception as error:
        outcome = caught(error)
    state = [str(getattr(config, getter)()) for getter in GETTERS]
    facts.append([name, outcome, state, config.summary()])
config = Config("a", "b")
config.enable_memory_optim()
config.disable_glog_info()
copied = Config(config)
config.set_prog_file("something else")
facts.append([copied.summary(), config.summary(), copied.prog_file(), copied.params_file()])
