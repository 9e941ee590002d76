"""Layers and small networks of the usual kinds."""

from __future__ import annotations

from typing import Any

import paddle
from cases import add, f, i
from paddle import nn

F = nn.functional


class Mlp(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 4), nn.Softmax())

    def forward(self, x: Any) -> Any:
        return self.net(x)


add(Mlp, {"x": f(2, 8)}, {"x": f(5, 8)})


class TinyCnn(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv2D(3, 8, 3, stride=2, padding=1, bias_attr=False),
            nn.BatchNorm2D(8),
            nn.ReLU(),
            nn.Conv2D(8, 8, 3, padding=1, groups=8),
            nn.BatchNorm2D(8),
            nn.Hardswish(),
            nn.MaxPool2D(2, 2),
            nn.Conv2D(8, 12, 1),
            nn.AvgPool2D(3, 1, padding=1),
            nn.AdaptiveAvgPool2D(1),
            nn.Flatten(),
            nn.Linear(12, 5),
        )

    def forward(self, x: Any) -> Any:
        return self.net(x)


add(TinyCnn, {"x": f(1, 3, 16, 16)}, {"x": f(2, 3, 20, 12)})


class Residual(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Conv2D(3, 6, 3, padding=1, bias_attr=False)
        self.b = nn.BatchNorm2D(6)
        self.c = nn.Conv2D(6, 6, 3, padding=1, bias_attr=False)
        self.d = nn.BatchNorm2D(6)

    def forward(self, x: Any) -> Any:
        y = F.relu(self.b(self.a(x)))
        z = self.d(self.c(y))
        return F.relu(y + z)


add(Residual, {"x": f(1, 3, 8, 8)}, {"x": f(3, 3, 6, 9)})


class SqueezeExcite(nn.Layer):
    """A block of MobileNetV3."""

    def __init__(self) -> None:
        super().__init__()
        self.expand = nn.Conv2D(4, 16, 1, bias_attr=False)
        self.bn1 = nn.BatchNorm2D(16)
        self.dw = nn.Conv2D(16, 16, 5, padding=2, groups=16, bias_attr=False)
        self.bn2 = nn.BatchNorm2D(16)
        self.pool = nn.AdaptiveAvgPool2D(1)
        self.fc1 = nn.Conv2D(16, 4, 1)
        self.fc2 = nn.Conv2D(4, 16, 1)
        self.project = nn.Conv2D(16, 4, 1, bias_attr=False)
        self.bn3 = nn.BatchNorm2D(4)

    def forward(self, x: Any) -> Any:
        y = F.hardswish(self.bn1(self.expand(x)))
        y = F.hardswish(self.bn2(self.dw(y)))
        gate = F.hardsigmoid(self.fc2(F.relu(self.fc1(self.pool(y)))), slope=0.2, offset=0.5)
        return x + self.bn3(self.project(y * gate))


add(SqueezeExcite, {"x": f(1, 4, 8, 8)}, {"x": f(2, 4, 9, 7)})


class Encoder(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, 0.1, "gelu"), 2)

    def forward(self, x: Any) -> Any:
        return self.net(x)


add(Encoder, {"x": f(1, 5, 8)}, {"x": f(2, 7, 8)})


