"""Cases of tests/kernels whose operator has an exporter, as programs of that one operator: some of
each, all where LITE_TEST_ALL_CONFIGURATIONS is 1 (.ci/nightly).

Each runs twice in onnxruntime, with the inputs' dimensions declared and with all of them free; what
ONNX cannot say must be refused with UnsupportedOperatorError.
"""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import harness
import numpy as np
import pytest
from breadth import some
from model.onnx.onnx_runs import NoKernel, export_and_run, worst_difference

from lite.errors import UnsupportedOperatorError
from lite.model.declared import declared
from lite.model.onnx import exporters
from lite.model.params import DATA_TYPES
from lite.model.program import Attr, AttrType, OpDesc, Program, VarDesc

KERNELS = Path(__file__).parents[2] / "kernels"


OF_TRAINING = {
    *("Mean", "MeanOut", "SavedMean", "Variance", "VarianceOut", "SavedVariance", "ReserveSpace"),
    *("XShape", "MidOut", "DropoutState", "Reserve"),
}
"""Outputs that no program reads when it is run, only when it is trained."""


def arrays(case: harness.Case) -> list[np.ndarray]:
    return [array for values in case.inputs.values() for array, _ in values]


def has_nan(case: harness.Case) -> bool:
    return any(array.dtype.kind == "f" and np.isnan(array).any() for array in arrays(case))


def is_empty(case: harness.Case) -> bool:
    return any(array.size == 0 for array in arrays(case))


def input_of(case: harness.Case, slot: str) -> np.ndarray:
    return case.inputs[slot][0][0]


Excuse = Callable[[harness.Case, bool], bool]


def saturates(slot: str) -> tuple[str, Excuse]:
    """Of weights beyond 7 bits."""
    return (
        "onnxruntime's sums of two products saturate without VNNI",
        lambda c, _: float(np.abs(np.float32(input_of(c, slot))).max(initial=0)) > 64,
    )


def between_pixels(case: harness.Case) -> bool:
    """Whether Paddle's nearest pixel is one of two that are as near."""
    if case.attrs.get("mode") != "nearest":
        return False
    half, size = np.float32(0.5), np.float32(input_of(case, "X").shape[:1:-1])
    at = (np.float32(input_of(case, "Grid")) + 1) * half
    corners = case.attrs.get("align_corners", True)
    at = at * (size - 1) if corners else at * size - half
    return bool((at - np.floor(at) == half).any())


