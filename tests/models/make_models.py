"""Makes the models of this folder with paddlepaddle 2.6.2 and Paddle's own results.

`python make_models.py FOLDER [NAME...]` writes FOLDER/NAME/{inference.pdmodel,...} and
FOLDER/NAME.npz with inputs and outputs, to look at a model by hand.
"""

from __future__ import annotations

import contextlib
import glob
import os
import sys
from typing import Any

import numpy as np
import paddle
import paddle.inference

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import classification  # noqa: F401
import control_flow  # noqa: F401
import detection  # noqa: F401
import edges  # noqa: F401
import extremes  # noqa: F401
import old_recurrent  # noqa: F401
import quantised  # noqa: F401
import rewritten  # noqa: F401  (of models above)
import segmentation  # noqa: F401
import sequence  # noqa: F401
from recipes import RECIPES, Feed, Lod, Recipe

Outputs = dict[str, tuple[np.ndarray, Lod]]


def make(recipe: Recipe, root: str) -> str:
    """Saves the model under `root`; returns its folder."""
    folder = os.path.join(root, recipe.name)
    os.makedirs(folder, exist_ok=True)
    paddle.enable_static()
    with (
        paddle.utils.unique_name.guard(),
        open(os.devnull, "w") as null,
        contextlib.redirect_stdout(null),
    ):
        recipe.build(folder)
    return folder


def oracle(folder: str, feeds: list[Feed]) -> list[Outputs]:
    """What Paddle Inference computes for each of the feeds in turn, without its own passes."""
    programs = glob.glob(folder + "/*.pdmodel")
    if programs:
        params = programs[0][: -len("pdmodel")] + "pdiparams"
        config = paddle.inference.Config(programs[0], params if os.path.exists(params) else "")
    else:
        config = paddle.inference.Config(folder)
    config.disable_gpu()
    config.disable_glog_info()
    config.switch_ir_optim(False)
    predictor = paddle.inference.create_predictor(config)
    return [_run(predictor, feed) for feed in feeds]


def _run(predictor: Any, feed: Feed) -> Outputs:
    assert set(predictor.get_input_names()) == set(feed), predictor.get_input_names()
    for name, value in feed.items():
        handle = predictor.get_input_handle(name)
        array, lod = value if isinstance(value, tuple) else (value, [])
        handle.copy_from_cpu(array)
        if lod:
            handle.set_lod(lod)
    predictor.run()
    outputs: Outputs = {}
    for index, name in enumerate(predictor.get_output_names()):
        handle = predictor.get_output_handle(name)
        array = handle.copy_to_cpu().reshape(handle.shape())
        outputs[f"{index}:{name}"] = (array, [list(level) for level in handle.lod()])
    return outputs


def main(root: str, names: list[str]) -> None:
    for name in names or sorted(RECIPES):
        folder = make(RECIPES[name], root)
        feeds = RECIPES[name].feeds()
        arrays: dict[str, np.ndarray] = {}
        for i, (feed, outputs) in enumerate(zip(feeds, oracle(folder, feeds), strict=True)):
            for key, value in feed.items():
                arrays[f"in{i}/{key}"] = value[0] if isinstance(value, tuple) else value
            arrays.update({f"out{i}/{key}": array for key, (array, _) in outputs.items()})
        np.savez(os.path.join(root, name + ".npz"), **arrays)
        print(name, {k: v.shape for k, v in arrays.items() if k.startswith("out")}, flush=True)


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2:])
