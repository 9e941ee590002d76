"""Other forms of the file: readable, one file a parameter, sixteen bits, quantised."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np
import paddle
from basics import Attention, Encoder, Mlp
from cases import add, f
from paddle import nn
from paddle.quantization import PTQ, QAT, QuantConfig
from paddle.quantization.observers import AbsmaxObserver
from paddle.quantization.quanters import FakeQuanterWithAbsMaxObserver
from paddle.quantization.quanters.abs_max import FakeQuanterWithAbsMaxObserverLayer
from recipes import ConvBN, sane_weights
from vision import LcNet

RUNS = {"x": f(2, 8)}, {"x": f(5, 8)}


def branches(x: Any) -> Any:
    return paddle.static.nn.cond(x.sum() > 0, lambda: x * 2, lambda: x - 1)


def fully_connected(x: Any) -> Any:
    y = paddle.static.nn.fc(x, 4, activation="relu")
    return paddle.static.nn.fc(y, 3, weight_attr=paddle.ParamAttr(name="权重/a b"))


add(branches, *RUNS, name="readable", traced=True, options={"readable": True})
add(branches, *RUNS, name="not_trainable", traced=True, options={"trainable": False})
add(fully_connected, *RUNS, traced=True, by_predictor=True)
add(
    fully_connected,
    *RUNS,
    name="fully_connected_readable",
    traced=True,
    by_predictor=True,
    options={"readable": True},
)
add(
    Mlp,
    *RUNS,
    name="separate",
    options={"separate_parameters": True},
    unchecked="its predictor wants one file of parameters",
)


# -- Sixteen bits: what amp O2 saves on a GPU, made of what a CPU saves.


def _record(data: bytes, at: int) -> tuple[int, int, int, int]:
    """Where a record's description begins and ends, its number of elements, where it ends."""
    (length,) = struct.unpack_from("<i", data, at + 16)
    begin = at + 20
    end, count, dim, shift, position = begin + length, 1, 0, 0, begin + 2
    assert data[begin : begin + 2] == b"\x08\x05", "expected float32"
    while position < end:
        position += 1 if shift == 0 else 0  # the tag of a dimension
        byte = data[position]
        dim, shift, position = dim | (byte & 127) << shift, shift + 7, position + 1
        if byte < 128:
            count, dim, shift = count * dim, 0, 0
    return begin, end, count, end + 4 * count


def _halved(data: bytes, names: list[str], kept: set[str], bfloat: bool) -> bytes:
    made, at = b"", 0
    for name in names:
        begin, end, count, after = _record(data, at)
        values = np.frombuffer(data, "<f4", count, end)
        if name in kept:
            made += data[at:after]
        else:
            bits = values.view("<u4").astype("u8")
            half = (
                ((bits + 0x7FFF + (bits >> 16 & 1)) >> 16).astype("<u2")
                if bfloat
                else values.astype("<f2")
            )
            made += data[at:begin] + (b"\x08\x16" if bfloat else b"\x08\x04")
            made += data[begin + 2 : end] + half.tobytes()
        at = after
    assert at == len(data)
    return made


class Sixteen:
    """Rewrites a file of float32 as one of float16 or bfloat16, norms' parameters left alone."""

    def __init__(self, bfloat: bool) -> None:
        self.bfloat = bfloat
        self.tag, self.dtype = ("0.t_bf16", "bfloat16") if bfloat else ("0.t_f16", "float16")

    def __call__(self, folder: Path) -> None:
        path = folder / "inference.json"
        document = json.loads(path.read_bytes())
        block = document["program"]["regions"][0]["blocks"][0]
        ops = block["ops"]
        params = {op["O"]["%"]: op["A"][3] for op in ops if op["#"] == "p"}
        norms = [op for op in ops if op["#"] in ("1.batch_norm_", "1.layer_norm")]
        whole = {operand["%"] for op in norms for operand in op["I"][1:]}
        whole |= {result["%"] for op in norms for result in op["O"][1:]}
        whole |= {op["O"][0]["%"] for op in ops if op["#"] in ("1.full", "1.data")}
        self.next = 1 + max(abs(id) for id in _ids(ops))
        made = []
        renamed: dict[int, int] = {}
        for op in ops:
            for operand in op.get("I", []):
                operand["%"] = renamed.get(operand["%"], operand["%"])
            results = op["O"] if isinstance(op["O"], list) else [op["O"]]
            for result in results:
                if result["%"] not in whole:
                    self.halve(result["TT"])
            if op["#"] == "1.fetch":
                made.append(self.cast(op["I"][0]["%"], op["O"][0], "float32"))
                op["I"][0]["%"] = made[-1]["O"][0]["%"]
                op["O"][0]["TT"] = made[-1]["O"][0]["TT"]
            made.append(op)
            if op["#"] == "1.data" and op["O"][0]["TT"]["D"][0]["#"] == "0.t_f32":
                made.append(self.cast(op["O"][0]["%"], op["O"][0], self.dtype))
                renamed[op["O"][0]["%"]] = made[-1]["O"][0]["%"]
        block["ops"] = made
        path.write_text(json.dumps(document))
        file = folder / "inference.pdiparams"
        kept = {name for id, name in params.items() if id in whole}
        file.write_bytes(_halved(file.read_bytes(), sorted(params.values()), kept, self.bfloat))

    def halve(self, type: dict[str, Any]) -> None:
        if type["#"] == "0.t_vec":
            for item in type["D"]:
                self.halve(item)
        elif type["#"] == "0.t_dtensor" and type["D"][0]["#"] == "0.t_f32":
            type["D"][0]["#"] = self.tag

    def cast(self, id: int, like: dict[str, Any], dtype: str) -> dict[str, Any]:
        type = json.loads(json.dumps(like["TT"]))
        type["D"][0]["#"] = "0.t_f32" if dtype == "float32" else self.tag
        self.next += 1
        return {
            "#": "1.cast",
            "A": [{"N": "dtype", "AT": {"#": "1.a_dtype", "D": dtype}}],
            "I": [{"%": id}],
            "O": [{"%": self.next, "TT": type}],
        }


