"""Tokens of a language model in ONNX, here and in ONNX Runtime, by turns and on one thread.

`python benchmarks/language_models.py [--level 4] [--experts 16] [--context 128]` makes a decoder of
random weights in 4 bits as onnxruntime-genai's builder writes them: grouped attention over a cache,
products in blocks of 32, a mixture of experts in QMoE. Results are compared first; then it prints
the times of a prompt and of a token behind it. Needs onnx and onnxruntime.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator
from statistics import median
from typing import Any

import numpy as np
import onnxruntime
from onnx import helper, numpy_helper

import lite.onnxruntime

LAYERS, WIDTH, INNER, WORDS = 6, 896, 4864, 32000
HEADS, SHARED, SIZE, BLOCK = 14, 2, 64, 32
DOMAIN = "com.microsoft"
_STANDARD = ("Gather", "Mul", "Reshape", "Sigmoid")


class Decoder:
    """A graph that grows; weights are random and the same each time."""

    def __init__(self, level: int, experts: int, places: int) -> None:
        self.level, self.experts = level, experts
        self.random = np.random.default_rng(0)
        self.nodes: list[Any] = []
        self.weights: list[Any] = []
        angles = np.arange(places)[:, None] / 10000 ** (np.arange(SIZE // 2) * 2 / SIZE)
        self.angles = [self.constant(f(angles).astype(np.float32)) for f in (np.cos, np.sin)]

    def constant(self, array: np.ndarray[Any, Any]) -> str:
        name = f"w{len(self.weights)}"
        self.weights.append(numpy_helper.from_array(array, name))
        return name

    def normal(self, *shape: int) -> str:
        return self.constant(self.random.standard_normal(shape, np.float32) * np.float32(0.05))

    def node(self, kind: str, inputs: list[str], *names: str, **attrs: Any) -> str:
        """Its first output; ``names`` are those of all of them."""
        made = names or (f"t{len(self.nodes)}",)
        domain = "" if kind in _STANDARD else DOMAIN
        self.nodes.append(helper.make_node(kind, inputs, made, domain=domain, **attrs))
        return made[0]

    def integers(self, *shape: int) -> list[str]:
        """Weights of 4 bits [..., columns, rows], and their scales."""
        packed = self.random.integers(0, 256, (*shape[:-1], shape[-1] // 2), np.uint8)
        scales = self.random.random((*shape[:-1], shape[-1] // BLOCK), np.float32)
        return [self.constant(packed), self.constant(scales * np.float32(0.01))]

    def product(self, x: str, rows: int, columns: int, *names: str) -> str:
        packed, scales = self.integers(columns, rows)
        self.weights[-2].dims[:] = [columns, rows // BLOCK, BLOCK // 2]
        attrs = {"K": rows, "N": columns, "bits": 4, "block_size": BLOCK}
        inputs = [x, packed, scales]
        return self.node("MatMulNBits", inputs, *names, accuracy_level=self.level, **attrs)

    def norm(self, x: str, skip: str) -> tuple[str, str]:
        """Of the sum, and that."""
        inputs, total = [x, skip, self.ones()], f"sum{len(self.nodes)}"
        names = (f"norm{len(self.nodes)}", "", "", total)
        return self.node("SkipSimplifiedLayerNormalization", inputs, *names, epsilon=1e-6), total

    def ones(self) -> str:
        return self.constant(np.ones(WIDTH, np.float32))

    def layer(self, x: str, skip: str, index: int) -> tuple[str, str]:
        """What is added to the sum, and the sum."""
        norm, skip = self.norm(x, skip)
        qkv = self.product(norm, WIDTH, (HEADS + 2 * SHARED) * SIZE)
        cache = [f"past_{part}_{index}" for part in ("k", "v")]
        inputs = [qkv, "", "", *cache, "last", "total", *self.angles]
        names = (f"seen{index}", *(name.replace("past", "present") for name in cache))
        attrs = {"num_heads": HEADS, "kv_num_heads": SHARED, "do_rotary": 1}
        seen = self.node("GroupQueryAttention", inputs, *names, **attrs)
        norm, skip = self.norm(self.product(seen, HEADS * SIZE, WIDTH), skip)
        return (self.mixture(norm) if self.experts else self.gated(norm)), skip

    def gated(self, x: str) -> str:
        gate, up = self.product(x, WIDTH, INNER), self.product(x, WIDTH, INNER)
        gate = self.node("Mul", [gate, self.node("Sigmoid", [gate])])
        return self.product(self.node("Mul", [gate, up]), INNER, WIDTH)

    def mixture(self, x: str) -> str:
        """Experts of an eighth of the layer's numbers, four of which are chosen."""
        inner = INNER // 8 // BLOCK * BLOCK
        rows = self.node("Reshape", [x, self.constant(np.array([-1, WIDTH]))])
        router = self.product(rows, WIDTH, self.experts)
        first = self.integers(self.experts, 2 * inner, WIDTH)
        inputs = [x, router, *first, "", *self.integers(self.experts, WIDTH, inner)]
        attrs = {"k": 4, "activation_type": "swiglu", "swiglu_fusion": 1, "block_size": BLOCK}
        return self.node("QMoE", inputs, accuracy_level=self.level, **attrs)

    def model(self) -> bytes:
        x = self.node("Gather", [self.normal(WORDS, WIDTH), "ids"])
        skip = self.node("Mul", [x, self.constant(np.zeros(1, np.float32))])
        for index in range(LAYERS):
            x, skip = self.layer(x, skip, index)
        self.product(self.norm(x, skip)[0], WIDTH, WORDS, "words")
        value = helper.make_tensor_value_info
        caches = [f"{part}_{i}" for i in range(LAYERS) for part in ("k", "v")]
        rows = [1, SHARED, None, SIZE]
        inputs = [value("ids", 7, [1, None]), value("last", 6, [1]), value("total", 6, [1])]
        inputs += [value(f"past_{name}", 1, rows) for name in caches]
        outputs = [value("words", 1, [1, None, WORDS])]
        outputs += [value(f"present_{name}", 1, rows) for name in caches]
        graph = helper.make_graph(self.nodes, "decoder", inputs, outputs, self.weights)
        sets = [helper.make_opsetid("", 17), helper.make_opsetid(DOMAIN, 1)]
        return bytes(helper.make_model(graph, opset_imports=sets, ir_version=8).SerializeToString())


