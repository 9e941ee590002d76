"""Runs under a Python with paddlepaddle 2.6: exports networks and computes reference outputs.

python paddle_side.py export FOLDER
python paddle_side.py infer MODEL_PREFIX INPUT.npy OUTPUT.npz
"""

import os
import sys

import numpy as np
import paddle
from paddle.static import InputSpec
from paddle.vision import models

NETWORKS = {"mobilenet_v1": models.mobilenet_v1, "resnet18": models.resnet18}


def export(folder):
    """FOLDER/NAME/inference.pdmodel with random weights; one batch sets the statistics."""
    paddle.seed(2024)
    for name, make in NETWORKS.items():
        network = make()
        for layer in network.sublayers():
            if isinstance(layer, paddle.nn.BatchNorm2D):
                layer._momentum = 0.0
        network.train()
        network(paddle.randn([4, 3, 224, 224]))
        network.eval()
        spec = [InputSpec([-1, 3, 224, 224], "float32", "x")]
        paddle.jit.save(network, os.path.join(folder, name, "inference"), input_spec=spec)


def infer(prefix, input_path, output_path):
    """The outputs of Paddle's executor, as out0, out1, ..."""
    paddle.enable_static()
    executor = paddle.static.Executor(paddle.CPUPlace())
    program, feeds, fetches = paddle.static.load_inference_model(prefix, executor)
    values = executor.run(program, {feeds[0]: np.load(input_path)}, fetches)
    np.savez(output_path, **{f"out{i}": value for i, value in enumerate(values)})


if __name__ == "__main__":
    {"export": export, "infer": infer}[sys.argv[1]](*sys.argv[2:])