def _ids(ops: list[dict[str, Any]]) -> list[int]:
    return [
        result["%"]
        for op in ops
        for result in (op["O"] if isinstance(op["O"], list) else [op["O"]])
    ]


NO_HALF = "a CPU build of Paddle cannot run sixteen bits"
for _name, _layer, _runs in (
    ("lc_net", LcNet, ({"x": f(1, 3, 32, 32)}, {"x": f(3, 3, 24, 40)})),
    ("encoder", Encoder, ({"x": f(1, 5, 8)}, {"x": f(2, 7, 8)})),
    ("attention", Attention, ({"x": f(1, 5, 8)}, {"x": f(3, 4, 8)})),
):
    for _bfloat in (False, True):
        add(
            _layer,
            *_runs,
            name=f"{'bf16' if _bfloat else 'fp16'}_{_name}",
            after=Sixteen(_bfloat),
            unchecked=NO_HALF,
            tol=4e-2 if _bfloat else 5e-3,
        )


# -- Quantised.


class Convolutions(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.first, self.norm = nn.Conv2D(3, 8, 3, 2, 1), nn.BatchNorm2D(8)
        self.depthwise, self.linear = ConvBN(8, 8, 3, 1, 8, "none"), nn.Linear(8 * 4, 10)
        self.pool = nn.AdaptiveAvgPool2D(2)

    def forward(self, x: Any) -> Any:
        x = nn.functional.relu(self.norm(self.first(x)))
        x = x + nn.functional.hardswish(self.depthwise(x))
        return nn.functional.softmax(self.linear(paddle.flatten(self.pool(x), 1)))


class Dense(nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.a, self.b = nn.Linear(8, 16), nn.Linear(16, 4)

    def forward(self, x: Any) -> Any:
        return self.b(nn.functional.gelu(self.a(x)))


def quantised(
    make: Callable[[], nn.Layer], sample: np.ndarray, aware: bool
) -> Callable[[], nn.Layer]:
    """Makes the layer as QAT (after a few steps) or PTQ (after a few samples) convert it."""

    def build() -> nn.Layer:
        layer = make()
        sane_weights(layer, 1)
        if aware:
            quanter = FakeQuanterWithAbsMaxObserver(moving_rate=0.9)
            method: Any = QAT(QuantConfig(activation=quanter, weight=quanter))
        else:
            observer = AbsmaxObserver(quant_bits=8)
            method = PTQ(QuantConfig(activation=observer, weight=observer))
            layer.eval()
        found = method.quantize(layer)
        if aware:
            found.train()
        for step in range(3):
            found(paddle.to_tensor(sample * (1 + 0.2 * step)))
        found.eval()
        # Paddle 3.3's gives None, with which its own conversion fails.
        with mock.patch.object(
            FakeQuanterWithAbsMaxObserverLayer, "zero_points", lambda _: paddle.zeros([1])
        ):
            made = method.convert(found)
        made.eval()
        return made  # type: ignore[no-any-return]

    return build


for _aware in (True, False):
    for _make, _sample in ((Convolutions, f(2, 3, 16, 16)), (Dense, f(3, 8))):
        add(
            quantised(_make, _sample, _aware),
            {"x": _sample},
            name=f"{'qat' if _aware else 'ptq'}_{_make.__name__.lower()}",
            made=True,
            unchecked="no CPU build of Paddle 3.3 runs quantised PIR",
        )
