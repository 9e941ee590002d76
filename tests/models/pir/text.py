"""Small nets of the published families for text, speech and tables, with their loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import paddle
from cases import add, f, i
from paddle import nn
from recipes import ConvBN

F = nn.functional


class Ernie(nn.Layer):
    """Embeddings of words, positions and sentences, a mask from the padding, a pooler."""

    def __init__(self, heads: str = "classes") -> None:
        super().__init__()
        self.words = nn.Embedding(30, 8, padding_idx=0)
        self.positions, self.kinds = nn.Embedding(16, 8), nn.Embedding(2, 8)
        self.norm, self.drop = nn.LayerNorm(8), nn.Dropout(0.1)
        layer = nn.TransformerEncoderLayer(8, 2, 16, 0.1, "gelu", act_dropout=0.0)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.pooler, self.head = nn.Linear(8, 8), nn.Linear(8, 3)

    def encode(self, ids: Any, kinds: Any) -> Any:
        mask = (ids == 0).astype("float32").unsqueeze([1, 2]) * -1e4
        positions = paddle.cumsum(paddle.ones_like(ids), axis=1) - paddle.ones_like(ids)
        x = self.words(ids) + self.positions(positions) + self.kinds(kinds)
        return self.encoder(self.drop(self.norm(x)), mask)

    def forward(self, input_ids: Any, token_type_ids: Any) -> Any:
        x = self.encode(input_ids, token_type_ids)
        return self.head(paddle.tanh(self.pooler(x[:, 0]))), x


def sentence(n: int, length: int) -> dict[str, np.ndarray]:
    ids = i(30, n, length, low=1)
    ids[-1, length // 2 :] = 0
    return {"input_ids": ids, "token_type_ids": i(2, n, length)}


add(Ernie, sentence(1, 6), sentence(3, 9))


class Uie(Ernie):
    """Two pointers, as probabilities of a start and of an end."""

    def __init__(self) -> None:
        super().__init__()
        self.start, self.end = nn.Linear(8, 1), nn.Linear(8, 1)

    def forward(self, input_ids: Any, token_type_ids: Any) -> Any:
        x = self.encode(input_ids, token_type_ids)
        heads = (self.start, self.end)
        return [F.sigmoid(paddle.squeeze(head(x), -1)) for head in heads]


add(Uie, sentence(1, 6), sentence(2, 8))


class Relative(nn.Layer):
    """Attention with relative positions as `x[:, :n]` slices of a table, and a gated unit."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.out = nn.Linear(8, 24), nn.Linear(8, 8)
        self.table = self.create_parameter([2, 31])
        self.gate, self.down = nn.Linear(8, 32), nn.Linear(16, 8)

    def forward(self, x: Any) -> Any:
        n, length = paddle.shape(x)[0], paddle.shape(x)[1]
        q, k, v = paddle.chunk(self.qkv(x), 3, -1)
        q, k, v = (t.reshape([n, length, 2, 4]).transpose([0, 2, 1, 3]) for t in (q, k, v))
        rows = paddle.arange(length)
        apart = (rows.unsqueeze(0) - rows.unsqueeze(1) + 15).clip(0, 30)
        bias = paddle.gather(self.table, apart.flatten(), axis=1).reshape([2, length, length])
        weights = paddle.matmul(q, k, transpose_y=True) / 2 + bias
        causal = paddle.triu(paddle.full([length, length], float("-inf")), 1)
        y = F.softmax(weights + causal) @ v
        x = x + self.out(y.transpose([0, 2, 1, 3]).reshape([n, length, 8]))
        a, b = self.gate(x).chunk(2, -1)
        return x + self.down(F.silu(a) * b)


add(Relative, {"x": f(1, 5, 8)}, {"x": f(2, 9, 8)})


class RmsNorm(nn.Layer):
    def __init__(self, size: int) -> None:
        super().__init__()
        self.weight = self.create_parameter([size])

    def forward(self, x: Any) -> Any:
        square = x.astype("float32").pow(2).mean(-1, keepdim=True)
        return paddle.rsqrt(square + 1e-6) * x * self.weight


