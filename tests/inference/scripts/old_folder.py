# A folder with __model__ and a file for each parameter.
import sys

import numpy as np
from paddle.inference import Config, create_predictor

config = Config(sys.argv[1] + "/old")
config.disable_glog_info()
facts = [config.model_dir().endswith("/old"), config.prog_file(), config.params_file()]
predictor = create_predictor(config)
image = predictor.get_input_handle("image")
image.copy_from_cpu(np.linspace(0, 1, 3 * 12 * 12, dtype="float32").reshape(1, 3, 12, 12))
predictor.run()
results = {"scores": predictor.get_output_handle(predictor.get_output_names()[0]).copy_to_cpu()}
