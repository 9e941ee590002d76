# Handles are taken once; every image has another size.
import sys

import numpy as np
import paddle.inference as paddle_infer

config = paddle_infer.Config(
    sys.argv[1] + "/classify/inference.pdmodel", sys.argv[1] + "/classify/inference.pdiparams"
)
config.disable_glog_info()
predictor = paddle_infer.create_predictor(config)
image = predictor.get_input_handle("image")
scores = predictor.get_output_handle(predictor.get_output_names()[0])
facts = [image.shape(), scores.shape(), str(image.type()), int(scores.type())]
results = {}
random = np.random.RandomState(1)
for shape in [(1, 3, 16, 24), (4, 3, 7, 9), (1, 3, 64, 16), (1, 3, 16, 24)]:
    image.copy_from_cpu(random.rand(*shape).astype("float32"))
    predictor.run()
    results["x".join(map(str, shape))] = scores.copy_to_cpu()
    facts.append([image.shape(), scores.shape()])