class LlamaStep(nn.Layer):
    """A decoder with rotary positions that writes tokens in a loop, keys and values cached."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.head = nn.Embedding(20, 8), nn.Linear(8, 20, bias_attr=False)
        self.qkv, self.out = nn.Linear(8, 24, bias_attr=False), nn.Linear(8, 8, bias_attr=False)
        self.gate, self.up = nn.Linear(8, 16), nn.Linear(8, 16)
        self.down, self.norm1, self.norm2 = nn.Linear(16, 8), RmsNorm(8), RmsNorm(8)

    def rotate(self, x: Any, begin: Any) -> Any:
        length = paddle.shape(x)[2]
        places = (paddle.arange(length) + begin).astype("float32")
        angles = paddle.outer(places, paddle.to_tensor([1.0, 0.1]))
        angles = paddle.concat([angles, angles], -1)
        left, right = x[..., :2], x[..., 2:]
        turned = paddle.concat([-right, left], -1)
        return x * paddle.cos(angles) + turned * paddle.sin(angles)

    def block(self, x: Any, keys: Any, values: Any) -> Any:
        n, length = paddle.shape(x)[0], paddle.shape(x)[1]
        qkv = self.qkv(self.norm1(x)).reshape([n, length, 3, 2, 4]).transpose([2, 0, 3, 1, 4])
        begin = paddle.shape(keys)[2]
        q, k = self.rotate(qkv[0], begin), self.rotate(qkv[1], begin)
        keys, values = paddle.concat([keys, k], 2), paddle.concat([values, qkv[2]], 2)
        total = begin + length
        allowed = paddle.tril(paddle.ones([total, total]))[-length:]
        weights = q @ keys.transpose([0, 1, 3, 2]) * 0.5 + (1 - allowed) * -1e9
        y = (F.softmax(weights) @ values).transpose([0, 2, 1, 3]).reshape([n, length, 8])
        x = x + self.out(y)
        y = self.norm2(x)
        return x + self.down(F.silu(self.gate(y)) * self.up(y)), keys, values

    def forward(self, ids: Any, steps: Any) -> Any:
        n = paddle.shape(ids)[0]
        keys = paddle.zeros([n, 2, 0, 4])
        values = paddle.zeros([n, 2, 0, 4])
        x, keys, values = self.block(self.table(ids), keys, values)
        best = self.head(x[:, -1]).argmax(-1, keepdim=True)
        found = best
        step = paddle.zeros([], "int64")
        while step < steps:
            x, keys, values = self.block(self.table(best), keys, values)
            best = self.head(x[:, -1]).argmax(-1, keepdim=True)
            found = paddle.concat([found, best], 1)
            step += 1
        return found, keys


class LlamaStatic(LlamaStep):
    """The same for one step, caches as inputs and outputs."""

    def forward(self, ids: Any, keys: Any, values: Any) -> Any:
        x, keys, values = self.block(self.table(ids), keys, values)
        return self.head(x), keys, values


add(
    LlamaStep,
    {"ids": i(20, 1, 3), "steps": np.array(4)},
    {"ids": i(20, 2, 5), "steps": np.array(2)},
    {"ids": i(20, 2, 2), "steps": np.array(0)},
)
add(
    LlamaStatic,
    {"ids": i(20, 1, 1), "keys": f(1, 2, 4, 4), "values": f(1, 2, 4, 4, seed=1)},
    {"ids": i(20, 2, 3), "keys": f(2, 2, 1, 4), "values": f(2, 2, 1, 4, seed=1)},
)


class Slanet(nn.Layer):
    """A table reader: attention over the picture's columns, one token a turn, boxes beside."""

    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(ConvBN(3, 8, 3, 4, act="hardswish"), ConvBN(8, 8, 3, 2))
        self.keys, self.query = nn.Linear(8, 8, bias_attr=False), nn.Linear(8, 8)
        self.score = nn.Linear(8, 1, bias_attr=False)
        self.cell = nn.GRUCell(8 + 7, 8)
        self.token = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 7))
        self.place = nn.Sequential(nn.Linear(8, 8), nn.Linear(8, 4))

    def forward(self, x: Any) -> Any:
        memory = self.net(x).flatten(2).transpose([0, 2, 1])
        n = paddle.shape(memory)[0]
        hidden = paddle.zeros([n, 8])
        tokens = paddle.zeros([n, 7, 7])
        places = paddle.zeros([n, 7, 4])
        before = paddle.zeros([n], "int64")
        step = paddle.to_tensor(0)
        while step < 7:
            weights = self.score(paddle.tanh(self.keys(memory) + self.query(hidden).unsqueeze(1)))
            weights = F.softmax(weights, axis=1).transpose([0, 2, 1])
            context = paddle.squeeze(paddle.bmm(weights, memory), axis=1)
            _, hidden = self.cell(paddle.concat([context, F.one_hot(before, 7)], 1), hidden)
            token = self.token(hidden)
            tokens[:, step, :] = token
            places[:, step, :] = F.sigmoid(self.place(hidden))
            before = token.argmax(1)
            if (before == 6).all():
                break
            step += 1
        return F.softmax(tokens, -1), places


