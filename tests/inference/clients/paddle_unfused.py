"""Runs a program on Paddle without Paddle's passes.

Paddle 2.6's self_attention_fuse_pass is compiled for AVX-512: where a processor has none it ends
the process, whatever the model.
"""

import runpy
import sys

import cv2  # noqa: F401 - before paddle, whose zlib it would find instead of its own
import paddle.inference

create_predictor = paddle.inference.create_predictor


def create_unfused(config: paddle.inference.Config) -> paddle.inference.Predictor:
    config.switch_ir_optim(False)
    return create_predictor(config)


paddle.inference.create_predictor = create_unfused
del sys.argv[0]
runpy.run_path(sys.argv[0], run_name="__main__")
