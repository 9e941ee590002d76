"""Programs that Paddle rewrites for its CPU (oneDNN) and saves: `_optimized.json`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import paddle
import paddle.inference
import paddle.nn.functional as F  # noqa: N812
from cases import add, f
from paddle import nn


def rewrite(folder: Path) -> None:
    """Puts what Paddle's predictor saves in the place of the files."""
    files = [folder / "inference.json", folder / "inference.pdiparams"]
    config = paddle.inference.Config(*(str(file) for file in files))
    config.enable_mkldnn()
    config.disable_glog_info()
    config.set_optim_cache_dir(str(folder))
    config.enable_save_optim_model(True)
    paddle.inference.create_predictor(config)
    for file in files:
        (folder / f"_optimized{file.suffix}").replace(file)
    assert "onednn_op." in files[0].read_text(encoding="utf-8")


RUNS_BY_ONEDNN = "the program is for oneDNN, which the check switches off"


def rewritten(target: Any, *runs: Any, **settings: Any) -> None:
    add(target, *runs, after=rewrite, unchecked=RUNS_BY_ONEDNN, **settings)


class RewrittenConvs(nn.Layer):
    """A convolution before each activation that oneDNN takes into it, but leaky_relu, of which
    Paddle's pass dies; sums of two branches."""

    ACTIVATIONS = (
        F.relu,
        F.relu6,
        F.sigmoid,
        F.tanh,
        F.swish,
        F.hardswish,
        F.hardsigmoid,
        F.mish,
        F.gelu,
        lambda x: F.gelu(x, approximate=True),
        lambda x: paddle.clip(x, -0.25, 0.5),
        paddle.abs,
    )

    def __init__(self) -> None:
        super().__init__()
        self.convs = nn.LayerList([nn.Conv2D(3, 4, 1) for _ in self.ACTIVATIONS])
        self.norm = nn.BatchNorm2D(4)
        self.wide = nn.Conv2D(4, 4, 3, padding=1, groups=4)
        self.up = nn.Conv2DTranspose(4, 3, 2, stride=2)

    def forward(self, x: Any) -> Any:
        made = [act(self.convs[i](x)) for i, act in enumerate(self.ACTIVATIONS)]
        y = F.relu(self.norm(self.wide(made[0])) + made[1])
        return [*made, y, self.up(y), F.max_pool2d(y, 2), F.interpolate(y, scale_factor=2)]


rewritten(RewrittenConvs, {"x": f(1, 3, 6, 8)}, {"x": f(2, 3, 4, 4)})


class RewrittenConv3D(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.conv = nn.Conv3D(2, 3, 3, padding=1)

    def forward(self, x: Any) -> Any:
        return F.relu(self.conv(x))


rewritten(RewrittenConv3D, {"x": f(1, 2, 4, 5, 6)})


class RewrittenProducts(nn.Layer):
    """Attention, whose axes move into its products; linear layers before activations."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.LayerList([nn.Linear(8, 8) for _ in range(3)])
        self.norm = nn.LayerNorm(8)
        self.mlp = nn.LayerList([nn.Linear(8, 8) for _ in range(4)])

    def forward(self, x: Any, y: Any) -> Any:
        q, k, v = (
            paddle.transpose(paddle.reshape(part(x), [0, 0, 2, 4]), [0, 2, 1, 3])
            for part in self.qkv
        )
        scores = F.softmax(paddle.matmul(q, k, transpose_y=True) * 0.5 + y)
        mixed = paddle.transpose(paddle.matmul(scores, v), [0, 2, 1, 3])
        z = self.norm(x + paddle.reshape(mixed, [0, 0, 8]))
        acts = (F.gelu, F.relu, F.tanh, lambda x: F.gelu(x, approximate=True))
        made = [act(self.mlp[i](z)) for i, act in enumerate(acts)]
        return [*made, F.relu(paddle.matmul(z, z, transpose_y=True))]


rewritten(
    RewrittenProducts,
    {"x": f(2, 5, 8), "y": f(2, 1, 1, 5)},
    {"x": f(1, 7, 8), "y": f(1, 1, 1, 7)},
)


class RewrittenElements(nn.Layer):
    """Arithmetic before activations, scales and other shapes; softplus; transposes."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = self.create_parameter([4, 1])
        self.norm = nn.BatchNorm1D(4)

    def forward(self, x: Any, y: Any) -> Any:
        w = self.weight
        return [
            F.relu(x + y),
            F.sigmoid(x - y),
            F.tanh(x * w),
            F.leaky_relu(x / (paddle.abs(y) + 2.0), 0.1),
            F.relu(F.softplus(x)),
            F.gelu(F.softplus(y, beta=2.0)),
            (x + y) * 0.25,
            paddle.unsqueeze(x * y, [1]),
            paddle.transpose(paddle.squeeze(paddle.unsqueeze(x, [1]), [1]), [0, 2, 1]),
            paddle.reshape(paddle.transpose(x, [0, 2, 1]), [0, -1]),
            F.softmax(x, axis=1),
            F.relu(self.norm(x)),
            paddle.concat([x, y], axis=2),
        ]


rewritten(RewrittenElements, {"x": f(2, 4, 3), "y": f(2, 4, 3, seed=1)})
