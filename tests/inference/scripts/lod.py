# Sequences of any length in one batch.
import sys

import numpy as np
from paddle.inference import Config, create_predictor

config = Config(sys.argv[1] + "/sequence/inference.pdmodel", "")
config.disable_glog_info()
predictor = create_predictor(config)
words = predictor.get_input_handle("words")
results, facts = {}, []
for step, offsets in enumerate([[0, 2, 5], [0, 1, 3, 6]]):
    words.set_lod([offsets])
    words.copy_from_cpu(np.arange(offsets[-1] * 4, dtype="float32").reshape(-1, 4))
    facts.append(words.lod())
    predictor.run()
    for place, name in enumerate(predictor.get_output_names()):
        output = predictor.get_output_handle(name)
        results[f"{step} {place}"] = output.copy_to_cpu()
        facts.append([output.shape(), output.lod()])