class Attention(nn.Layer):
    """Self-attention whose reshapes read the sizes of the run."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(8, 24)
        self.proj = nn.Linear(8, 8)

    def forward(self, x: Any) -> Any:
        n, length = paddle.shape(x)[0], paddle.shape(x)[1]
        qkv = self.qkv(x).reshape([n, length, 3, 2, 4]).transpose([2, 0, 3, 1, 4])
        q, k, v = qkv[0], qkv[1], qkv[2]
        weights = F.softmax(q.matmul(k.transpose([0, 1, 3, 2])) * 4**-0.5, -1)
        y = weights.matmul(v).transpose([0, 2, 1, 3]).reshape([n, length, 8])
        return self.proj(y)


add(Attention, {"x": f(1, 5, 8)}, {"x": f(3, 4, 8)})


class Lstm(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.LSTM(4, 6, num_layers=2, direction="bidirect")

    def forward(self, x: Any) -> Any:
        y, (h, c) = self.net(x)
        return y, h, c


add(Lstm, {"x": f(1, 5, 4)}, {"x": f(3, 7, 4)})


class Gru(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.GRU(4, 6)

    def forward(self, x: Any) -> Any:
        y, h = self.net(x)
        return y, h


add(Gru, {"x": f(1, 5, 4)}, {"x": f(2, 3, 4)})


class SimpleRnn(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.SimpleRNN(4, 6, direction="bidirect", time_major=True)

    def forward(self, x: Any, length: Any) -> Any:
        y, h = self.net(x, sequence_length=length)
        return y, h


add(SimpleRnn, {"x": f(5, 2, 4), "length": i(6, 2, low=1)})


class LstmWithStates(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.LSTM(4, 6)

    def forward(self, x: Any, h: Any, c: Any) -> Any:
        y, (h, c) = self.net(x, (h, c))
        return y, h, c


add(LstmWithStates, {"x": f(2, 5, 4), "h": f(1, 2, 6), "c": f(1, 2, 6, seed=1)})


class GruCellLoop(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.cell = nn.GRUCell(4, 6)
        self.lstm = nn.LSTMCell(6, 5)

    def forward(self, x: Any) -> Any:
        h = paddle.zeros([x.shape[0], 6])
        state = None
        for t in range(3):
            y, h = self.cell(x[:, t], h)
            z, state = self.lstm(y, state)
        return h, z


add(GruCellLoop, {"x": f(2, 3, 4)}, {"x": f(1, 3, 4)})


class Words(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(20, 8, padding_idx=0)
        self.norm = nn.LayerNorm(8)

    def forward(self, ids: Any) -> Any:
        return self.norm(self.table(ids)).mean(1)


add(Words, {"ids": i(20, 2, 5)}, {"ids": i(20, 1, 9)})


class Upsample(nn.Layer):
    """Transposed convolution, resizing by factor, by size, to another tensor's size."""

    def __init__(self) -> None:
        super().__init__()
        self.up = nn.Conv2DTranspose(3, 4, 2, stride=2)
        self.up2 = nn.Conv2DTranspose(4, 3, 3, stride=2, padding=1, output_padding=1)
        self.nearest = nn.Upsample(scale_factor=2, mode="nearest")

    def forward(self, x: Any) -> Any:
        y = self.up2(self.up(x))
        a = F.interpolate(x, size=[7, 9], mode="bilinear", align_corners=False)
        b = F.interpolate(x, size=paddle.shape(y)[2:], mode="bilinear", align_corners=True)
        c = F.interpolate(x, size=paddle.shape(y)[2:], mode="nearest")
        d = F.interpolate(x, scale_factor=[1.5, 2.0], mode="bilinear", align_mode=1)
        e = F.interpolate(x, scale_factor=2, mode="bicubic")
        return y, a, b + y, c, d, e, self.nearest(x)


add(Upsample, {"x": f(1, 3, 4, 6)}, {"x": f(2, 3, 5, 3)})


class SharedWeight(nn.Layer):
    """One parameter used by two layers, a buffer, and a constant."""

    def __init__(self) -> None:
        super().__init__()
        self.table = nn.Embedding(12, 6)
        self.register_buffer("offset", paddle.arange(6, dtype="float32"))
        self.register_buffer("scale", paddle.to_tensor([2.0]), persistable=False)

    def forward(self, ids: Any) -> Any:
        y = self.table(ids) + self.offset
        y = y * self.scale + paddle.to_tensor([[0.5, 1, 2, 3, 4, 5]])
        return paddle.matmul(y, self.table.weight, transpose_y=True)


add(SharedWeight, {"ids": i(12, 2, 3)}, {"ids": i(12, 1, 4)})


