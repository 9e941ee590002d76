"""Sequence models: CRNN and SVTR readers, sentiment, tagging and ranking of words."""

from __future__ import annotations

from typing import Any

import numpy as np
import paddle
import paddle.nn.functional as F  # noqa: N812
from fluid import Fluid, fluid
from paddle import nn
from recipes import ConvBN, Feed, images, jit, model, picture

LINE = {"x": ([None, 3, 32, None], "float32")}


class Crnn(nn.Layer):
    """Convolutions to height 1, recurrent layers (the `rnn` operator), classes per column."""

    def __init__(self, kind: str, lengths: bool = False, direction: str = "bidirect") -> None:
        super().__init__()
        self.convs = nn.Sequential(
            ConvBN(3, 8, 3, (2, 1), act="hardswish"),
            ConvBN(8, 16, 3, (2, 2), act="hardswish"),
            ConvBN(16, 16, 3, (2, 1)),
            nn.MaxPool2D((4, 2), (4, 2)),
        )
        cell = {"lstm": nn.LSTM, "gru": nn.GRU, "simple": nn.SimpleRNN}[kind]
        self.rnn = cell(16, 12, num_layers=2, direction=direction)
        self.fc = nn.Linear(24 if direction == "bidirect" else 12, 10)
        self.lengths = lengths

    def forward(self, x: Any, lengths: Any = None) -> Any:
        y = paddle.squeeze(self.convs(x), axis=2)
        y = paddle.transpose(y, [0, 2, 1])
        if self.lengths:
            y, state = self.rnn(y, sequence_length=lengths)
            last = state[0] if isinstance(state, tuple) else state
            return F.softmax(self.fc(y), axis=2), last
        y, _ = self.rnn(y)
        return F.softmax(self.fc(y), axis=2)


LINES = images((1, 3, 32, 64), (3, 3, 32, 41), (2, 3, 32, 100), (1, 3, 32, 5))
for kind in ("lstm", "gru", "simple"):
    model(f"crnn_{kind}", LINES)(jit(lambda kind=kind: Crnn(kind), LINE))
model("crnn_lstm_forward", LINES)(jit(lambda: Crnn("lstm", direction="forward"), LINE))


def length_feeds() -> list[Feed]:
    rows = [(3, 41, [8, 1, 5]), (1, 64, [16]), (2, 40, [10, 3])]
    return [
        {"x": picture((n, 3, 32, w), n), "lengths": np.array(lengths, "int64")}
        for n, w, lengths in rows
    ]


for kind in ("lstm", "gru"):
    model(f"crnn_{kind}_lengths", length_feeds)(
        jit(lambda kind=kind: Crnn(kind, True), {**LINE, "lengths": ([None], "int64")})
    )


