# A predictor of the pool for each thread.
import sys
import threading

import numpy as np
from paddle.inference import Config, PredictorPool

folder = sys.argv[1] + "/classify"
config = Config(folder + "/inference.pdmodel", folder + "/inference.pdiparams")
config.disable_glog_info()
pool = PredictorPool(config, 3)
results = {}


def work(index):
    predictor = pool.retrive(index)
    image = predictor.get_input_handle(predictor.get_input_names()[0])
    scores = predictor.get_output_handle(predictor.get_output_names()[0])
    for step in range(5):
        image.copy_from_cpu(np.full((1, 3, 8 + index, 8 + step), index + step, "float32"))
        predictor.run()
        results[f"{index} {step}"] = scores.copy_to_cpu()


threads = [threading.Thread(target=work, args=(index,)) for index in range(3)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
facts = [pool.retrive(0) is pool.retrive(0), pool.retrive(0) is pool.retrive(1)]