RUNTIME: dict[str, tuple[str, Excuse]] = {
    **dict.fromkeys(
        (
            *("arg_max", "arg_min", "argsort", "kthvalue", "maxout", "top_k", "top_k_v2", "unique"),
            *("reduce_amax", "reduce_amin", "reduce_max", "reduce_min"),
        ),
        ("onnxruntime orders NaN in another way", lambda c, _: has_nan(c)),
    ),
    **dict.fromkeys(
        ("hard_shrink", "thresholded_relu"),
        ("onnxruntime makes 0 of NaN", lambda c, _: has_nan(c)),
    ),
    "pow": (
        "onnxruntime's powers of integers are doubles",
        lambda c, _: input_of(c, "X").dtype == np.int64,
    ),
    **dict.fromkeys(
        ("multiclass_nms", "multiclass_nms2", "multiclass_nms3"),
        (
            "NaN scores, boxes without an area, and those that are pixels apart though the boxes "
            "are smaller than pixels, overlap in another way",
            lambda c, _: (
                has_nan(c) or not input_of(c, "BBoxes").any() or not c.attrs.get("normalized", True)
            ),
        ),
    ),
    "nms": (
        "boxes with swapped corners have an area",
        lambda c, _: not (input_of(c, "Boxes")[:, :2] < input_of(c, "Boxes")[:, 2:]).all(),
    ),
    "dynamic_quantize_matmul": saturates("Y"),
    "dynamic_quantize_conv2d": saturates("Filter"),
    "affine_grid": (
        "Paddle's corners of a single position are NaN",
        lambda c, _: (
            c.attrs.get("align_corners", True) and 1 in c.attrs.get("output_shape", [])[2:]
        ),
    ),
    **dict.fromkeys(
        ("dot", "mv"),
        ("onnxruntime does not take empty tensors for what they are", lambda c, _: is_empty(c)),
    ),
    "allclose": ("read back, the least of no elements is refused", lambda c, _: is_empty(c)),
    "frobenius_norm": (
        "onnxruntime's squares are beyond float32",
        lambda c, _: float(np.abs(input_of(c, "X")).max(initial=0)) > 1e19,
    ),
    "grid_sampler": (
        "positions that are no numbers, or far away, meet other pixels, and of two pixels as near "
        "Paddle takes the one that is farther from 0, ONNX the even one",
        lambda c, _: not (np.abs(input_of(c, "Grid")) < 100).all() or between_pixels(c),
    ),
    **dict.fromkeys(
        ("equal", "not_equal"),
        ("Paddle's numbers are equal when they are nearly so", lambda c, _: has_nan(c)),
    ),
    **dict.fromkeys(
        ("bicubic_interp", "bicubic_interp_v2"),
        ("Paddle has another centre for one pixel", lambda c, _: 1 in sizes(c)),
    ),
    "bilinear_interp_v2": (
        "integers are rounded in another way",
        lambda c, _: input_of(c, "X").dtype == np.uint8,
    ),
    "atan2": (
        "onnxruntime's quotient of two infinite numbers is none",
        lambda c, _: bool((np.isinf(input_of(c, "X1")) & np.isinf(input_of(c, "X2"))).any()),
    ),
    "nll_loss": (
        "a mean over nothing is zero over zero",
        lambda c, _: bool((input_of(c, "Label") == c.attrs.get("ignore_index", -100)).all()),
    ),
    "deformable_conv": (
        "onnxruntime multiplies the pixels beside an image's edge with zero",
        lambda c, _: has_nan(c),
    ),
    "conv2d": (
        "onnxruntime refuses a filter that is larger than the image",
        lambda c, _: input_of(c, "Filter").shape[2] > input_of(c, "Input").shape[2],
    ),
    "log_softmax": (
        "Paddle's has no results below -64 but for the sum's part",
        lambda c, _: float(np.abs(input_of(c, "X")).max(initial=0)) > 64,
    ),
    "rnn": (
        "onnxruntime's state of an empty sequence is zero, and on threads it rounds each row of a "
        "batch by itself",
        lambda c, _: (
            ("SequenceLength" in c.inputs and 0 in input_of(c, "SequenceLength"))
            or (bool(c.attrs.get("int8_weight_scales")) and input_of(c, "Input").shape[1] > 1)
        ),
    ),
    **dict.fromkeys(
        ("flatten_contiguous_range", "group_norm"),
        ("-1 cannot stand for a dimension of nothing", lambda c, free: free and is_empty(c)),
    ),
    **dict.fromkeys(
        ("squeeze", "squeeze2"),
        (
            "a free axis that is named is taken to be 1",
            lambda c, free: free and any(input_of(c, "X").shape[a] != 1 for a in c.attrs["axes"]),
        ),
    ),
}
"""Operators whose result in onnxruntime is another one for some cases, why, and for which."""


def sizes(case: harness.Case) -> list[int]:
    """The sizes that an interpolation makes."""
    return [int(case.attrs.get(name, 0)) for name in ("out_h", "out_w")]


def excused(op: str, case: harness.Case, free: bool) -> bool:
    return op in RUNTIME and RUNTIME[op][1](case, free)


def tables() -> list[harness.OpTable]:
    """The tables of the operators that the exporter knows."""
    for path in sorted(KERNELS.glob("test_*.py")):
        if path.stem != "test_every_operator":
            importlib.import_module(path.stem)
    return [table for op, table in sorted(harness.TABLES.items()) if op in exporters()]


def attribute(value: Any) -> Attr:
    """An attribute of the type that a value's Python type suggests."""
    if isinstance(value, (list, tuple)):
        kinds = {bool: AttrType.BOOLEANS, int: AttrType.INTS, float: AttrType.FLOATS}
        first = next((v for v in value if isinstance(v, float)), value[0] if value else 0)
        if isinstance(first, str):
            return Attr(AttrType.STRINGS, list(value))
        return Attr(kinds[type(first)], [type(first)(v) for v in value])
    value = value.item() if isinstance(value, np.generic) else value
    kinds = {
        bool: AttrType.BOOLEAN,
        int: AttrType.INT,
        float: AttrType.FLOAT,
        str: AttrType.STRING,
    }
    return Attr(kinds[type(value)], value)


