# Program and parameters come from somewhere else than files.
import sys

import numpy as np
from paddle.inference import Config, create_predictor

with open(sys.argv[1] + "/tokens/inference.pdmodel", "rb") as file:
    program = file.read()
with open(sys.argv[1] + "/tokens/inference.pdiparams", "rb") as file:
    params = file.read()
config = Config()
config.set_model_buffer(program, len(program), params, len(params))
config.disable_glog_info()
facts = [config.model_from_memory(), config.model_dir()]
predictor = create_predictor(config)
predictor.get_input_handle("ids").copy_from_cpu(np.array([[4, 4, 7]]))
predictor.get_input_handle("mask").copy_from_cpu(np.array([[True, False, True]]))
predictor.run()
results = {
    str(i): predictor.get_output_handle(name).copy_to_cpu()
    for i, name in enumerate(predictor.get_output_names())
}
