# Ids and a mask, as text models take them; int32 ids do as well.
import sys

import numpy as np
from paddle.inference import Config, DataType, create_predictor

TO_NUMPY = {DataType.FLOAT32: "float32", DataType.INT64: "int64", DataType.BOOL: "bool"}

config = Config()
config.set_model(
    sys.argv[1] + "/tokens/inference.pdmodel", sys.argv[1] + "/tokens/inference.pdiparams"
)
config.disable_gpu()
config.disable_glog_info()
predictor = create_predictor(config)
results, facts = {}, [predictor.get_input_names(), predictor.get_output_names()]
ids = np.array([[1, 5, 9, 0], [49, 3, 0, 0]])
for dtype in ("int64", "int32"):
    feeds = {"ids": ids.astype(dtype), "mask": ids > 0}
    for name in predictor.get_input_names():
        predictor.get_input_handle(name).copy_from_cpu(feeds[name])
    predictor.run()
    for place, name in enumerate(predictor.get_output_names()):
        tensor = predictor.get_output_handle(name)
        value = tensor.copy_to_cpu()
        facts.append([value.dtype == TO_NUMPY[tensor.type()], str(tensor.type()), tensor.shape()])
        results[f"{dtype} {place}"] = value