class Mixing(nn.Layer):
    """SVTR's block: global attention, or local with a mask; post or pre norm."""

    def __init__(self, dim: int, heads: int, size: tuple[int, int], local: bool) -> None:
        super().__init__()
        self.heads, self.dim = heads, dim
        self.qkv, self.proj = nn.Linear(dim, dim * 3), nn.Linear(dim, dim)
        self.n1, self.n2 = nn.LayerNorm(dim, epsilon=1e-6), nn.LayerNorm(dim, epsilon=1e-6)
        self.f1, self.f2 = nn.Linear(dim, dim * 2), nn.Linear(dim * 2, dim)
        self.local = local
        if local:
            h, w = size
            rows, cols = np.divmod(np.arange(h * w), w)
            near = (abs(rows[:, None] - rows) <= 2) & (abs(cols[:, None] - cols) <= 3)
            mask = np.where(near, 0, -np.inf).astype("float32")
            self.register_buffer("mask", paddle.to_tensor(mask).unsqueeze([0, 1]))

    def attend(self, x: Any) -> Any:
        n = x.shape[1]
        qkv = self.qkv(x).reshape((0, -1, 3, self.heads, self.dim // self.heads))
        qkv = qkv.transpose((2, 0, 3, 1, 4))
        q, k, v = qkv[0] * (self.dim // self.heads) ** -0.5, qkv[1], qkv[2]
        att = q.matmul(k.transpose((0, 1, 3, 2)))
        if self.local:
            att = att + self.mask
        return self.proj(
            F.softmax(att, -1).matmul(v).transpose((0, 2, 1, 3)).reshape((0, n, self.dim))
        )

    def forward(self, x: Any) -> Any:
        x = self.n1(x + self.attend(x))
        return self.n2(x + self.f2(F.swish(self.f1(x))))


class Svtr(nn.Layer):
    """Patch embedding, local and global mixing, merging, classes per column."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = nn.Sequential(
            ConvBN(3, 8, 3, 2, act="swish"), ConvBN(8, 12, 3, 2, act="swish")
        )
        self.pos = self.create_parameter([1, 8 * 16, 12])
        self.b1 = nn.Sequential(Mixing(12, 2, (8, 16), True), Mixing(12, 2, (8, 16), False))
        self.sub, self.norm = nn.Conv2D(12, 16, 3, (2, 1), 1), nn.LayerNorm(16)
        self.b2 = Mixing(16, 4, (4, 16), False)
        self.pool = nn.AdaptiveAvgPool2D([1, 16])
        self.last = nn.Conv2D(16, 20, 1, bias_attr=False)
        self.drop, self.fc = nn.Dropout(0.1, mode="downscale_in_infer"), nn.Linear(20, 9)

    def forward(self, x: Any) -> Any:
        x = self.patch(x).flatten(2).transpose((0, 2, 1)) + self.pos
        x = self.b1(x).transpose([0, 2, 1]).reshape([0, 12, 8, 16])
        x = self.norm(self.sub(x).flatten(2).transpose([0, 2, 1]))
        x = self.b2(x).transpose([0, 2, 1]).reshape([0, 16, 4, 16])
        x = self.drop(F.hardswish(self.last(self.pool(x))))
        x = x.squeeze(axis=2).transpose([0, 2, 1])
        return F.softmax(self.fc(x), axis=2)


model("svtr", images((1, 3, 32, 64), (3, 3, 32, 64), (2, 3, 32, 64)))(
    jit(Svtr, {"x": ([None, 3, 32, 64], "float32")})
)


class PlateNet(nn.Layer):
    """LPRNet: 1xN and Nx1 convolutions, pooled contexts, mean over height, classes by columns."""

    def __init__(self) -> None:
        super().__init__()
        self.a = nn.Sequential(nn.Conv2D(3, 8, 3), nn.BatchNorm2D(8), nn.ReLU())
        self.b = nn.Sequential(
            nn.Conv2D(8, 8, (3, 1), padding=(1, 0)),
            nn.ReLU(),
            nn.Conv2D(8, 12, (1, 3), padding=(0, 1)),
            nn.BatchNorm2D(12),
        )
        self.c = nn.Sequential(
            nn.Dropout(0.5), nn.Conv2D(12, 10, (1, 4)), nn.ReLU(), nn.Dropout(0.5)
        )
        self.mix = nn.Conv2D(30, 10, 1)

    def forward(self, x: Any) -> Any:
        a = F.max_pool2d(self.a(x), 3, 1)
        b = F.relu(self.b(F.max_pool2d(a, 3, (1, 2))))
        c = self.c(b)
        size = [6, 9]
        contexts = [F.adaptive_avg_pool2d(t, size) for t in (a, b, c)]
        y = self.mix(paddle.concat(contexts, axis=1))
        y = F.adaptive_avg_pool2d(y, [1, 9]).squeeze(2)
        best = paddle.argmax(y, axis=1)
        return y.transpose([0, 2, 1]), best


model("plates", images((1, 3, 24, 94), (4, 3, 24, 94), (2, 3, 31, 60)))(
    jit(PlateNet, {"x": ([None, 3, None, None], "float32")})
)


def word_feeds(lods: list[list[int]], vocabulary: int = 40) -> list[Feed]:
    rng = np.random.RandomState(5)
    return [
        {"words": (rng.randint(0, vocabulary, (lod[-1], 1)).astype("int64"), [lod])} for lod in lods
    ]


LODS = [[0, 5], [0, 3, 4, 11], [0, 1, 2], [0, 7, 12]]


@model("sentiment_lstm", lambda: word_feeds(LODS))
@fluid
def sentiment(f: Fluid) -> Any:
    """lookup_table with padding_idx, fc, lstm both ways, last steps and maxima, two fc."""
    words = f.data("words", [-1, 1], "int64", lod=1)
    table = f.weight(40, 8)
    emb = f.op("lookup_table", {"Ids": words, "W": table}, padding_idx=3, is_sparse=True)
    states = []
    for reverse in (False, True):
        gates = f.fc(emb, 24, 8)
        hidden, _, _, _ = f.op(
            "lstm",
            {"Input": gates, "Weight": f.weight(6, 24), "Bias": f.weight(1, 42 if reverse else 24)},
            "Hidden Cell BatchGate BatchCellPreAct",
            use_peepholes=reverse,
            is_reverse=reverse,
            gate_activation="sigmoid",
            cell_activation="tanh",
            candidate_activation="tanh",
            is_test=True,
        )
        for kind in ("LAST", "MAX"):
            out, _ = f.op(
                "sequence_pool",
                {"X": hidden},
                "Out MaxIndex",
                pooltype=kind,
                pad_value=0.0,
                is_test=True,
            )
            states.append(out)
    both = f.op("concat", {"X": states}, axis=1)
    both = f.op("tanh", {"X": both})
    hidden = f.fc(both, 12, 24, "tanh")
    return [f.op("softmax", {"X": f.fc(hidden, 2, 12)}, axis=-1)]


def padded_feeds() -> list[Feed]:
    rng = np.random.RandomState(6)
    rows = [(1, 7, [4]), (3, 5, [5, 1, 3]), (2, 9, [9, 2])]
    return [
        {
            "words": rng.randint(0, 30, (n, width, 1)).astype("int64"),
            "seq_len": np.array(lengths, "int64"),
        }
        for n, width, lengths in rows
    ]


@model("sentiment_unpad", padded_feeds)
@fluid
def sentiment_unpad(f: Fluid) -> Any:
    """Padded words and lengths: sequence_unpad makes the LoD."""
    words, lengths = f.data("words", [-1, -1, 1], "int64"), f.data("seq_len", [-1], "int64")
    emb = f.op("lookup_table", {"Ids": words, "W": f.weight(30, 8)}, padding_idx=0)
    emb = f.op("sequence_unpad", {"X": emb, "Length": lengths})
    gates = f.fc(emb, 24, 8)
    hidden, cell, _, _ = f.op(
        "lstm",
        {"Input": gates, "Weight": f.weight(6, 24), "Bias": f.weight(1, 24)},
        "Hidden Cell BatchGate BatchCellPreAct",
        use_peepholes=False,
        is_reverse=False,
    )
    pooled, _ = f.op("sequence_pool", {"X": hidden}, "Out MaxIndex", pooltype="AVERAGE")
    out = f.op("softmax", {"X": f.fc(pooled, 3, 6)})
    return [out, hidden, cell]


def rank_feeds() -> list[Feed]:
    feeds = word_feeds(LODS, 30)
    for feed in feeds:
        words, lod = feed["words"]
        feed["tags"] = (words[::-1] % 7, lod)
    return feeds


@model("word_ranking", rank_feeds)
@fluid
def word_ranking(f: Fluid) -> Any:
    """Words and tags embedded, gru both ways, crf tags and a rank for each word."""
    words = f.data("words", [-1, 1], "int64", lod=1)
    tags = f.data("tags", [-1, 1], "int64", lod=1)
    a = f.op("lookup_table", {"Ids": words, "W": f.weight(30, 6)}, padding_idx=-1)
    b = f.op("lookup_table", {"Ids": tags, "W": f.weight(7, 4)}, padding_idx=-1)
    both = f.op("concat", {"X": [a, b]}, axis=1)
    states = []
    for reverse in (False, True):
        gates = f.fc(both, 15, 10)
        states.append(
            f.op(
                "gru",
                {"Input": gates, "Weight": f.weight(5, 15), "Bias": f.weight(1, 15)},
                "BatchGate BatchResetHiddenPrev BatchHidden Hidden",
                is_reverse=reverse,
                activation="tanh",
                gate_activation="sigmoid",
                origin_mode=reverse,
            )[3]
        )
    emission = f.fc(f.op("concat", {"X": states}, axis=1), 6, 10)
    path = f.op("crf_decoding", {"Emission": emission, "Transition": f.weight(8, 6)}, "ViterbiPath")
    rank = f.op("softmax", {"X": f.fc(states, 4, 5)})
    rows = f.op("lod_reset", {"X": rank, "Y": tags}, target_lod=[])
    best = f.op("arg_max", {"X": rank}, axis=-1, dtype=3, keepdims=False)
    total, _ = f.op("sequence_pool", {"X": rows}, "Out MaxIndex", pooltype="SQRT")
    return [path, rank, best, total]


@model("crnn_fluid", images((1, 1, 16, 40), (2, 1, 16, 24), (3, 1, 16, 60), name="pixel"))
@fluid
def crnn_fluid(f: Fluid) -> Any:
    """The first PaddleOCR's CRNN: convolutions, im2sequence, gru both ways, top_k, ctc_align."""
    x = f.data("pixel", [-1, 1, 16, -1])
    channels = 1
    for out, act in ((8, "relu"), (8, "relu"), (12, "leaky_relu")):
        x = f.op(
            "conv2d",
            {"Input": x, "Filter": f.weight(out, channels, 3, 3, scale=0.3)},
            "Output",
            strides=[1, 1],
            paddings=[1, 1],
            dilations=[1, 1],
            groups=1,
        )
        stats = {"Scale": f.weight(out), "Bias": f.weight(out), "Mean": f.weight(out)}
        stats["Variance"] = f.value(
            f"var_{f.count}", f.rng.uniform(0.5, 1.5, out).astype("float32")
        )
        x = f.op(
            "batch_norm",
            {"X": x, **stats},
            {
                "Y": f"bn_{f.count}.y",
                "MeanOut": stats["Mean"],
                "VarianceOut": stats["Variance"],
                "SavedMean": f"bn_{f.count}.m",
                "SavedVariance": f"bn_{f.count}.v",
            },
            is_test=True,
            epsilon=1e-5,
            momentum=0.9,
            data_layout="NCHW",
        )[0]
        x = f.op(act, {"X": x})
        x = f.op(
            "pool2d",
            {"X": x},
            pooling_type="max",
            ksize=[2, 2 if channels == 1 else 1],
            strides=[2, 2 if channels == 1 else 1],
            paddings=[0, 0],
            ceil_mode=True,
        )
        channels = out
    seq = f.op("im2sequence", {"X": x}, kernels=[2, 1], strides=[1, 1], paddings=[0, 0, 0, 0])
    states = []
    for reverse in (False, True):
        gates = f.fc(seq, 18, 24)
        states.append(
            f.op(
                "gru",
                {"Input": gates, "Weight": f.weight(6, 18), "Bias": f.weight(1, 18)},
                "BatchGate BatchResetHiddenPrev BatchHidden Hidden",
                is_reverse=reverse,
                activation="relu" if reverse else "tanh",
                gate_activation="sigmoid",
                origin_mode=False,
            )[3]
        )
    logits = f.fc(states, 9, 6)
    _, best = f.op("top_k", {"X": logits}, "Out Indices", k=1)
    decoded = f.op("ctc_align", {"Input": best}, "Output", blank=8, merge_repeated=True)
    return [decoded, f.op("softmax", {"X": logits})]


EMPTY_LODS = [[0, 0, 3], [0, 2, 2, 5, 5], [0, 4]]


@model("empty_sequences", lambda: word_feeds(EMPTY_LODS))
@fluid
def empty_sequences(f: Fluid) -> Any:
    """Sequences of length 0 through lookup_table, gru, lstm and the pools."""
    emb = f.op("lookup_table", {"Ids": f.data("words", [-1, 1], "int64", 1), "W": f.weight(40, 8)})
    lstm = f.op(
        "lstm",
        {"Input": f.fc(emb, 24, 8), "Weight": f.weight(6, 24), "Bias": f.weight(1, 24)},
        "Hidden Cell BatchGate BatchCellPreAct",
        use_peepholes=False,
        is_reverse=True,
    )[0]
    gru = f.op(
        "gru",
        {"Input": f.fc(emb, 15, 8), "Weight": f.weight(5, 15), "Bias": f.weight(1, 15)},
        "BatchGate BatchResetHiddenPrev BatchHidden Hidden",
        is_reverse=False,
    )[3]
    outs = [
        f.op("sequence_pool", {"X": x}, "Out MaxIndex", pooltype=kind, pad_value=-1.5)[0]
        for x in (lstm, gru)
        for kind in ("MAX", "LAST", "FIRST", "SUM", "AVERAGE", "SQRT")
    ]
    return [*outs, lstm, gru]
