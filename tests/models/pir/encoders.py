"""Small nets of encoders and decoders that PaddleX publishes without classes."""

from __future__ import annotations

import math
from typing import Any

import paddle
from cases import add, f
from paddle import nn
from recipes import ConvBN

F = nn.functional


class SeaFormer(nn.Layer):
    """Attention along squeezed rows and columns, their positions resized, gates of details."""

    def __init__(self) -> None:
        super().__init__()
        self.net = ConvBN(3, 8, 3, 4)
        self.q, self.k, self.v = (nn.Conv2D(8, 8, 1) for _ in range(3))
        self.rows, self.columns = (
            self.create_parameter([1, 8, 16]),
            self.create_parameter([1, 8, 16]),
        )
        self.row, self.column = (
            nn.Sequential(nn.ReLU(), nn.Conv2D(8, 8, 1)),
            nn.Sequential(nn.ReLU(), nn.Conv2D(8, 8, 1)),
        )
        self.detail, self.out = nn.Conv2D(24, 8, 3, padding=1, groups=8), nn.Conv2D(8, 8, 1)
        self.head = nn.Conv2D(8, 4, 1)

    def along(self, q: Any, k: Any, v: Any, place: Any) -> Any:
        n, length = q.shape[0], paddle.shape(q)[2]
        place = F.interpolate(
            place, size=[length], mode="linear", align_corners=False, data_format="NCW"
        )
        q, k = ((y + place).reshape([n, 2, 4, length]).transpose([0, 1, 3, 2]) for y in (q, k))
        v = v.reshape([n, 2, 4, length]).transpose([0, 1, 3, 2])
        seen = F.softmax(q @ k.transpose([0, 1, 3, 2]) * 0.5) @ v
        return seen.transpose([0, 1, 3, 2]).reshape([n, 8, length])

    def forward(self, x: Any) -> Any:
        size = paddle.shape(x)[2:]
        x = self.net(x)
        q, k, v = self.q(x), self.k(x), self.v(x)
        detail = self.detail(paddle.concat([q, k, v], 1))
        row = self.along(q.mean(-1), k.mean(-1), v.mean(-1), self.rows)
        column = self.along(q.mean(-2), k.mean(-2), v.mean(-2), self.columns)
        seen = v + self.row(row.unsqueeze(-1)) + self.column(column.unsqueeze(-2))
        x = x + F.sigmoid(self.out(F.relu6(seen))) * detail
        return F.interpolate(self.head(F.hardswish(x)), size, mode="bilinear").argmax(1)


add(SeaFormer, {"x": f(1, 3, 32, 32)}, {"x": f(2, 3, 40, 64)})


