# Arrays of every layout and byte order; what is read is the caller's own.
import sys

import numpy as np
from paddle.inference import Config, create_predictor

config = Config(
    sys.argv[1] + "/classify/inference.pdmodel", sys.argv[1] + "/classify/inference.pdiparams"
)
config.disable_glog_info()
predictor = create_predictor(config)
image = predictor.get_input_handle("image")
scores = predictor.get_output_handle(predictor.get_output_names()[0])
base = np.random.RandomState(9).rand(2, 3, 16, 16).astype("float32")
results, facts = {}, []
for name, array in {
    "strided": base[:, :, ::2, 1::3],
    "fortran": np.asfortranarray(base),
    "big endian": base.astype(">f4"),
    "nhwc": np.ascontiguousarray(base.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2),
    "read only": np.broadcast_to(base[:1, :1], (1, 3, 16, 16)),
}.items():
    image.copy_from_cpu(array)
    predictor.run()
    results[name] = scores.copy_to_cpu()
    results[name + " in"] = image.copy_to_cpu()
kept = results["strided"].copy()
image.copy_from_cpu(base * 0)
predictor.run()
results["strided"] += 0  # writable
facts.append([bool((kept == results["strided"]).all()), results["nhwc"].flags.c_contiguous])
