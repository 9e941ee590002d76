"""Classifiers: PP-LCNetV2, PP-HGNet, GhostNet, DenseNet, ViT, Swin and their habits."""

from __future__ import annotations

from typing import Any

import numpy as np
import paddle
import paddle.nn.functional as F  # noqa: N812
from paddle import nn
from recipes import SE, ConvBN, images, jit, model

X = {"x": ([None, 3, None, None], "float32")}


class RepDW(nn.Layer):
    """PP-LCNetV2's block before (branches) or after (one kernel) re-parameterisation."""

    def __init__(
        self, cin: int, cout: int, k: int, stride: int = 1, rep: bool = True, se: bool = False
    ) -> None:
        super().__init__()
        self.branches = nn.LayerList(
            [ConvBN(cin, cin, n, stride, cin, "none") for n in range(k, 0, -2)] if rep else []
        )
        self.single = nn.Conv2D(cin, cin, k, stride, (k - 1) // 2, groups=cin)
        self.rep = rep
        self.se = SE(cin, gate="sigmoid") if se else None
        self.pw = ConvBN(cin, cout, 1, act="none")
        self.shortcut = stride == 1 and cin == cout

    def forward(self, x: Any) -> Any:
        if self.rep:
            y = self.branches[0](x)
            for branch in self.branches[1:]:
                y = y + branch(x)
        else:
            y = self.single(x)
        y = F.relu(y)
        if self.se is not None:
            y = self.se(y)
        y = F.relu(self.pw(y))
        return x + y if self.shortcut else y


class LCNetV2(nn.Layer):
    """PP-LCNetV2: stem, blocks, pooling, 1x1 convolution, dropout, flatten, fc, softmax."""

    def __init__(self, rep: bool, mode: str, classes: int = 11) -> None:
        super().__init__()
        self.stem = nn.Sequential(ConvBN(3, 8, 3, 2), RepDW(8, 16, 3, 1, rep))
        self.body = nn.Sequential(
            RepDW(16, 16, 3, 2, rep),
            RepDW(16, 16, 3, 1, rep),
            RepDW(16, 32, 5, 2, rep),
            RepDW(32, 32, 5, 1, rep, True),
            RepDW(32, 32, 5, 1, rep, True),
        )
        self.pool = nn.AdaptiveAvgPool2D(1)
        self.last = nn.Conv2D(32, 24, 1, bias_attr=False)
        self.act = nn.ReLU()
        self.drop = nn.Dropout(0.2, mode=mode)
        self.flat = nn.Flatten(start_axis=1, stop_axis=-1)
        self.fc = nn.Linear(24, classes)

    def forward(self, x: Any) -> Any:
        x = self.act(self.last(self.pool(self.body(self.stem(x)))))
        return F.softmax(self.fc(self.flat(self.drop(x))))


PICS = images((1, 3, 32, 32), (4, 3, 32, 32), (2, 3, 45, 33), (1, 3, 7, 64), (1, 3, 1, 1))
model("lcnetv2_rep", PICS)(jit(lambda: LCNetV2(True, "downscale_in_infer"), X))
model("lcnetv2", PICS)(jit(lambda: LCNetV2(False, "upscale_in_train"), X))


class LearnableAffine(nn.Layer):
    """HGNetV2's scale and bias, one number each."""

    def __init__(self) -> None:
        super().__init__()
        init = nn.initializer.Constant
        self.scale = self.create_parameter([1], default_initializer=init(1.3))
        self.bias = self.create_parameter([1], default_initializer=init(-0.2))
        self.add_parameter("scale", self.scale)
        self.add_parameter("bias", self.bias)

    def forward(self, x: Any) -> Any:
        return self.scale * x + self.bias


class HGBlock(nn.Layer):
    """A chain whose stages are all concatenated, then squeezed and gated."""

    def __init__(self, cin: int, mid: int, cout: int, layers: int, lab: bool) -> None:
        super().__init__()
        self.convs = nn.LayerList([ConvBN(cin if i == 0 else mid, mid, 3) for i in range(layers)])
        self.affine = nn.LayerList([LearnableAffine() for _ in range(layers)] if lab else [])
        self.lab = lab
        self.squeeze = ConvBN(cin + layers * mid, cout)
        self.gate = nn.Conv2D(cout, cout, 1)
        self.identity = cin == cout

    def forward(self, x: Any) -> Any:
        outs, y = [x], x
        for i, conv in enumerate(self.convs):
            y = conv(y)
            if self.lab:
                y = self.affine[i](y)
            outs.append(y)
        y = self.squeeze(paddle.concat(outs, axis=1))
        y = y * F.sigmoid(self.gate(F.adaptive_avg_pool2d(y, 1)))
        return y + x if self.identity else y


class HGNet(nn.Layer):
    """PP-HGNet with V2's stem: asymmetric padding, pooling beside a convolution, concat."""

    def __init__(self, lab: bool) -> None:
        super().__init__()
        self.stem1 = ConvBN(3, 8, 3, 2)
        self.stem2a, self.stem2b = nn.Conv2D(8, 4, 2), nn.Conv2D(4, 8, 2)
        self.pool = nn.MaxPool2D(2, 1, ceil_mode=True)
        self.stem3 = ConvBN(16, 12, 3, 2)
        self.b1, self.b2 = HGBlock(12, 8, 16, 3, lab), HGBlock(16, 8, 16, 3, lab)
        self.down = ConvBN(16, 16, 3, 2, 16, "none")
        self.last = nn.Conv2D(16, 20, 1, bias_attr=False)
        self.drop, self.fc = nn.Dropout(0.5, mode="downscale_in_infer"), nn.Linear(20, 7)

    def forward(self, x: Any) -> Any:
        x = F.pad(self.stem1(x), [0, 1, 0, 1])
        y = F.relu(self.stem2a(x))
        y = F.relu(self.stem2b(F.pad(y, [0, 1, 0, 1])))
        x = self.b1(self.stem3(paddle.concat([self.pool(x), y], 1)))
        x = self.b2(self.down(x))
        x = F.relu(self.last(F.adaptive_avg_pool2d(x, 1)))
        return self.fc(self.drop(paddle.flatten(x, 1)))


model("hgnet", images((1, 3, 32, 32), (2, 3, 45, 33), (1, 3, 64, 8)))(jit(lambda: HGNet(False), X))
model("hgnetv2", images((1, 3, 32, 32), (2, 3, 45, 33), (1, 3, 64, 8)))(jit(lambda: HGNet(True), X))


class Ghost(nn.Layer):
    """Primary convolution, cheap depthwise, concat, slice to the wanted channels."""

    def __init__(self, cin: int, cout: int, act: str = "relu") -> None:
        super().__init__()
        self.cout, half = cout, -(-cout // 2)
        self.primary, self.cheap = ConvBN(cin, half, act=act), ConvBN(half, half, 3, 1, half, act)

    def forward(self, x: Any) -> Any:
        y = self.primary(x)
        return paddle.concat([y, self.cheap(y)], axis=1)[:, : self.cout]


class GhostNet(nn.Layer):
    """Ghost bottlenecks with clipped gates, fc as a squeeze."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = ConvBN(3, 8, 3, 2)
        self.g1, self.g2 = Ghost(8, 23), Ghost(23, 8, "none")
        self.dw = ConvBN(23, 23, 3, 2, 23, "none")
        self.fc1, self.fc2 = nn.Linear(23, 6), nn.Linear(6, 23)
        self.short = nn.Sequential(ConvBN(8, 8, 3, 2, 8, "none"), ConvBN(8, 8, act="none"))
        self.fc = nn.Linear(8, 5)

    def forward(self, x: Any) -> Any:
        x = self.stem(x)
        y = self.dw(self.g1(x))
        gate = paddle.squeeze(F.adaptive_avg_pool2d(y, 1), axis=[2, 3])
        gate = paddle.clip(self.fc2(F.relu(self.fc1(gate))), 0, 1)
        y = y * paddle.unsqueeze(gate, axis=[2, 3])
        x = self.g2(y) + self.short(x)
        return self.fc(paddle.squeeze(F.adaptive_avg_pool2d(x, 1), axis=[2, 3]))


class GhostHard(GhostNet):
    """The same with hard_sigmoid: no operator beyond the common ones."""

    def forward(self, x: Any) -> Any:
        x = self.stem(x)
        y = self.dw(self.g1(x))
        gate = paddle.squeeze(F.adaptive_avg_pool2d(y, 1), axis=[2, 3])
        gate = F.hardsigmoid(self.fc2(F.relu(self.fc1(gate))), slope=0.2)
        y = paddle.multiply(y, paddle.unsqueeze(gate, axis=[2, 3]))
        x = self.g2(y) + self.short(x)
        return self.fc(paddle.squeeze(F.adaptive_avg_pool2d(x, 1), axis=[2, 3]))


model("ghostnet", images((1, 3, 32, 32), (3, 3, 17, 40)), needs=["clip"])(jit(GhostNet, X))
model("ghostnet_hard", images((1, 3, 32, 32), (3, 3, 17, 40), (1, 3, 1, 2)))(jit(GhostHard, X))


class Dense(nn.Layer):
    """Batch norm and relu before convolutions on growing concats."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Conv2D(3, 8, 7, 2, 3)
        self.norms = nn.LayerList([nn.BatchNorm2D(8 + 4 * i) for i in range(4)])
        self.convs = nn.LayerList([nn.Conv2D(8 + 4 * i, 4, 3, padding=1) for i in range(4)])
        self.norm = nn.BatchNorm2D(24)
        self.trans = nn.Conv2D(24, 12, 1)
        self.fc = nn.Linear(12, 4)

    def forward(self, x: Any) -> Any:
        x = F.max_pool2d(self.stem(x), 3, 2, 1)
        for norm, conv in zip(self.norms, self.convs):  # noqa: B905
            x = paddle.concat([x, conv(F.relu(norm(x)))], axis=1)
        x = F.avg_pool2d(self.trans(F.relu(self.norm(x))), 2, 2, ceil_mode=True)
        return F.softmax(
            self.fc(
                paddle.mean(x, axis=[2, 3])
                if self.use_mean
                else F.adaptive_avg_pool2d(x, 1).flatten(1)
            )
        )

    use_mean = False


model("densenet", images((1, 3, 32, 32), (2, 3, 41, 29), (1, 3, 8, 8)))(jit(Dense, X))


class Attention(nn.Layer):
    """Multi-head attention as vision transformers write it, with an optional window bias."""

    def __init__(self, dim: int, heads: int, tokens: int = 0) -> None:
        super().__init__()
        self.heads, self.dim = heads, dim
        self.qkv, self.proj = nn.Linear(dim, 3 * dim), nn.Linear(dim, dim)
        self.tokens = tokens
        if tokens:
            self.table = self.create_parameter([(2 * 4 - 1) ** 2, heads])
            index = np.random.RandomState(0).randint(0, 49, (tokens, tokens))
            self.register_buffer("index", paddle.to_tensor(index.reshape(-1), "int64"))

    def forward(self, x: Any, mask: Any = None) -> Any:
        n, c = x.shape[1:]
        qkv = self.qkv(x).reshape((-1, n, 3, self.heads, c // self.heads))
        q, k, v = qkv.transpose((2, 0, 3, 1, 4)).unbind(0) if self.tokens else _three(qkv)
        att = paddle.matmul(q * (c // self.heads) ** -0.5, k.transpose((0, 1, 3, 2)))
        if self.tokens:
            bias = paddle.index_select(self.table, self.index).reshape([self.tokens] * 2 + [-1])
            att = att + bias.transpose([2, 0, 1]).unsqueeze(0)
            if mask is not None:
                windows = mask.shape[0]
                att = att.reshape([-1, windows, self.heads, n, n]) + mask.unsqueeze(1).unsqueeze(0)
                att = att.reshape([-1, self.heads, n, n])
        y = paddle.matmul(F.softmax(att, -1), v).transpose((0, 2, 1, 3)).reshape((-1, n, c))
        return self.proj(y)


def _three(qkv: Any) -> Any:
    qkv = qkv.transpose((2, 0, 3, 1, 4))
    return qkv[0], qkv[1], qkv[2]


class Block(nn.Layer):
    """Pre-norm transformer block."""

    def __init__(self, dim: int, heads: int, tokens: int = 0) -> None:
        super().__init__()
        self.n1, self.n2 = nn.LayerNorm(dim, epsilon=1e-6), nn.LayerNorm(dim, epsilon=1e-6)
        self.att = Attention(dim, heads, tokens)
        self.f1, self.f2 = nn.Linear(dim, 2 * dim), nn.Linear(2 * dim, dim)

    def mlp(self, x: Any) -> Any:
        return self.f2(F.gelu(self.f1(x)))

    def forward(self, x: Any) -> Any:
        x = x + self.att(self.n1(x))
        return x + self.mlp(self.n2(x))


class ViT(nn.Layer):
    """Patch embedding, class token, positions, blocks, head."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = nn.Conv2D(3, 16, 8, 8)
        self.token = self.create_parameter([1, 1, 16])
        self.pos = self.create_parameter([1, 17, 16])
        self.blocks = nn.Sequential(Block(16, 2), Block(16, 4))
        self.norm, self.head = nn.LayerNorm(16), nn.Linear(16, 6)

    def forward(self, x: Any) -> Any:
        x = self.patch(x).flatten(2).transpose((0, 2, 1))
        token = self.token.expand((paddle.shape(x)[0], -1, -1))
        x = paddle.concat((token, x), axis=1) + self.pos
        return self.head(self.norm(self.blocks(x))[:, 0])


FIXED = {"x": ([None, 3, 32, 32], "float32")}
BATCHES = images((1, 3, 32, 32), (3, 3, 32, 32), (2, 3, 32, 32))
model("vit", BATCHES)(jit(ViT, FIXED))


class SwinBlock(Block):
    """Windows, shifted by roll, with the relative position bias."""

    def __init__(self, dim: int, heads: int, shift: int) -> None:
        super().__init__(dim, heads, 16)
        self.shift = shift
        mask = np.where(np.random.RandomState(1).rand(4, 16, 16) < 0.3, -100.0, 0.0)
        self.register_buffer("mask", paddle.to_tensor(mask, "float32"))

    def forward(self, x: Any) -> Any:
        _, n, c = x.shape
        y = self.n1(x).reshape([-1, 8, 8, c])
        if self.shift:
            y = paddle.roll(y, shifts=(-self.shift, -self.shift), axis=(1, 2))
        y = y.reshape([-1, 2, 4, 2, 4, c]).transpose([0, 1, 3, 2, 4, 5]).reshape([-1, 16, c])
        y = self.att(y, self.mask if self.shift else None)
        y = y.reshape([-1, 2, 2, 4, 4, c]).transpose([0, 1, 3, 2, 4, 5]).reshape([-1, 8, 8, c])
        if self.shift:
            y = paddle.roll(y, shifts=(self.shift, self.shift), axis=(1, 2))
        x = x + y.reshape([-1, n, c])
        return x + self.mlp(self.n2(x))


class Swin(nn.Layer):
    """Two blocks, patch merging by strided slices, pooled head."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = nn.Conv2D(3, 12, 4, 4)
        self.blocks = nn.Sequential(SwinBlock(12, 3, 0), SwinBlock(12, 3, 2))
        self.norm, self.reduce = nn.LayerNorm(48), nn.Linear(48, 24, bias_attr=False)
        self.head = nn.Linear(24, 5)

    def forward(self, x: Any) -> Any:
        x = self.blocks(self.patch(x).flatten(2).transpose([0, 2, 1])).reshape([-1, 8, 8, 12])
        parts = [x[:, 0::2, 0::2], x[:, 1::2, 0::2], x[:, 0::2, 1::2], x[:, 1::2, 1::2]]
        x = self.reduce(self.norm(paddle.concat(parts, -1).reshape([-1, 16, 48])))
        x = F.adaptive_avg_pool1d(x.transpose([0, 2, 1]), 1)
        return self.head(paddle.flatten(x, 1))


model("swin", BATCHES)(jit(Swin, FIXED))
