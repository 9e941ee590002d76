"""Small nets over time that PaddleX publishes without classes: video, forecasts, anomalies."""

from __future__ import annotations

from typing import Any

import paddle
from cases import add, f, i
from paddle import nn
from recipes import ConvBN

F = nn.functional


class Tsm(nn.Layer):
    """Frames as a batch: some channels shifted in time, the mean of the frames' scores."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b, self.fc = ConvBN(3, 8, 3, 2), ConvBN(8, 8, 3, 2), nn.Linear(8, 5)

    def forward(self, x: Any) -> Any:
        n = paddle.shape(x)[0]
        x = self.a(x.reshape([-1, 3, *x.shape[3:]]))
        h, w = x.shape[2], x.shape[3]
        x = F.temporal_shift(x, 4, 0.25)
        y = x.reshape([-1, 4, 8, h, w])
        later = paddle.concat([y[:, 1:, :2], paddle.zeros_like(y[:, :1, :2])], 1)
        earlier = paddle.concat([paddle.zeros_like(y[:, :1, 2:4]), y[:, :-1, 2:4]], 1)
        x = paddle.concat([later, earlier, y[:, :, 4:]], 2).reshape([-1, 8, h, w])
        x = F.adaptive_avg_pool2d(self.b(x), 1).flatten(1)
        return F.softmax(self.fc(x).reshape([n, 4, 5]).mean(1))


add(Tsm, {"x": f(1, 4, 3, 16, 16)}, {"x": f(2, 4, 3, 16, 16)})


class Yowo(nn.Layer):
    """A clip and its last frame: 3-D and 2-D branches, channels that weigh each other."""

    def __init__(self) -> None:
        super().__init__()
        self.clip = nn.Sequential(
            nn.Conv3D(3, 4, 3, (1, 2, 2), 1),
            nn.BatchNorm3D(4),
            nn.ReLU(),
            nn.MaxPool3D((2, 2, 2), (2, 2, 2)),
            nn.Conv3D(4, 6, 3, 1, 1),
            nn.ReLU(),
        )
        self.frame = nn.Sequential(ConvBN(3, 6, 3, 4), nn.LeakyReLU(0.1))
        self.inward, self.outward = ConvBN(12, 8, 1, 1), ConvBN(8, 8, 3, 1)
        self.gamma, self.head = self.create_parameter([1]), nn.Conv2D(8, 2 * (5 + 3), 1)

    def forward(self, x: Any) -> Any:
        a = self.clip(x).mean(2)
        b = self.frame(x[:, :, -1])
        y = self.inward(paddle.concat([a, b], 1))
        n, c, h, w = y.shape[0], 8, y.shape[2], y.shape[3]
        flat = y.reshape([n, c, -1])
        energy = paddle.bmm(flat, flat.transpose([0, 2, 1]))
        energy = paddle.max(energy, axis=-1, keepdim=True).expand_as(energy) - energy
        seen = paddle.bmm(F.softmax(energy, axis=-1), flat).reshape([n, c, h, w])
        found = (
            self.head(self.outward(self.gamma * seen + y))
            .reshape([n, 2, 8, -1])
            .transpose([0, 1, 3, 2])
        )
        xy, size, rest = F.sigmoid(found[..., :2]), paddle.exp(found[..., 2:4]), found[..., 4:]
        return paddle.concat(
            [
                xy,
                size * paddle.to_tensor([1.5, 2.0]),
                F.sigmoid(rest[..., :1]),
                F.softmax(rest[..., 1:]),
            ],
            -1,
        )


add(Yowo, {"x": f(1, 3, 4, 16, 16)}, {"x": f(2, 3, 4, 32, 24)})


class SlowFast(nn.Layer):
    """Few frames with many channels beside many with few, joined by strided convolutions."""

    def __init__(self) -> None:
        super().__init__()
        self.slow, self.fast = (
            nn.Conv3D(3, 8, (1, 3, 3), (1, 2, 2), (0, 1, 1)),
            nn.Conv3D(3, 2, (5, 3, 3), (1, 2, 2), (2, 1, 1)),
        )
        self.side = nn.Conv3D(2, 4, (5, 1, 1), (4, 1, 1), (2, 0, 0), bias_attr=False)
        self.up, self.fc = (
            nn.Conv3D(12, 8, (3, 1, 1), padding=(1, 0, 0), groups=2),
            nn.Linear(10, 4),
        )

    def forward(self, x: Any) -> Any:
        index = paddle.linspace(0, 7, 2).astype("int64")
        slow, fast = paddle.index_select(x, index, 2), x
        slow, fast = F.relu(self.slow(slow)), F.relu(self.fast(fast))
        slow = F.relu(self.up(paddle.concat([slow, self.side(fast)], 1)))
        y = paddle.concat(
            [F.adaptive_avg_pool3d(slow, 1), F.avg_pool3d(fast, (8, *fast.shape[3:]))], 1
        )
        y = F.softmax(self.fc(y.transpose([0, 2, 3, 4, 1])), axis=4)
        return y.mean([1, 2, 3]).flatten(1)


add(SlowFast, {"x": f(1, 3, 8, 16, 16)}, {"x": f(2, 3, 8, 16, 16)})


class TimesNet(nn.Layer):
    """The strongest periods of a Fourier transform fold a series into pictures."""

    def __init__(self) -> None:
        super().__init__()
        self.embed = nn.Conv1D(3, 6, 3, padding=1, padding_mode="circular", bias_attr=False)
        self.predict, self.project = nn.Linear(12, 18), nn.Linear(6, 3)
        self.convs = nn.Sequential(
            nn.Conv2D(6, 6, 3, padding=1), nn.GELU(), nn.Conv2D(6, 6, 3, padding=1)
        )

    def forward(self, x: Any) -> Any:
        mean = x.mean(1, keepdim=True)
        x = x - mean
        deviation = paddle.sqrt(paddle.var(x, 1, keepdim=True, unbiased=False) + 1e-5)
        x = self.embed((x / deviation).transpose([0, 2, 1]))
        x = self.predict(x).transpose([0, 2, 1])
        spectrum = paddle.fft.rfft(x, axis=1)
        strength = spectrum.abs().mean(0).mean(-1)
        strength[0] = 0
        _, top = paddle.topk(strength, 2)
        weights = paddle.index_select(spectrum.abs().mean(-1), top, 1)
        found = []
        for at in range(2):
            period = 18 // top[at]
            rest = (period - 18 % period) % period
            length = 18 + rest
            y = paddle.concat([x, paddle.zeros([x.shape[0], rest, 6])], 1)
            y = y.reshape([x.shape[0], length // period, period, 6]).transpose([0, 3, 1, 2])
            y = self.convs(y).transpose([0, 2, 3, 1]).reshape([x.shape[0], -1, 6])
            found.append(y[:, :18])
        weights = F.softmax(weights, axis=1).unsqueeze(1).unsqueeze(1).tile([1, 18, 6, 1])
        y = (paddle.stack(found, -1) * weights).sum(-1) + x
        return (self.project(y) * deviation + mean)[:, -6:]


add(TimesNet, {"x": f(1, 12, 3)}, {"x": f(3, 12, 3)})


class PatchTst(nn.Layer):
    """Series normalised and divided into patches that overlap; a batch norm between attentions."""

    def __init__(self) -> None:
        super().__init__()
        self.value, self.place = nn.Linear(8, 8, bias_attr=False), self.create_parameter([1, 6, 8])
        self.attention, self.norm = (
            nn.MultiHeadAttention(8, 2),
            nn.BatchNorm1D(8, data_format="NLC"),
        )
        self.head = nn.Linear(48, 5)

    def forward(self, x: Any) -> Any:
        mean = x.mean(1, keepdim=True)
        deviation = paddle.sqrt(x.var(1, keepdim=True, unbiased=False) + 1e-5)
        x = ((x - mean) / deviation).transpose([0, 2, 1])
        x = F.pad(x, [0, 4], mode="replicate", data_format="NCL")
        x = paddle.stack([x[:, :, at : at + 8] for at in range(0, 24, 4)], 2)
        n, kinds = x.shape[0], x.shape[1]
        x = self.value(x).reshape([n * kinds, 6, 8]) + self.place
        x = self.norm(x + self.attention(x, x, x))
        x = self.head(x.reshape([n, kinds, 48]))
        return x.transpose([0, 2, 1]) * deviation + mean


add(PatchTst, {"x": f(1, 24, 3)}, {"x": f(4, 24, 3)})


class Stationary(nn.Layer):
    """Non-stationary attention: scale and shift learnt from the raw series."""

    def __init__(self) -> None:
        super().__init__()
        self.conv, self.tau, self.delta = (
            nn.Conv1D(8, 1, 3, padding=1, padding_mode="circular", bias_attr=False),
            nn.Linear(6, 1),
            nn.Linear(6, 8),
        )
        self.q, self.k, self.v = nn.Linear(3, 4), nn.Linear(3, 4), nn.Linear(3, 4)
        self.day, self.out = nn.Embedding(7, 4), nn.Linear(4, 3)

    def forward(self, x: Any, stamp: Any) -> Any:
        mean = x.mean(1, keepdim=True)
        deviation = paddle.sqrt(x.var(1, keepdim=True, unbiased=False) + 1e-5)
        seen = self.conv(x)
        tau = self.tau(paddle.concat([seen, deviation], 1).flatten(1)).exp()
        delta = self.delta(paddle.concat([seen, mean], 1).flatten(1))
        x = (x - mean) / deviation
        time = self.day(stamp[:, :, 0]) + self.day(stamp[:, :, 1])
        q, k, v = self.q(x) + time, self.k(x) + time, self.v(x)
        scores = paddle.einsum("ble,bse->bls", q, k) * tau.unsqueeze(1) + delta.unsqueeze(1)
        mask = paddle.triu(paddle.ones([8, 8]), 1).astype("bool")
        scores = paddle.where(mask, paddle.full([1], -1e9), scores * 0.5)
        return self.out(paddle.einsum("bls,bsd->bld", F.softmax(scores), v)) * deviation + mean


add(
    Stationary, {"x": f(1, 8, 3), "stamp": i(7, 1, 8, 2)}, {"x": f(4, 8, 3), "stamp": i(7, 4, 8, 2)}
)


class Stfpm(nn.Layer):
    """A pupil beside its teacher: where their directions differ, at three sizes multiplied."""

    def __init__(self) -> None:
        super().__init__()
        self.teacher = nn.LayerList([ConvBN(3, 8, 3, 2), ConvBN(8, 8, 3, 2), ConvBN(8, 12, 3, 2)])
        self.pupil = nn.LayerList([ConvBN(3, 8, 3, 2), ConvBN(8, 8, 3, 2), ConvBN(8, 12, 3, 2)])

    def forward(self, x: Any) -> Any:
        t = s = x
        whole = paddle.ones([x.shape[0], 1, *x.shape[2:]])
        for at, teacher in enumerate(self.teacher):
            t, s = teacher(t), self.pupil[at](s)
            distance = (F.normalize(s, axis=1) - F.normalize(t, axis=1)).pow(2).sum(
                1, keepdim=True
            ) * 0.5
            whole = whole * F.interpolate(
                distance, size=x.shape[2:], mode="bilinear", align_corners=False
            )
        return whole, whole.reshape([x.shape[0], -1]).max(-1)


add(Stfpm, {"x": f(1, 3, 32, 32)}, {"x": f(2, 3, 40, 48)})


class Tide(nn.Layer):
    """Dense residuals over history and known futures, a decoder a step."""

    def __init__(self) -> None:
        super().__init__()
        self.feature, self.encode, self.decode = (
            nn.Linear(2, 3),
            nn.Linear(8 + 12 * 3, 8),
            nn.Linear(8, 4 * 2),
        )
        self.skip, self.time, self.norm = nn.Linear(8, 4), nn.Linear(2 + 3, 1), nn.LayerNorm(8)

    def forward(self, past_target: Any, covariates: Any) -> Any:
        mean = past_target.mean(1, keepdim=True)
        spread = past_target.std(1, keepdim=True) + 1e-6
        past = ((past_target - mean) / spread).squeeze(-1)
        small = F.relu(self.feature(covariates))
        hidden = self.norm(F.relu(self.encode(paddle.concat([past, small.flatten(1)], -1))))
        steps = self.decode(hidden).reshape([-1, 4, 2])
        y = self.time(paddle.concat([steps, small[:, -4:]], -1)) + self.skip(past).unsqueeze(-1)
        return paddle.nan_to_num(y * spread + mean)


add(
    Tide,
    {"past_target": f(1, 8, 1), "covariates": f(1, 12, 2)},
    {"past_target": f(3, 8, 1), "covariates": f(3, 12, 2)},
)