def steps(session: Any, prompt: np.ndarray[Any, Any], tokens: int) -> Iterator[tuple[float, Any]]:
    """Seconds and words of the prompt, and of each token behind it."""
    rows = np.zeros((1, SHARED, 0, SIZE), np.float32)
    names = [info.name for info in session.get_outputs()]
    cache = {name.replace("present", "past"): rows for name in names[1:]}
    done, ids = 0, prompt
    for _ in range(tokens + 1):
        done += ids.shape[1]
        whole = {"last": np.array([done - 1], np.int32), "total": np.array([done], np.int32)}
        start = time.perf_counter()
        words, *present = session.run(None, {"ids": ids, **whole, **cache})
        yield time.perf_counter() - start, words
        cache = dict(zip(cache, present, strict=True))
        ids = np.array([[7]])


def main() -> None:
    """Prints a line for the prompt and one for a token."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--level", type=int, default=4, help="accuracy_level of all products")
    parser.add_argument("--experts", type=int, default=0, help="of a layer; 0: one, all of it")
    parser.add_argument("--context", type=int, default=128, help="tokens of the prompt")
    parser.add_argument("--tokens", type=int, default=16, help="behind it")
    args = parser.parse_args()
    model = Decoder(args.level, args.experts, args.context + args.tokens + 1).model()
    sessions = []
    for module in (lite.onnxruntime, onnxruntime):
        options = module.SessionOptions()
        options.intra_op_num_threads = 1
        sessions.append(module.InferenceSession(model, options))
    prompt = np.random.default_rng(1).integers(0, WORDS, (1, args.context))
    times: tuple[list[Any], list[Any]] = ([], [])
    for _ in range(3):
        runs = zip(*(steps(session, prompt, args.tokens) for session in sessions), strict=True)
        for step, ((ours, found), (theirs, wanted)) in enumerate(runs):
            # One step of an activation that is rounded may send a token to another expert.
            apart = np.sqrt(np.square(found - wanted).mean() / np.square(wanted).mean())
            if apart > 1e-2:
                raise SystemExit(f"step {step}: {apart:.1e} apart")
            times[step > 0].append((ours, theirs))
    for name, measured in zip(("prompt", "token"), times, strict=True):
        ours, theirs = (1e3 * median(column) for column in zip(*measured, strict=True))
        print(f"{name:7} {ours:9.2f} ms, ONNX Runtime {theirs:9.2f} ms, {ours / theirs:.2f} of it")


if __name__ == "__main__":
    main()
