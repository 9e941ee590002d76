# Reshape, copy, run, copy: as in Paddle's first examples.
import sys

import numpy as np
from paddle.inference import Config, create_predictor

config = Config(
    sys.argv[1] + "/classify/inference.pdmodel", sys.argv[1] + "/classify/inference.pdiparams"
)
config.disable_gpu()
config.disable_glog_info()
config.switch_use_feed_fetch_ops(False)
config.switch_specify_input_names(True)
config.enable_memory_optim()
config.set_cpu_math_library_num_threads(2)
predictor = create_predictor(config)

names = predictor.get_input_names()
handle = predictor.get_input_handle(names[0])
image = np.random.RandomState(0).rand(2, 3, 32, 32).astype("float32")
handle.reshape([2, 3, 32, 32])
handle.copy_from_cpu(image)
answer = predictor.run()
output_names = predictor.get_output_names()
output = predictor.get_output_handle(output_names[0])
results = {"scores": output.copy_to_cpu()}
facts = [
    names,
    output_names,
    answer,
    output.shape(),
    str(output.type()),
    output.lod(),
    handle.shape(),
]
