# Bytes as they come from a camera; doubles and integers as answers; old data stay for a new shape.
import sys

import numpy as np
from paddle.inference import Config, create_predictor

config = Config(sys.argv[1] + "/pixels/inference.pdmodel", "")
config.disable_glog_info()
predictor = create_predictor(config)
pixels = predictor.get_input_handle("pixels")
pixels.copy_from_cpu((np.arange(24, dtype="uint8") * 10).reshape(4, 6))
results, facts = {}, []
for shape in [(4, 6), (2, 6), (1, 6)]:
    pixels.reshape(shape)
    predictor.run()
    for place, name in enumerate(predictor.get_output_names()):
        handle = predictor.get_output_handle(name)
        results[f"{shape} {place}"] = handle.copy_to_cpu()
        facts.append([str(handle.type()), handle.shape()])
for dtype in "int16 uint16 uint32 uint64 float16 bool int8 float64 int64".split():
    pixels.copy_from_cpu(np.ones((1, 6), dtype))
    facts.append([dtype, str(pixels.type()), pixels.copy_to_cpu().dtype.name])
