"""Quantised models: post-training, quantisation-aware and weight-only exports of small networks."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from typing import Any
from unittest import mock

import numpy as np
import paddle
from paddle import nn
from paddle.static.quantization import PostTrainingQuantization, WeightQuantization
from recipes import SE, ConvBN, Feed, images, jit, model

Maker = Callable[[], nn.Layer]

_NAIVE = "paddle.quantization.imperative.utils.fp_numpy_to_naive"


def _naive(scales: Any) -> Any:
    """Paddle 2.6's function of that name makes a float of an array, which numpy 2.4 refuses."""
    numbers = [float(scale) for scale in scales.reshape(-1)]
    return numbers[0] if len(numbers) == 1 else numbers


class Convolutions(nn.Layer):
    """Convolutions of all kinds with biases, a residual, a linear layer."""

    def __init__(self) -> None:
        super().__init__()
        self.first = nn.Conv2D(3, 8, 3, 2, 1)
        self.norm = nn.BatchNorm2D(8)
        self.depthwise = ConvBN(8, 8, 3, 1, 8, "none")
        self.up = nn.Conv2DTranspose(8, 6, 2, 2)
        self.linear = nn.Linear(24, 10)
        self.relu, self.hard, self.pool = nn.ReLU(), nn.Hardswish(), nn.AdaptiveAvgPool2D(2)

    def forward(self, x: Any) -> Any:
        x = self.relu(self.norm(self.first(x)))
        x = x + self.hard(self.depthwise(x))
        x = paddle.flatten(self.pool(self.relu(self.up(x))), 1)
        return nn.functional.softmax(self.linear(x))


class Mobile(nn.Layer):
    """Depthwise separable blocks with squeeze and excite, and a concatenation."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = ConvBN(3, 8, 3, 2, act="hardswish")
        self.depthwise = ConvBN(8, 8, 3, 1, 8, "relu6")
        self.squeeze = SE(8)
        self.wide = ConvBN(8, 16, act="relu")
        self.grouped = nn.Conv2D(16, 8, 3, 1, 1, groups=4)

    def forward(self, x: Any) -> Any:
        x = self.stem(x)
        y = self.wide(self.squeeze(self.depthwise(x)))
        return nn.functional.sigmoid(paddle.concat([self.grouped(y), x], 1))


class Attention(nn.Layer):
    """One attention block with its feed-forward part; products of two activations."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.embed = nn.Embedding(20, width)
        self.q, self.k, self.v, self.o = (nn.Linear(width, width) for _ in range(4))
        self.norm, self.wide = nn.LayerNorm(width), nn.Linear(width, 32)
        self.narrow = nn.Linear(32, width)

    def forward(self, ids: Any) -> Any:
        x = self.embed(ids)
        weights = nn.functional.softmax(
            paddle.matmul(self.q(x), self.k(x), transpose_y=True) * 0.25
        )
        x = self.norm(x + self.o(paddle.matmul(weights, self.v(x))))
        return self.narrow(nn.functional.gelu(self.wide(x))) + x


PICTURE: dict[str, tuple[list[int | None], str]] = {"x": ([None, 3, 16, 16], "float32")}
WORDS: dict[str, tuple[list[int | None], str]] = {"x": ([None, 6], "int64")}
pictures = images((1, 3, 16, 16), (3, 3, 16, 16))


def words() -> list[Feed]:
    return [{"x": np.random.RandomState(n).randint(0, 20, (n, 6))} for n in (1, 3)]


class Samples(paddle.io.DataLoader):  # type: ignore[misc]
    """What PostTrainingQuantization asks of a loader, over a few feeds."""

    def __init__(self, feeds: list[Feed]) -> None:
        self.feeds = feeds

    def __call__(self) -> Iterator[Feed]:
        return iter(self.feeds)

    def __len__(self) -> int:
        return len(self.feeds)

    def __del__(self) -> None:
        pass


@contextlib.contextmanager
def silent() -> Iterator[None]:
    with (
        open(os.devnull, "w") as null,
        contextlib.redirect_stderr(null),
        contextlib.redirect_stdout(null),
    ):
        yield


