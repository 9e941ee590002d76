# As PaddleDetection deploys: inputs by name, GPU asked for, TensorRT only where there is a GPU.
import sys

import numpy as np
from paddle.inference import Config, create_predictor


def load(folder, run_mode="paddle", device="GPU", threads=1, enable_mkldnn=True):
    config = Config(folder + "/inference.pdmodel", folder + "/inference.pdiparams")
    if device == "GPU":
        config.enable_use_gpu(200, 0)
        config.switch_ir_optim(True)
    else:
        config.disable_gpu()
    config.set_cpu_math_library_num_threads(threads)
    if enable_mkldnn:
        try:
            config.set_mkldnn_cache_capacity(10)
            config.enable_mkldnn()
        except Exception:
            pass
    if run_mode in {"trt_fp32", "trt_fp16"} and config.use_gpu():
        config.enable_tensorrt_engine(workspace_size=1 << 25, max_batch_size=1)
    config.disable_glog_info()
    config.enable_memory_optim()
    config.switch_use_feed_fetch_ops(False)
    return create_predictor(config), config


predictor, config = load(sys.argv[1] + "/detect", run_mode="trt_fp32")
inputs = {
    "im_shape": np.array([[20, 30]], "float32"),
    "image": np.random.RandomState(3).rand(1, 3, 20, 30).astype("float32"),
    "scale_factor": np.array([[0.5, 0.5]], "float32"),
}
for name in predictor.get_input_names():
    predictor.get_input_handle(name).copy_from_cpu(inputs[name])
predictor.run()
names = predictor.get_output_names()
boxes = predictor.get_output_handle(names[0]).copy_to_cpu()
number = predictor.get_output_handle(names[1]).copy_to_cpu()
results = {"boxes": boxes, "number": number}
facts = [predictor.get_input_names(), config.use_gpu(), config.mkldnn_enabled(), str(number.dtype)]