def one_operator(
    op: str, case: harness.Case, expected: harness.Values, free: bool
) -> tuple[Program, dict[str, np.ndarray]]:
    """A program of one case and what it is fed with."""
    program, feeds = Program(version=2006002), {}
    root = program.root
    # Paddle's files name the slots that are empty, too; other producers' do not
    row = declared(op)
    assert row is not None
    inputs: dict[str, list[str]] = {} if free else {slot: [] for slot in row.inputs}
    for slot, values in case.inputs.items():
        names = inputs[slot] = [f"{slot}_{i}" for i in range(len(values))]
        for name, (array, _) in zip(names, values, strict=True):
            dtype = DATA_TYPES[array.dtype]
            if slot in case.params:
                program.params[name] = array
                root.vars[name] = VarDesc(name, dtype=dtype, shape=array.shape, persistable=True)
                continue
            shape = (-1,) * array.ndim if free else array.shape
            root.vars[name] = VarDesc(name, dtype=dtype, shape=shape)
            column = {"col": Attr(AttrType.INT, len(feeds))}
            root.ops.append(OpDesc("feed", {"X": ["feed"]}, {"Out": [name]}, column))
            feeds[name] = array
    outputs = {s: [f"{s}_out{i}" for i in range(n)] for s, n in case.outputs.items()}
    attrs = {name: attribute(value) for name, value in case.attrs.items()}
    root.ops.append(OpDesc(op, inputs, outputs, attrs))
    fetched = [(slot, i) for slot, values in expected.items() for i in range(len(values))]
    for column, (slot, i) in enumerate(fetched):
        name, want = outputs[slot][i], expected[slot][i][0]
        shape = (-1,) * want.ndim if free else want.shape
        root.vars[name] = VarDesc(name, dtype=DATA_TYPES[want.dtype], shape=shape)
        at = {"col": Attr(AttrType.INT, column)}
        root.ops.append(OpDesc("fetch", {"X": [name]}, {"Out": ["fetch"]}, at))
    return program, feeds


def expected_of(table: harness.OpTable, case: harness.Case) -> harness.Values:
    """What lite's kernel computes, which tests/kernels compares with Paddle."""
    values = table.run(case, "reference")
    left_out = case.unchecked | case.cpu_only | OF_TRAINING
    return {slot: v for slot, v in values.items() if slot not in left_out}


def has_lod(case: harness.Case) -> bool:
    return any(offsets for values in case.inputs.values() for _, offsets in values)


@pytest.mark.parametrize("free", [False, True], ids=["static", "free"])
@pytest.mark.parametrize("table", tables(), ids=lambda table: table.op)
def test_operator(table: harness.OpTable, free: bool) -> None:
    outcomes: Counter[str] = Counter()
    failures = []
    for case in some([case for case in table.cases if not has_lod(case)], 3 if free else 6):
        expected = expected_of(table, case)
        program, feeds = one_operator(table.op, case, expected, free)
        try:
            actual = export_and_run(program, feeds)
            wanted = [array for values in expected.values() for array, _ in values]
            worst = worst_difference(actual, wanted)
            assert worst <= max(case.tol, 1e-4), f"differs by {worst:.3g}"
            outcomes["right"] += 1
        except UnsupportedOperatorError as refused:
            assert table.op in str(refused)
            outcomes["refused"] += 1
        except NoKernel:
            outcomes["no kernel in onnxruntime"] += 1
        except Exception as error:
            if excused(table.op, case, free):
                outcomes["excused"] += 1
                continue
            failures.append(f"{case.name()}: {str(error).strip()[:300]}")
    assert not failures, f"{dict(outcomes)}, wrong: " + "\n".join(failures)
    assert outcomes["right"] or free, f"no case is right: {dict(outcomes)}"