class SamEncoder(nn.Layer):
    """Windows with padding, positions relative along both axes added to scores, a neck of norms."""

    def __init__(self) -> None:
        super().__init__()
        self.patch, self.place = nn.Conv2D(3, 8, 4, 4), self.create_parameter([1, 8, 10, 8])
        self.norms = nn.LayerList([nn.LayerNorm(8) for _ in range(4)])
        self.qkv, self.out = (
            nn.LayerList([nn.Linear(8, 24) for _ in range(2)]),
            nn.LayerList([nn.Linear(8, 8) for _ in range(2)]),
        )
        self.tables = nn.ParameterList([self.create_parameter([n, 4]) for n in (5, 5, 15, 19)])
        self.mlp = nn.LayerList(
            [nn.Sequential(nn.Linear(8, 16), nn.GELU(), nn.Linear(16, 8)) for _ in range(2)]
        )
        self.neck = nn.Conv2D(8, 6, 1, bias_attr=False)
        self.weight, self.bias = self.create_parameter([6]), self.create_parameter([6])

    def attend(self, x: Any, at: int) -> Any:
        n, h, w = x.shape[0], x.shape[1], x.shape[2]
        q, k, v = (
            self.qkv[at](x)
            .reshape([n, h * w, 3, 2, 4])
            .transpose([2, 0, 3, 1, 4])
            .flatten(1, 2)
            .unbind(0)
        )
        scores = (q * 0.5) @ k.transpose([0, 2, 1])
        rows, columns = self.tables[2 * at], self.tables[2 * at + 1]
        near = (paddle.arange(h).unsqueeze(1) - paddle.arange(h).unsqueeze(0)) + (h - 1)
        beside = (paddle.arange(w).unsqueeze(1) - paddle.arange(w).unsqueeze(0)) + (w - 1)
        if at == 1:  # tables of another size are resized
            rows = F.interpolate(
                rows.t().unsqueeze(0), size=[2 * h - 1], mode="linear", data_format="NCW"
            )[0].t()
            columns = F.interpolate(
                columns.t().unsqueeze(0), size=[2 * w - 1], mode="linear", data_format="NCW"
            )[0].t()
        own = q.reshape([-1, h, w, 4])
        by_row = paddle.einsum("bhwc,hkc->bhwk", own, rows[near])
        by_column = paddle.einsum("bhwc,wkc->bhwk", own, columns[beside])
        scores = (
            scores.reshape([-1, h, w, h, w])
            + by_row[:, :, :, :, None]
            + by_column[:, :, :, None, :]
        )
        seen = F.softmax(scores.reshape([-1, h * w, h * w])) @ v
        seen = seen.reshape([n, 2, h, w, 4]).transpose([0, 2, 3, 1, 4]).reshape([n, h, w, 8])
        return self.out[at](seen)

    def forward(self, x: Any) -> Any:
        x = (self.patch(x) + self.place).transpose([0, 2, 3, 1])
        n, h, w = x.shape[0], x.shape[1], x.shape[2]
        y = F.pad(self.norms[0](x), [0, (-w) % 3, 0, (-h) % 3], data_format="NHWC")
        hp, wp = h + (-h) % 3, w + (-w) % 3
        y = (
            y.reshape([n, hp // 3, 3, wp // 3, 3, 8])
            .transpose([0, 1, 3, 2, 4, 5])
            .reshape([-1, 3, 3, 8])
        )
        y = self.attend(y, 0).reshape([n, hp // 3, wp // 3, 3, 3, 8]).transpose([0, 1, 3, 2, 4, 5])
        x = x + y.reshape([n, hp, wp, 8])[:, :h, :w]
        x = x + self.mlp[0](self.norms[1](x))
        x = x + self.attend(self.norms[2](x), 1)
        x = x + self.mlp[1](self.norms[3](x))
        y = self.neck(x.transpose([0, 3, 1, 2]))
        mean = y.mean(1, keepdim=True)
        y = (y - mean) / paddle.sqrt(((y - mean) ** 2).mean(1, keepdim=True) + 1e-6)
        return self.weight[:, None, None] * y + self.bias[:, None, None]


add(SamEncoder, {"x": f(1, 3, 40, 32)}, {"x": f(2, 3, 40, 32)})


class Whisper(nn.Layer):
    """Convolutions over frames, a decoder with its cache that writes words until its end."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = nn.Conv1D(5, 8, 3, padding=1), nn.Conv1D(8, 8, 3, stride=2, padding=1)
        self.encoder = nn.TransformerEncoderLayer(8, 2, 16, 0.0, "gelu", normalize_before=True)
        self.words, self.places = nn.Embedding(12, 8), self.create_parameter([16, 8])
        self.q, self.k, self.v, self.o = (
            nn.Linear(8, 8, bias_attr=None if n != 1 else False) for n in range(4)
        )
        self.cq, self.ck, self.cv = (nn.Linear(8, 8) for _ in range(3))
        self.norm = nn.LayerNorm(8)
        self.suppressed = paddle.to_tensor([1, 3])

    def attention(self, q: Any, k: Any, v: Any, mask: Any) -> Any:
        q, k, v = (y.reshape([y.shape[0], -1, 2, 4]).transpose([0, 2, 1, 3]) for y in (q, k, v))
        scores = (q * 4**-0.25) @ (k * 4**-0.25).transpose([0, 1, 3, 2])
        if mask is not None:
            scores = scores + mask
        return (F.softmax(scores, axis=-1) @ v).transpose([0, 2, 1, 3]).flatten(2)

    def step(self, ids: Any, at: Any, memory: Any, keys: Any, values: Any) -> Any:
        x = self.words(ids) + paddle.slice(self.places, [0], [at], [at + 1]).unsqueeze(0)
        y = self.norm(x)
        keys = paddle.concat([keys, self.k(y)], 1)
        values = paddle.concat([values, self.v(y)], 1)
        x = x + self.o(self.attention(self.q(y), keys, values, None))
        x = x + self.attention(self.cq(x), self.ck(memory), self.cv(memory), None)
        return (self.norm(x) @ self.words.weight.t())[:, -1], keys, values

    def forward(self, mel: Any) -> Any:
        x = F.gelu(self.b(F.gelu(self.a(mel)))).transpose([0, 2, 1])
        length = paddle.shape(x)[1]
        scale = math.log(10000) / 3
        angle = paddle.arange(length).astype("float32").unsqueeze(1) * paddle.exp(
            -scale * paddle.arange(4).astype("float32")
        ).unsqueeze(0)
        memory = self.encoder(x + paddle.concat([angle.sin(), angle.cos()], 1))
        n = memory.shape[0]
        keys = values = paddle.zeros([n, 0, 8])
        tokens = paddle.zeros([n, 1], "int64") + 4
        total = paddle.zeros([n])
        ended = paddle.zeros([n], "bool")
        at = paddle.zeros([1], "int64")
        while at < 9:
            logits, keys, values = self.step(tokens[:, -1:], at, memory, keys, values)
            logits = paddle.index_fill(logits, self.suppressed, 1, -float("inf"))
            logits = F.log_softmax(logits.astype("float32"))
            new = logits.argmax(-1)
            new = paddle.where(ended, paddle.full_like(new, 11), new)
            best = paddle.take_along_axis(logits, new.unsqueeze(-1), 1).squeeze(-1)
            total = total + paddle.where(ended, paddle.zeros_like(best), best)
            tokens = paddle.concat([tokens, new.unsqueeze(-1)], 1)
            ended = paddle.logical_or(ended, new == 11)
            at = at + 1
            if ended.all():
                break
        return tokens, total


add(Whisper, {"mel": f(1, 5, 20)}, {"mel": f(3, 5, 31)})


class LatexOcr(nn.Layer):
    """A picture of free size: positions looked up by row and column, words one by one with GLU."""

    def __init__(self) -> None:
        super().__init__()
        self.stem = nn.Sequential(
            nn.Conv2D(1, 8, 7, 2, 3), nn.GroupNorm(4, 8), nn.ReLU(), nn.MaxPool2D(3, 2, 1)
        )
        self.patch, self.token, self.place = (
            nn.Conv2D(8, 8, 2, 2),
            self.create_parameter([1, 1, 8]),
            self.create_parameter([1, 1 + 4 * 8, 8]),
        )
        self.encoder = nn.TransformerEncoderLayer(8, 2, 16, 0.0, "gelu", normalize_before=True)
        self.words, self.places = nn.Embedding(9, 8), nn.Embedding(12, 8)
        self.q, self.kv, self.cq, self.ckv = (
            nn.Linear(8, 8),
            nn.Linear(8, 16),
            nn.Linear(8, 8),
            nn.Linear(8, 16),
        )
        self.glu, self.out = nn.Linear(8, 16), nn.Linear(8, 9)

    def attention(self, q: Any, kv: Any, causal: bool) -> Any:
        k, v = kv.chunk(2, -1)
        scores = paddle.einsum("bid,bjd->bij", q, k) * 8**-0.5
        if causal:
            r = paddle.arange(paddle.shape(q)[1])
            mask = r.unsqueeze(0) > r.unsqueeze(1)
            scores = paddle.where(mask.unsqueeze(0), paddle.full_like(scores, -3.4e38), scores)
        return paddle.einsum("bij,bjd->bid", F.softmax(scores), v)

    def logits(self, ids: Any, memory: Any) -> Any:
        x = self.words(ids) + self.places(paddle.arange(paddle.shape(ids)[1])).unsqueeze(0)
        x = x + self.attention(self.q(x), self.kv(x), True)
        x = x + self.attention(self.cq(x), self.ckv(memory), False)
        a, gate = self.glu(x).chunk(2, -1)
        return self.out(x + a * F.gelu(gate))

    def forward(self, x: Any) -> Any:
        x = self.patch(self.stem(x))
        n, h, w = x.shape[0], paddle.shape(x)[2], paddle.shape(x)[3]
        x = x.flatten(2).transpose([0, 2, 1])
        where = (paddle.arange(h).unsqueeze(1) * 8 + paddle.arange(w).unsqueeze(0)).flatten() + 1
        index = paddle.concat([paddle.zeros([1], "int64"), where.astype("int64")])
        x = paddle.concat([self.token.tile([n, 1, 1]), x], 1) + paddle.index_select(
            self.place, index, 1
        )
        memory = self.encoder(x)
        out = paddle.full([n, 1], 1, "int64")
        step = paddle.full([1], 0, "int64")
        while step < 8:
            logits = self.logits(out[:, -6:], memory)[:, -1]
            best, at = paddle.topk(logits, 3)
            kept = paddle.full_like(logits, float("-inf"))
            kept = paddle.put_along_axis(kept, at, best, 1)
            new = F.softmax(kept / 0.3).argmax(-1, keepdim=True)
            out = paddle.concat([out, new], 1)
            step += 1
            if paddle.cumsum((out == 2).astype("int64"), 1)[:, -1].min() > 0:
                break
        return out


add(LatexOcr, {"x": f(1, 1, 16, 32)}, {"x": f(2, 1, 24, 56)})


class HgNetV1(nn.Layer):
    """Layers that are joined, squeeze by one product, pools beside strided stems."""

    def __init__(self) -> None:
        super().__init__()
        self.stem, self.layers = (
            ConvBN(3, 8, 3, 2),
            nn.LayerList([ConvBN(8, 8, 3, 1) for _ in range(3)]),
        )
        self.join, self.gate = ConvBN(32, 8, 1, 1), nn.Conv2D(8, 8, 1)
        self.down = nn.Conv2D(8, 8, 3, 2, 1, groups=8, bias_attr=False)
        self.last, self.fc = nn.Conv2D(8, 16, 1, bias_attr=False), nn.Linear(16, 6)

    def forward(self, x: Any) -> Any:
        x = F.max_pool2d(self.stem(x), 3, 2, 1)
        seen = [x]
        for layer in self.layers:
            seen.append(layer(seen[-1]))
        y = self.join(paddle.concat(seen, 1))
        x = y * F.sigmoid(self.gate(F.adaptive_avg_pool2d(y, 1))) + x
        x = F.relu(self.last(F.adaptive_avg_pool2d(self.down(x), 1)))
        return F.softmax(
            self.fc(F.dropout(x.flatten(1), 0.2, training=self.training, mode="downscale_in_infer"))
        )


add(HgNetV1, {"x": f(1, 3, 32, 32)}, {"x": f(2, 3, 48, 40)})


class YoloWorld(nn.Layer):
    """Words gate pictures by their strongest product; classes are words."""

    def __init__(self) -> None:
        super().__init__()
        self.net, self.guide, self.embed = (
            ConvBN(3, 8, 3, 4, act="swish"),
            nn.Linear(6, 8),
            nn.Conv2D(8, 6, 1),
        )
        self.bias, self.out = self.create_parameter([2]), ConvBN(8, 8, 3, 1, act="swish")
        self.scale, self.shift = self.create_parameter([1]), self.create_parameter([1])
        self.norm = nn.BatchNorm2D(6)

    def forward(self, image: Any, words: Any) -> Any:
        x = self.net(image)
        n, h, w = x.shape[0], paddle.shape(x)[2], paddle.shape(x)[3]
        guide = self.guide(words).reshape([n, -1, 2, 4])
        weight = paddle.einsum("bmchw,bnmc->bmhwn", x.reshape([n, 2, 4, h, w]), guide).max(-1) / 2
        weight = F.sigmoid(weight + self.bias[None, :, None, None])
        x = (self.out(x).reshape([n, 2, -1, h, w]) * weight.unsqueeze(2)).reshape([n, -1, h, w])
        seen, words = self.norm(self.embed(x)), F.normalize(words, axis=-1, p=2)
        return paddle.einsum("bchw,bkc->bkhw", seen, words) * self.scale.exp() + self.shift


add(
    YoloWorld,
    {"image": f(1, 3, 32, 32), "words": f(1, 5, 6)},
    {"image": f(2, 3, 40, 24), "words": f(2, 3, 6)},
)
