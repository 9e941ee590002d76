# A clone has weights in common and nothing else.
import sys

import numpy as np
from paddle.inference import Config, create_predictor

folder = sys.argv[1] + "/classify"
config = Config(folder + "/inference.pdmodel", folder + "/inference.pdiparams")
config.disable_glog_info()
first = create_predictor(config)
name, out = first.get_input_names()[0], first.get_output_names()[0]
ones = np.ones((1, 3, 8, 8), "float32")
first.get_input_handle(name).copy_from_cpu(ones)
first.run()
second = first.clone()
facts = [second.get_input_names(), second.get_input_handle(name).shape()]
second.get_input_handle(name).copy_from_cpu(ones * 2)
second.run()
third = second.clone()
third.get_input_handle(name).copy_from_cpu(ones * 3)
third.run()
del second
results = {
    "first": first.get_output_handle(out).copy_to_cpu(),
    "third": third.get_output_handle(out).copy_to_cpu(),
}