add(Slanet, {"x": f(1, 3, 32, 32)}, {"x": f(2, 3, 24, 40)})


class Svtr(nn.Layer):
    """PP-OCRv5's reader: a rep backbone, global mixing on a line, CTC."""

    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(
            ConvBN(3, 8, 3, 2, act="hardswish"),
            ConvBN(8, 8, 3, groups=8, act="hardswish"),
            ConvBN(8, 12, 3, (2, 1), act="hardswish"),
        )
        self.pre = ConvBN(12, 6, 3, act="swish")
        self.norm1, self.norm2 = nn.LayerNorm(6, epsilon=1e-6), nn.LayerNorm(6, epsilon=1e-6)
        self.qkv, self.proj = nn.Linear(6, 18), nn.Linear(6, 6)
        self.fc1, self.fc2 = nn.Linear(6, 12), nn.Linear(12, 6)
        self.post, self.join = ConvBN(6, 12, 1, act="swish"), ConvBN(24, 6, 3, act="swish")
        self.ctc = nn.Linear(6, 11)

    def forward(self, x: Any) -> Any:
        x = self.net(x)
        x = F.avg_pool2d(x, [4, 2])
        shortcut, x = x, self.pre(x)
        _, c, h, w = x.shape
        x = x.flatten(2).transpose([0, 2, 1])
        y = self.norm1(x)
        qkv = self.qkv(y).reshape((0, -1, 3, 2, c // 2)).transpose((2, 0, 3, 1, 4))
        q, k, v = qkv[0] * (c // 2) ** -0.5, qkv[1], qkv[2]
        weights = F.softmax(q.matmul(k.transpose((0, 1, 3, 2))), -1)
        x = x + self.proj(weights.matmul(v).transpose((0, 2, 1, 3)).reshape((0, -1, c)))
        x = x + self.fc2(F.swish(self.fc1(self.norm2(x))))
        x = x.reshape([0, h, w, c]).transpose([0, 3, 1, 2])
        x = self.join(paddle.concat([shortcut, self.post(x)], 1))
        x = x.squeeze(2).transpose([0, 2, 1])
        return F.softmax(self.ctc(x), 2)


add(Svtr, {"x": f(1, 3, 16, 64)}, {"x": f(3, 3, 16, 41)})


class Crnn(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.net = nn.Sequential(ConvBN(3, 8, 3, (4, 2)), ConvBN(8, 8, 3, (4, 2)))
        self.rnn, self.fc = nn.LSTM(8, 6, 2, "bidirect"), nn.Linear(12, 9)

    def forward(self, x: Any) -> Any:
        y, _ = self.rnn(self.net(x).squeeze(2).transpose([0, 2, 1]))
        probabilities = F.softmax(self.fc(y), -1)
        return probabilities, probabilities.argmax(-1), probabilities.max(-1)


add(Crnn, {"x": f(1, 3, 16, 32)}, {"x": f(2, 3, 16, 55)})


class FastSpeech(nn.Layer):
    """Durations from the text stretch it: a matrix that repeats rows, then a convolution."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.conv = nn.Embedding(12, 6), nn.Conv1D(6, 6, 3, padding=1)
        self.duration, self.mel = nn.Linear(6, 1), nn.Linear(6, 4)

    def forward(self, text: Any) -> Any:
        x = self.table(text)
        x = F.relu(self.conv(x.transpose([0, 2, 1]))).transpose([0, 2, 1])
        lengths = paddle.clip(paddle.round(paddle.exp(self.duration(x).squeeze(-1))), 1, 4)
        ends = paddle.cumsum(lengths, 1)
        total = ends.max().astype("int64")
        frames = paddle.arange(total).astype("float32").reshape([1, -1, 1])
        starts = (ends - lengths).unsqueeze(1)
        path = (frames >= starts).logical_and(frames < ends.unsqueeze(1)).astype("float32")
        return self.mel(paddle.matmul(path, x)), lengths.astype("int64")


add(FastSpeech, {"text": i(12, 1, 5)}, {"text": i(12, 2, 7)})


class Regulator(nn.Layer):
    """The other way: repeat_interleave by computed counts."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.out = nn.Embedding(12, 6), nn.Linear(6, 4)

    def forward(self, text: Any, counts: Any) -> Any:
        return self.out(paddle.repeat_interleave(self.table(text), counts, axis=0))


add(
    Regulator,
    {"text": i(12, 4), "counts": np.array([1, 0, 3, 2])},
    {"text": i(12, 2), "counts": np.array([2, 1])},
)


class WaveGan(nn.Layer):
    """A vocoder: transposed convolutions of a sequence, dilated residuals, tanh."""

    def __init__(self) -> None:
        super().__init__()
        self.pre, self.post = nn.Conv1D(4, 8, 7, padding=3), nn.Conv1D(4, 1, 7, padding=3)
        self.up = nn.Conv1DTranspose(8, 4, 8, 4, padding=2)
        self.res = nn.LayerList([nn.Conv1D(4, 4, 3, dilation=d, padding=d) for d in (1, 3, 5)])

    def forward(self, mel: Any) -> Any:
        x = self.up(F.leaky_relu(self.pre(mel), 0.1))
        for layer in self.res:
            x = x + layer(F.leaky_relu(x, 0.1))
        return paddle.tanh(self.post(F.leaky_relu(x))).squeeze(1)


add(WaveGan, {"mel": f(1, 4, 6)}, {"mel": f(2, 4, 9)})


class Conformer(nn.Layer):
    """A convolution module with a gate, masked attention by lengths, CTC scores."""

    def __init__(self) -> None:
        super().__init__()
        self.sub = nn.Conv2D(1, 4, 3, 2)
        self.linear, self.norm = nn.Linear(4 * 4, 8), nn.LayerNorm(8)
        self.attention = nn.MultiHeadAttention(8, 2)
        self.point, self.depth = nn.Conv1D(8, 16, 1), nn.Conv1D(8, 8, 3, padding=1, groups=8)
        self.batch, self.ctc = nn.BatchNorm1D(8), nn.Linear(8, 7)

    def forward(self, speech: Any, lengths: Any) -> Any:
        x = F.relu(self.sub(speech.unsqueeze(1)))
        n, _, t, _ = paddle.shape(x).unbind()
        x = self.linear(x.transpose([0, 2, 1, 3]).reshape([n, t, 16]))
        lengths = (lengths - 1) // 2
        mask = paddle.arange(t, dtype="int64").unsqueeze(0) < lengths.unsqueeze(1)
        y = self.norm(x)
        x = x + self.attention(y, y, y, mask.unsqueeze([1, 2]))
        y = F.glu(self.point(self.norm(x).transpose([0, 2, 1])), 1)
        y = F.silu(self.batch(self.depth(y)))
        x = x + y.transpose([0, 2, 1])
        x = x * mask.unsqueeze(-1).astype("float32")
        return F.log_softmax(self.ctc(x)), lengths


add(
    Conformer,
    {"speech": f(1, 12, 9), "lengths": np.array([12])},
    {"speech": f(2, 17, 9), "lengths": np.array([17, 9])},
)


class BeamStep(nn.Layer):
    """One step of a beam: topk over beams and words, beams picked anew."""

    def __init__(self) -> None:
        super().__init__()
        self.head = nn.Linear(6, 9)

    def forward(self, state: Any, scores: Any) -> Any:
        n = paddle.shape(state)[0]
        words = F.log_softmax(self.head(state)) + scores.unsqueeze(-1)
        best, index = words.reshape([n, -1]).topk(3)
        beam, word = index // 9, index % 9
        picks = F.one_hot(beam, 3)
        return paddle.matmul(picks, state), best, word, paddle.index_sample(scores, beam)


add(
    BeamStep,
    {"state": f(1, 3, 6), "scores": f(1, 3)},
    {"state": f(2, 3, 6), "scores": f(2, 3)},
)


class Sentiment(nn.Layer):
    """Word vectors, an LSTM over lengths, maximum over time."""

    def __init__(self) -> None:
        super().__init__()
        self.table, self.rnn = nn.Embedding(20, 6, padding_idx=0), nn.LSTM(6, 5)
        self.fc = nn.Linear(5, 2)

    def forward(self, ids: Any, length: Any) -> Any:
        y, (h, _) = self.rnn(self.table(ids), sequence_length=length)
        return F.softmax(self.fc(paddle.tanh(y.max(1)) + h[-1]))


add(
    Sentiment,
    {"ids": i(20, 1, 6), "length": np.array([6])},
    {"ids": i(20, 3, 8), "length": np.array([8, 2, 5])},
)


class DeepFm(nn.Layer):
    """Recommendation: embeddings of fields, second order sums, a deep part."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Embedding(40, 1), nn.Embedding(40, 4)
        self.deep = nn.Sequential(nn.Linear(5 * 4 + 3, 8), nn.ReLU(), nn.Linear(8, 1))

    def forward(self, sparse: Any, dense: Any) -> Any:
        linear = self.first(sparse).sum([1, 2]).unsqueeze(-1)
        v = self.second(sparse)
        cross = 0.5 * (paddle.square(v.sum(1)) - paddle.square(v).sum(1)).sum(1, keepdim=True)
        deep = self.deep(paddle.concat([v.flatten(1), dense], 1))
        return F.sigmoid(linear + cross + deep)


add(
    DeepFm,
    {"sparse": i(40, 1, 5), "dense": f(1, 3)},
    {"sparse": i(40, 4, 5), "dense": f(4, 3)},
)


class Pinn(nn.Layer):
    """A network of a physics problem in float64."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = nn.Linear(2, 8), nn.Linear(8, 3)

    def forward(self, x: Any, y: Any) -> Any:
        z = paddle.concat([x, y], 1)
        return self.b(paddle.tanh(self.a(z))).split(3, 1)


add(Pinn, {"x": f(4, 1), "y": f(4, 1, seed=1)}, {"x": f(7, 1), "y": f(7, 1, seed=1)})


class Graph(nn.Layer):
    """A graph convolution: messages gathered along edges, summed by scatter."""

    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = nn.Linear(4, 6), nn.Linear(6, 3)

    def forward(self, x: Any, source: Any, target: Any) -> Any:
        y = self.a(x)
        total = paddle.scatter(
            paddle.zeros_like(y), target, paddle.gather(y, source), overwrite=False
        )
        return self.b(F.relu(total + y)), paddle.geometric.send_u_recv(x, source, target, "sum")


add(
    Graph,
    {"x": f(5, 4), "source": i(5, 8), "target": i(5, 8, seed=1)},
    {"x": f(3, 4), "source": i(3, 4), "target": i(3, 4, seed=1)},
)


class TimeSeries(nn.Layer):
    """A forecaster: normalised history, patches by unfold, moving average, projection."""

    def __init__(self) -> None:
        super().__init__()
        self.seasonal, self.trend = nn.Linear(12, 4), nn.Linear(12, 4)

    def forward(self, history: Any) -> Any:
        mean = history.mean(1, keepdim=True)
        deviation = paddle.sqrt(history.var(1, keepdim=True, unbiased=False) + 1e-5)
        x = ((history - mean) / deviation).transpose([0, 2, 1])
        ends = [x[:, :, :1].tile([1, 1, 2]), x, x[:, :, -1:].tile([1, 1, 2])]
        trend = F.avg_pool1d(paddle.concat(ends, -1), 5, 1)
        y = self.seasonal(x - trend) + self.trend(trend)
        return y.transpose([0, 2, 1]) * deviation + mean


add(TimeSeries, {"history": f(1, 12, 3)}, {"history": f(4, 12, 3)})
