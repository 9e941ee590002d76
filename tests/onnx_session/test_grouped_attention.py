"""Attention over caches, as GroupQueryAttention of ONNX Runtime's domain has it."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnxruntime as ort
import pytest
from onnx_session.contrib import ANGLES, Case, check, integers, rand

import lite.onnxruntime as lrt
from lite.errors import LiteError, UnsupportedOperatorError
from lite.model.find import find_program
from lite.model.onnx.reader import read_onnx


def grouped(
    count: int,
    lengths: list[int],
    rows: int,
    *more: Any,
    packed: bool = False,
    outputs: int = 3,
    **attrs: Any,
) -> Case:
    """``count`` new tokens behind ``lengths`` earlier ones in a cache of ``rows``; 4 heads of 16
    numbers share 2 of keys. ``more`` are cos_cache and what follows."""
    batch, total = len(lengths), max(max(lengths) + count, 1)
    parts = [rand(batch, count, heads * 16, seed=i) for i, heads in enumerate((4, 2, 2))]
    cache = [rand(batch, 2, rows, 16, seed=i) for i in (3, 4)]
    inputs = [np.concatenate(parts, 2), None, None] if packed else parts
    whole = [np.array(lengths, np.int32) + count - 1, np.array([total], np.int32)]
    attrs = {"num_heads": 4, "kv_num_heads": 2, **attrs}
    filled = tuple(length + count for length in lengths)
    inputs += [*cache, *whole, *more]
    return Case("GroupQueryAttention", inputs, attrs, outputs=outputs, rows=filled)


GROUPED = [
    grouped(5, [0, 0], 0),
    grouped(1, [4, 4], 4),
    grouped(3, [4], 4, scale=0.4),
    grouped(1, [4, 2], 9),  # a buffer that is larger, one row of it shorter
    grouped(5, [0], 0, packed=True, local_window_size=2),
    grouped(1, [6], 6, packed=True, local_window_size=3, softcap=5.0),
    grouped(1, [6, 6], 6, smooth_softmax=1),
    grouped(2, [6], 6, *[None] * 4, rand(4), softcap=3.0),
    grouped(5, [0], 0, *ANGLES, do_rotary=1),
    grouped(1, [3, 7], 7, *ANGLES, do_rotary=1, packed=True),
    grouped(1, [3], 3, *ANGLES, do_rotary=1, rotary_interleaved=1),
    grouped(2, [3], 3, *ANGLES, np.array([[3, 4]]), do_rotary=1),
    grouped(2, [3], 3, None, None, None, rand(1, 1, 2, 5)),
    grouped(1, [3, 3], 3, None, None, None, rand(2, 4, 1, 4)),
]


def resident(tokens: int, rows: int, window: int) -> int:
    """How many of so many tokens a cache of a window holds, by the definition's formula."""
    group = rows - window + 1
    return tokens if tokens <= rows else tokens - group * -(-(tokens - rows) // group)


def windowed(
    count: int, lengths: list[int], rows: int, window: int, *more: Any, **attrs: Any
) -> Case:
    case = grouped(count, lengths, rows, *more, local_window_size=window, **attrs)
    case.attrs["sliding_window_cache"] = 1
    case.rows = tuple(resident(length + count, rows, window) for length in lengths)
    return case


WINDOWED = [
    windowed(count, [length], rows, window)
    for count in (1, 3, 9)
    for length in (0, 2, 4, 5, 11)
    for rows, window in ((4, 4), (6, 4), (9, 4), (4, 1))
]
WINDOWED += [
    windowed(1, [11, 2, 5], 6, 4),
    windowed(1, [17], 6, 4, *ANGLES, do_rotary=1, smooth_softmax=1),
    windowed(2, [11], 6, 4, *ANGLES, np.array([[3, 4]]), do_rotary=1, packed=True),
]


def held(count: int, length: int, bits: int, channels: bool, rows: int = 0, **attrs: Any) -> Case:
    """A cache in integers of 8 or 4 bits; a scale for all, or for each channel."""
    case = grouped(count, [length], rows or length, *[None] * 5, **attrs)
    shape = (1, 2, 1, 16) if channels else (1,)
    kind = "PER_CHANNEL" if channels else "PER_TENSOR"
    for i in (3, 4):
        whole = integers(1, 2, rows or length, 16 * bits // 8)
        case.inputs[i] = whole.astype(np.int8) if bits == 8 else whole
        case.inputs += [(0.02 if bits == 8 else 0.3) * (0.5 + np.abs(rand(*shape, seed=i)))]
    kinds = {"k_quant_type": kind, "v_quant_type": kind, "kv_cache_bit_width": bits}
    case.attrs = kinds | case.attrs
    return case


HELD = [
    held(count, length, bits, channels)
    for count, length in ((1, 4), (3, 4), (2, 1))
    for bits in (8, 4)
    for channels in (False, True)
]
HELD += [held(1, 4, 8, True, rows=9), held(1, 4, 4, False, rows=9, local_window_size=2)]


def chunk(valid: list[int], lengths: list[int], rows: int, **attrs: Any) -> Case:
    """Of 3 new tokens of each of a batch only the first few are valid."""
    case = grouped(3, lengths, rows, *[None] * 9, np.array(valid, np.int32), **attrs)
    whole = [length + few for length, few in zip(lengths, valid, strict=True)]
    case.inputs[5] = np.array(whole, np.int32) - 1
    case.rows = tuple(whole)
    return case


OTHERS = [
    grouped(3, [4], 4, causal=0),
    grouped(1, [2], 6, causal=0),
    *(
        grouped(3, [4], rows, outputs=4, qk_output=which, **attrs)
        for which in (1, 2)
        for rows in (4, 9)
        for attrs in ({}, {"softcap": 1.5}, {"local_window_size": 2}, {"smooth_softmax": 1})
    ),
    grouped(2, [3], 3, None, None, None, rand(1, 1, 2, 5), outputs=4, qk_output=1),
    grouped(1, [3], 3, k_quant_type="NONE", v_quant_type="NONE"),
]
CHUNKS = [chunk([2, 3, 0], [4, 1, 5], 8), chunk([1], [0], 3), chunk([2, 1], [3, 3], 9, do_rotary=1)]
CHUNKS[-1].inputs[7:9] = ANGLES
for made in CHUNKS:
    made.inputs[6] = np.array([int(made.inputs[3].shape[2])], np.int32)


@pytest.mark.parametrize("case", [*GROUPED, *WINDOWED, *HELD, *OTHERS])
def test_against_onnxruntime(case: Case) -> None:
    check(case)


@pytest.mark.parametrize("case", CHUNKS)
def test_chunks_of_a_fixed_size(case: Case) -> None:
    """What is behind the valid tokens says nothing."""
    data, feeds = case.model()
    wanted = ort.InferenceSession(data).run(None, feeds)
    found = lrt.InferenceSession(data).run(None, feeds)
    for i, (valid, rows) in enumerate(zip(case.inputs[-1], case.rows, strict=True)):
        np.testing.assert_allclose(found[0][i, :valid], wanted[0][i, :valid], atol=1e-5)
        for ours, theirs in zip(found[1:], wanted[1:], strict=True):
            np.testing.assert_allclose(ours[i, :, :rows], theirs[i, :, :rows], atol=1e-6)


def test_normalised_heads() -> None:
    """What ONNX Runtime leaves to devices: queries and keys of a root mean square of 1."""
    weights = [1 + 0.1 * rand(16, seed=i) for i in (5, 6)]
    plain = grouped(2, [3], 3, *ANGLES, do_rotary=1)
    case = grouped(2, [3], 3, *ANGLES, *[None] * 5, *weights, do_rotary=1, qk_norm_epsilon=1e-3)
    for i, weight in enumerate(weights):
        heads = plain.inputs[i].reshape(1, 2, -1, 16)
        root = np.sqrt((heads**2).mean(3, keepdims=True) + 1e-3)
        plain.inputs[i] = (heads / root * weight).reshape(1, 2, -1)
    data, feeds = plain.model()
    wanted = ort.InferenceSession(data).run(None, feeds)
    data, feeds = case.model()
    for found, want in zip(lrt.InferenceSession(data).run(None, feeds), wanted, strict=True):
        np.testing.assert_allclose(found, want, atol=1e-5)


@pytest.mark.parametrize("rows", [4, 7])
def test_a_window_step_by_step(rows: int) -> None:
    """The cache that comes out goes in: as with all tokens in one that grows."""
    window, steps = 4, [3, 1, 1, 6, 1, 1, 1, 2, 1]
    total = sum(steps)
    tokens = [rand(1, total, heads * 16, seed=i) for i, heads in enumerate((4, 2, 2))]
    whole = grouped(total, [0], 0, local_window_size=window)
    whole.inputs[:3] = tokens
    data, feeds = whole.model()
    wanted = ort.InferenceSession(data).run(None, feeds)[0]
    sessions = {}
    cache = [np.zeros((1, 2, rows, 16), np.float32)] * 2
    done = 0
    for count in steps:
        feeds = {f"x{i}": x[:, done : done + count] for i, x in enumerate(tokens)}
        feeds |= {"x3": cache[0], "x4": cache[1]}
        done += count
        feeds |= {"x5": np.array([done - 1], np.int32), "x6": np.array([done], np.int32)}
        if count not in sessions:
            sessions[count] = lrt.InferenceSession(windowed(count, [0], rows, window).model()[0])
        out, *cache = sessions[count].run(None, feeds)
        np.testing.assert_allclose(out, wanted[:, done - count : done], atol=1e-5)


@pytest.mark.parametrize(
    ("case", "why"),
    [
        (grouped(1, [3], 4, sliding_window_cache=1), "without a window"),
        (windowed(1, [3], 4, 2, None, None, None, rand(1, 1, 1, 4)), "attention_bias"),
        (grouped(1, [3], 3, causal=0, local_window_size=2), "without the causal mask"),
        (grouped(1, [3], 3, k_quant_type="PER_TENSOR"), "without its scale"),
        (grouped(1, [3], 3, *[None] * 7, rand(16)), "q_norm_weight or k_norm_weight alone"),
        (held(1, 3, 8, False, kv_cache_bit_width=4), "INT8 in 4 bits"),
    ],
)
def test_refused_by_name(case: Case, why: str) -> None:
    with pytest.raises(UnsupportedOperatorError, match=f"com.microsoft.{case.type}.*{why}"):
        lrt.InferenceSession(case.model()[0])


@pytest.mark.parametrize("rows", [0, 1, 3])
def test_a_cache_smaller_than_its_window(rows: int) -> None:
    case = grouped(1, [rows], rows, local_window_size=4, sliding_window_cache=1)
    data, feeds = case.model()
    with pytest.raises(LiteError, match="at least local_window_size rows"):
        lrt.InferenceSession(data).run(None, feeds)


def test_a_cache_has_its_own_name() -> None:
    """No copy is made of what is an output and not a node's first."""
    program = read_onnx(find_program(model_bytes=grouped(1, [4], 4).model()[0]))
    assert "assign" not in {op.type for op in program.root.ops}