class Dropouts(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Dropout(0.3)
        self.b = nn.Dropout(0.3, mode="downscale_in_infer")
        self.c = nn.Dropout2D(0.3)

    def forward(self, x: Any) -> Any:
        return self.a(x) + 1, self.b(x), self.c(x) * 2


add(Dropouts, {"x": f(2, 3, 4, 4)})


class Norms(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.group = nn.GroupNorm(2, 4)
        self.instance = nn.InstanceNorm2D(4)
        self.layer = nn.LayerNorm([4, 6, 6])
        self.local = nn.LocalResponseNorm(3)
        self.batch = nn.BatchNorm2D(4)

    def forward(self, x: Any) -> Any:
        return self.group(x), self.instance(x), self.layer(x), self.local(x), self.batch(x)


add(Norms, {"x": f(1, 4, 6, 6)}, {"x": f(3, 4, 6, 6)})


class OwnStatistics(nn.Layer):
    """Batch norms by the batch's own mean and variance, as PaddleGAN's pix2pix has them."""

    def __init__(self) -> None:
        super().__init__()
        self.image = nn.BatchNorm2D(4, use_global_stats=False)
        self.last = nn.BatchNorm2D(6, use_global_stats=False, data_format="NHWC")
        self.linear = nn.Linear(6, 5)
        self.rows = nn.BatchNorm1D(5, use_global_stats=False)

    def forward(self, x: Any) -> Any:
        return self.image(F.relu(x)), self.last(F.relu(x)), self.rows(self.linear(x[:, 0, 0]))


add(OwnStatistics, {"x": f(2, 4, 6, 6)}, {"x": f(3, 4, 7, 6)})


class Convs(nn.Layer):
    """Convolutions in one and three dimensions, NHWC, dilated, and with odd paddings."""

    def __init__(self) -> None:
        super().__init__()
        self.one = nn.Conv1D(3, 4, 3, padding=1)
        self.three = nn.Conv3D(2, 3, 3, padding=1)
        self.nhwc = nn.Conv2D(3, 4, 3, data_format="NHWC")
        self.same = nn.Conv2D(3, 4, 3, stride=2, padding="SAME")
        self.dilated = nn.Conv2D(3, 4, 3, dilation=2, padding=[1, 2])
        self.reflect = nn.Conv2D(3, 4, 3, padding=1, padding_mode="reflect")

    def forward(self, x: Any, y: Any, z: Any) -> Any:
        return (
            self.one(x),
            self.three(y),
            self.nhwc(z.transpose([0, 2, 3, 1])),
            self.same(z),
            self.dilated(z),
            self.reflect(z),
        )


add(Convs, {"x": f(1, 3, 7), "y": f(1, 2, 4, 5, 6), "z": f(2, 3, 8, 9)})


class Pools(nn.Layer):
    def forward(self, x: Any) -> Any:
        return (
            F.max_pool2d(x, 3, 2, 1),
            F.max_pool2d(x, 2, return_mask=True),
            F.max_pool2d(x, 3, 2, ceil_mode=True),
            F.avg_pool2d(x, 3, 2, 1, exclusive=False),
            F.avg_pool2d(x, [2, 3]),
            F.adaptive_avg_pool2d(x, [3, 2]),
            F.adaptive_max_pool2d(x, 2),
            F.max_pool1d(x[0], 2),
            F.avg_pool1d(x[0], 3, 1, 1),
            F.avg_pool3d(x.unsqueeze(0), 2),
            F.lp_pool2d(x, 2.0, 2),
        )


add(Pools, {"x": f(1, 3, 8, 8)}, {"x": f(2, 3, 7, 10)})


class AutoEncoder1d(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(
            nn.Conv1D(1, 4, 4, 2, 1),
            nn.GELU(),
            nn.BatchNorm1D(4),
            nn.Conv1DTranspose(4, 1, 4, 2, 1),
            nn.Tanh(),
        )

    def forward(self, x: Any) -> Any:
        return self.net(x)


add(AutoEncoder1d, {"x": f(1, 1, 16)}, {"x": f(2, 1, 20)})
