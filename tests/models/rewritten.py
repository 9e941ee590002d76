"""Programs that Paddle 2.6's predictor rewrote for its CPU and saved (`_optimized.pdmodel`), and
the operators that its passes make of layers, by themselves."""

from __future__ import annotations

import glob
from collections.abc import Callable
from pathlib import Path
from typing import Any

import classification  # noqa: F401  (its models are rewritten)
import numpy as np
import paddle.inference
import sequence  # noqa: F401
from fluid import Fluid, fluid
from recipes import RECIPES, Feed, model


def rewritten(build: Callable[[str], None]) -> Callable[[str], None]:
    """Saves a model, then puts what the predictor saves in its place."""

    def save(folder: str) -> None:
        build(folder)
        programs = glob.glob(folder + "/*.pdmodel")
        files = (
            [programs[0], programs[0][: -len("pdmodel")] + "pdiparams"] if programs else [folder]
        )
        config = paddle.inference.Config(*files)
        config.disable_gpu()
        config.disable_glog_info()
        config.enable_mkldnn()
        config.set_optim_cache_dir(folder)
        config.enable_save_optim_model(True)
        paddle.inference.create_predictor(config)
        for path in Path(folder).iterdir():
            if not path.name.startswith("_optimized"):
                path.unlink()

    return save


for _name in "hgnetv2 ghostnet_hard crnn_lstm_forward swin sentiment_lstm word_ranking".split():
    _recipe = RECIPES[_name]
    model(f"rewritten_{_name}", _recipe.feeds, _recipe.tol)(rewritten(_recipe.build))


# -- Layers.


def words(*batches: list[int]) -> Callable[[], list[Feed]]:
    """Runs of sentences x, and a row for each in y; in z as sentences of one."""

    def feeds() -> list[Feed]:
        rng = np.random.RandomState(7)
        found: list[Feed] = []
        for lengths in batches:
            x = rng.randn(sum(lengths), 6).astype("float32")
            y = rng.rand(len(lengths), 2).astype("float32") * 5 + 1
            one_each = y, [list(range(len(lengths) + 1))]
            x_lod = [[0, *np.cumsum(lengths).tolist()]]
            found.append({"x": (x, x_lod), "y": y, "z": one_each})
        return found

    return feeds


@model("fused_layers", words([3, 1, 4], [2], [1, 1]))
@fluid
def fused_layers(f: Fluid) -> Any:
    x, y = f.data("x", [-1, 6], lod=1), f.data("y", [-1, 2])
    z = f.data("z", [-1, 2], lod=1)
    found = []
    for reverse in (False, True):
        gru = {"X": x, "WeightX": f.weight(6, 15), "WeightH": f.weight(5, 15)}
        slots = "ReorderedH0 XX BatchedInput BatchedOut Hidden"
        attrs = {"is_reverse": reverse, "activation": "tanh", "gate_activation": "sigmoid"}
        gru["Bias"] = f.weight(1, 15)
        found.append(f.op("fusion_gru", gru, slots, use_seq=True, **attrs)[-1])
        lstm = {"X": x, "WeightX": f.weight(6, 20), "WeightH": f.weight(5, 20)}
        lstm["Bias"] = f.weight(1, 35 if reverse else 20)
        slots = "XX BatchedInput BatchedHidden BatchedCell ReorderedH0 ReorderedC0 CheckedCell"
        made = f.op(
            "fusion_lstm",
            lstm,
            slots + " Cell Hidden",
            use_peepholes=reverse,
            is_reverse=reverse,
            use_seq=True,
            gate_activation="sigmoid",
            cell_activation="tanh",
            candidate_activation="tanh",
        )
        found += made[-2:]
    layers = {"W": [f.weight(6, 4), f.weight(4, 3)], "Bias": [f.weight(1, 4), f.weight(1, 3)]}
    relus = {"Out": "repeated.out", "ReluOut": ["repeated.relu"]}
    found.append(f.op("fusion_repeated_fc_relu", {"X": x, **layers}, relus)[0])
    product = {"X": y, "Y": f.weight(2, 3)}
    slots = "SquaredX SquaredY SquaredXY Out"
    found.append(f.op("fusion_squared_mat_sub", product, slots, scalar=0.5)[-1])
    conv = {"X": x, "Filter": f.weight(18, 4), "Bias": f.weight(1, 4)}
    context = {"contextLength": 3, "contextStart": -1, "contextStride": 1}
    found.append(f.op("fusion_seqconv_eltadd_relu", conv, "Out ColMat", **context)[0])
    twice = f.op("scale", {"X": x}, scale=2.0)
    pools = {"X": [x, twice]}
    # The fused operator gives its rows a LoD that sequence_pool and concat do not.
    pooled = f.op("fusion_seqpool_concat", pools, pooltype="AVERAGE", axis=1)
    found.append(f.op("transpose", {"X": pooled}, axis=[1, 0]))
    pools = {"X": [x, twice], "CVM": y}
    pooled = f.op("fusion_seqpool_cvm_concat", pools, pooltype="SUM", use_cvm=True, axis=1)
    found.append(f.op("transpose", {"X": pooled}, axis=[1, 0]))
    expand = {"X": [x, z], "FCWeight": f.weight(8, 3), "FCBias": f.weight(1, 3)}
    found.append(f.op("fusion_seqexpand_concat_fc", expand, "Out FCOut", fc_activation="tanh")[0])
    return found
