"""What the model makers share: the registry, layers of the usual architectures, sane weights."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import paddle
from paddle import nn

Lod = list[list[int]]
Value = np.ndarray | tuple[np.ndarray, Lod]
Feed = dict[str, Value]


@dataclass(frozen=True)
class Recipe:
    """A model to make: `build` saves it in a folder, `feeds` are the runs in turn."""

    name: str
    build: Callable[[str], None]
    feeds: Callable[[], list[Feed]]
    tol: float = 1e-4
    slow: bool = False  # made by hand, not by the tests
    needs: frozenset[str] = frozenset()  # operators beyond those of most models


RECIPES: dict[str, Recipe] = {}


def model(
    name: str,
    feeds: Callable[[], list[Feed]],
    tol: float = 1e-4,
    slow: bool = False,
    needs: Sequence[str] = (),
) -> Callable[[Callable[[str], None]], Callable[[str], None]]:
    """Registers a function that saves a model in the folder that it is given."""

    def register(build: Callable[[str], None]) -> Callable[[str], None]:
        assert name not in RECIPES, name
        RECIPES[name] = Recipe(name, build, feeds, tol, slow, frozenset(needs))
        return build

    return register


def images(*shapes: Sequence[int], name: str = "x") -> Callable[[], list[Feed]]:
    """Runs of one input that holds smooth pictures with noise."""
    return lambda: [{name: picture(shape, i)} for i, shape in enumerate(shapes)]


def picture(shape: Sequence[int], seed: int = 0) -> np.ndarray:
    """A batch of smooth pictures with some noise, about in [-2, 2]."""
    rng = np.random.RandomState(seed)
    n, c, h, w = shape
    y, x = np.mgrid[0:h, 0:w].astype("float32") / 16
    phase = rng.uniform(0, 6, (n, c, 1, 1)).astype("float32")
    waves = np.sin(phase + x * rng.uniform(0.3, 2)) + np.cos(phase * 2 + y * rng.uniform(0.3, 2))
    return (waves + 0.3 * rng.randn(n, c, h, w)).astype("float32")


@dataclass(frozen=True)
class Jit:
    """Saves a layer as `paddle.jit.save` does."""

    make: Callable[[], nn.Layer]
    specs: dict[str, tuple[Sequence[int | None], str]]
    seed: int

    def __call__(self, folder: str) -> None:
        paddle.disable_static()
        try:
            paddle.jit.save(self.layer(), folder + "/inference", input_spec=self.inputs())
        finally:
            paddle.enable_static()

    def layer(self) -> nn.Layer:
        paddle.seed(self.seed)
        layer = self.make()
        layer.eval()
        sane_weights(layer, self.seed)
        return layer

    def inputs(self) -> list[paddle.static.InputSpec]:
        return [
            paddle.static.InputSpec([-1 if d is None else d for d in shape], dtype, name)
            for name, (shape, dtype) in self.specs.items()
        ]


def jit(
    make: Callable[[], nn.Layer], specs: dict[str, tuple[Sequence[int | None], str]], seed: int = 1
) -> Jit:
    """See Jit."""
    return Jit(make, specs, seed)


def sane_weights(layer: nn.Layer, seed: int) -> None:
    """Weights that keep activations near 1, batch norms that do something."""
    rng = np.random.RandomState(seed)
    for _, sub in layer.named_sublayers(include_self=True):
        if isinstance(sub, nn.BatchNorm2D | nn.BatchNorm | nn.BatchNorm1D | nn.SyncBatchNorm):
            for param, low, high in (
                (sub.weight, 0.6, 1.4),
                (sub.bias, -0.3, 0.3),
                (sub._mean, -0.3, 0.3),
                (sub._variance, 0.5, 1.5),
            ):
                if param is not None:
                    param.set_value(rng.uniform(low, high, param.shape).astype("float32"))
        elif isinstance(sub, nn.Conv2D | nn.Conv2DTranspose | nn.Linear):
            shape = sub.weight.shape
            fan_in = int(np.prod(shape[1:])) if len(shape) == 4 else shape[0]
            values = rng.randn(*shape) * np.sqrt(1.6 / fan_in)
            sub.weight.set_value(values.astype("float32"))
            if sub.bias is not None:
                sub.bias.set_value(rng.uniform(-0.3, 0.3, sub.bias.shape).astype("float32"))


ACTS: dict[str, Callable[[Any], Any]] = {
    "relu": nn.functional.relu,
    "relu6": nn.functional.relu6,
    "hardswish": nn.functional.hardswish,
    "leaky": lambda x: nn.functional.leaky_relu(x, 0.1),
    "swish": nn.functional.swish,
    "sigmoid": nn.functional.sigmoid,
    "none": lambda x: x,
}


class ConvBN(nn.Layer):
    """Convolution, batch norm, activation."""

    def __init__(
        self,
        cin: int,
        cout: int,
        k: int = 1,
        stride: Any = 1,
        groups: int = 1,
        act: str = "relu",
        dilation: int = 1,
    ) -> None:
        super().__init__()
        self.conv = nn.Conv2D(
            cin,
            cout,
            k,
            stride,
            (k - 1) // 2 * dilation,
            dilation=dilation,
            groups=groups,
            bias_attr=False,
        )
        self.bn = nn.BatchNorm2D(cout)
        self.act = act

    def forward(self, x: Any) -> Any:
        return ACTS[self.act](self.bn(self.conv(x)))


class SE(nn.Layer):
    """Squeeze and excite."""

    def __init__(self, c: int, reduction: int = 4, gate: str = "hard", slope: float = 1 / 6):
        super().__init__()
        self.pool = nn.AdaptiveAvgPool2D(1)
        self.conv1 = nn.Conv2D(c, c // reduction, 1)
        self.conv2 = nn.Conv2D(c // reduction, c, 1)
        self.gate, self.slope = gate, slope

    def forward(self, x: Any) -> Any:
        y = self.conv2(nn.functional.relu(self.conv1(self.pool(x))))
        if self.gate == "hard":
            return x * nn.functional.hardsigmoid(y, slope=self.slope, offset=0.5)
        return x * nn.functional.sigmoid(y)


class DepthwiseSeparable(nn.Layer):
    """Depthwise, optional squeeze and excite, pointwise (PP-LCNet's block)."""

    def __init__(
        self,
        cin: int,
        cout: int,
        k: int = 3,
        stride: Any = 1,
        se: bool = False,
        act: str = "hardswish",
    ) -> None:
        super().__init__()
        self.dw = ConvBN(cin, cin, k, stride, cin, act)
        self.se = SE(cin) if se else None
        self.pw = ConvBN(cin, cout, 1, act=act)

    def forward(self, x: Any) -> Any:
        x = self.dw(x)
        if self.se is not None:
            x = self.se(x)
        return self.pw(x)