def post_training(
    make: Maker,
    specs: Any,
    feeds: Callable[[], list[Feed]],
    onnx: bool,
    weights: str,
    bits: int = 8,
) -> Callable[[str], None]:
    """Saves the network as PostTrainingQuantization exports it."""

    def build(folder: str) -> None:
        source = folder + "_float"
        jit(make, specs)(source)
        paddle.enable_static()
        executor = paddle.static.Executor(paddle.CPUPlace())
        with paddle.static.scope_guard(paddle.static.Scope()), silent():
            quantization = PostTrainingQuantization(
                executor,
                source,
                model_filename="inference.pdmodel",
                params_filename="inference.pdiparams",
                data_loader=Samples(feeds()),
                algo="abs_max",
                onnx_format=onnx,
                weight_quantize_type=weights,
                weight_bits=bits,
                activation_bits=bits,
                quantizable_op_type=[
                    "conv2d",
                    "depthwise_conv2d",
                    "conv2d_transpose",
                    "mul",
                    "matmul",
                    "matmul_v2",
                ],
            )
            quantization.quantize()
            quantization.save_quantized_model(
                folder,
                model_filename="inference.pdmodel",
                params_filename="inference.pdiparams",
            )

    return build


def quantization_aware(make: Maker, onnx: bool, weights: str) -> Callable[[str], None]:
    """Saves the network as ImperativeQuantAware exports it after a few steps of training."""
    from paddle.quantization import ImperativeQuantAware

    def build(folder: str) -> None:
        paddle.disable_static()
        try:
            paddle.seed(7)
            net = make()
            quantization = ImperativeQuantAware(
                weight_quantize_type=weights,
                activation_quantize_type="moving_average_abs_max",
                onnx_format=onnx,
                quantizable_layer_type=["Conv2D", "Linear", "Conv2DTranspose"],
            )
            with silent():
                quantization.quantize(net)
            net.train()
            sgd = paddle.optimizer.SGD(0.01, parameters=net.parameters())
            for feed in images(*[(4, 3, 16, 16)] * 4)():
                net(paddle.to_tensor(feed["x"])).square().mean().backward()
                sgd.step()
                sgd.clear_grad()
            net.eval()
            spec = [paddle.static.InputSpec([-1, 3, 16, 16], "float32", "x")]
            with silent(), mock.patch(_NAIVE, _naive):
                quantization.save_quantized_model(net, folder + "/inference", input_spec=spec)
        finally:
            paddle.enable_static()

    return build


def weight_only(
    make: Maker, specs: Any, weights: str, bits: int, folder: str, lost: bool = False
) -> tuple[str, str]:
    """Saves (the network with integer weights, the same with real numbers).

    Paddle 2.6 writes the scales as integers (`lost`), older versions wrote them as floats.
    """
    jit(make, specs)(folder + "/float")
    set_attr = paddle.base.framework.Operator._set_attr

    def as_floats(op: Any, name: str, value: Any) -> None:
        if name.endswith("_quant_scale"):
            value = [float(v) for v in np.ravel(value)]
        set_attr(op, name, value)

    patch = mock.patch.object(paddle.base.framework.Operator, "_set_attr", as_floats)
    paddle.enable_static()
    with patch if not lost else contextlib.nullcontext(), silent():
        WeightQuantization(
            folder + "/float", "inference.pdmodel", "inference.pdiparams"
        ).quantize_weight_to_int(
            folder,
            "inference.pdmodel",
            "inference.pdiparams",
            quantizable_op_type=["conv2d", "depthwise_conv2d", "mul"],
            weight_bits=bits,
            weight_quantize_type=weights,
            generate_test_model=True,
        )
    return folder + "/quantized_model", folder + "/test_model"


CHANNELS, TENSOR = "channel_wise_abs_max", "abs_max"

for _net, _specs, _feeds in (
    (Convolutions, PICTURE, pictures),
    (Mobile, PICTURE, pictures),
    (Attention, WORDS, words),
):
    for _onnx in (True, False):
        for _weights in (CHANNELS, TENSOR):
            _kind = (
                f"{'onnx' if _onnx else 'fake'}_{'channels' if _weights == CHANNELS else 'tensor'}"
            )
            model(f"ptq_{_net.__name__.lower()}_{_kind}", _feeds)(
                post_training(_net, _specs, _feeds, _onnx, _weights)
            )
            if _net is Convolutions:
                model(f"qat_convolutions_{_kind}", _feeds)(
                    quantization_aware(_net, _onnx, _weights)
                )
model("ptq_convolutions_16_bits", pictures)(
    post_training(Convolutions, PICTURE, pictures, True, CHANNELS, 16)
)
