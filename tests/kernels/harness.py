"""Operator tests as tables of shapes and attributes, checked against Paddle itself.

    table = OpTable("leaky_relu")
    table.case({"X": rand(2, 3)}, {"alpha": 0.1})
    table.error({"X": rand(2, 3)}, {"alpha": 0.1}, match="rank")
    test_leaky_relu = table.tests()

Every case runs through lite three ways: `reference` (the reference kernel alone), `planned` (the
planner's choice) and `nhwc` (where a 4-D fp32 input has a kernel for that memory order).
What the optimizer infers of the outputs must be true of them (`inferred.py`).
Expected values: `reference=` or `check=` of the case, else Paddle 2.6.2, live where it can be
imported and from `expected/<op>.npz` elsewhere; `pytest --record` writes those files. A case with
neither fails. The last generated test fails when a declared attribute never takes two values, or
when an optional slot is never present or never absent.
"""

from __future__ import annotations

import hashlib
import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from typing import Any

import expected_values
import inferred
import numpy as np
import paddle_oracle
import pytest
from expected_values import Expected, Values

WAYS = ("reference", "planned")
RECORD = False  # set by conftest.py for `pytest --record`

Offsets = list[list[int]]
Value = tuple[np.ndarray, Offsets]


@dataclass(frozen=True)
class LoDArray:
    """An array with LoD offsets, e.g. lod(rand(5, 2), [[0, 3, 5]])."""

    array: np.ndarray
    offsets: Offsets


def lod(array: Any, offsets: Sequence[Sequence[int]]) -> LoDArray:
    return LoDArray(np.asarray(array), [list(level) for level in offsets])


_NHWC = 3  # DataLayoutType::kNHWC
_random = np.random.RandomState(0)  # legacy generator: its stream is the same in every numpy


def seed(name: str) -> None:
    """Starts the sequence of random values that belongs to a name."""
    _random.seed(zlib.crc32(name.encode()))


def rand(*shape: int, low: float = -1.0, high: float = 1.0, dtype: str = "float32") -> np.ndarray:
    """Uniform values; the sequence starts anew with each OpTable and each test."""
    return np.asarray(_random.random_sample(shape) * (high - low) + low).astype(dtype)


def rand_complex(*shape: int, dtype: str = "complex64") -> np.ndarray:
    """Both parts uniform in [-1, 1)."""
    return np.asarray(rand(*shape, dtype="float64") + 1j * rand(*shape, dtype="float64"), dtype)


def randint(*shape: int, low: int = 0, high: int = 10, dtype: str = "int64") -> np.ndarray:
    """Integers in [low, high)."""
    return np.asarray(_random.randint(low, high, shape)).astype(dtype)


def core() -> Any:
    """The built module; imported late so that collecting names what is missing."""
    from lite import _core

    return _core


@cache
def _operators() -> dict[str, dict[str, Any]]:
    return {info["type"]: info for info in core().operator_table()}


def operator_info(op: str) -> dict[str, Any]:
    if op not in _operators():
        raise LookupError(f"operator {op} is not registered in lite._core")
    return dict(_operators()[op])


def _normalize(slots: Mapping[str, Any]) -> Values:
    def one(value: Any) -> Value:
        if isinstance(value, LoDArray):
            return np.ascontiguousarray(value.array).reshape(value.array.shape), value.offsets
        array = np.asarray(value)
        return np.ascontiguousarray(array).reshape(array.shape), []

    return {
        slot: [one(v) for v in value] if isinstance(value, (list, tuple)) else [one(value)]
        for slot, value in slots.items()
    }


def _python(value: Any) -> Any:
    """Numbers of numpy as Python's, whose text is the same in every numpy."""
    if isinstance(value, np.generic):
        return value.item()
    return [_python(item) for item in value] if isinstance(value, (list, tuple)) else value


def _plain(inputs: Values) -> dict[str, Any]:
    """Inputs as a reference function takes them: an array, or a list where there are several."""
    return {s: v[0][0] if len(v) == 1 else [a for a, _ in v] for s, v in inputs.items()}


@dataclass
class Case:
    inputs: Values
    attrs: dict[str, Any]
    outputs: dict[str, int]
    params: list[str]
    tol: float
    reference: Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]] | None
    check: Callable[[Values], None] | None
    unchecked: frozenset[str]
    cpu_only: frozenset[str]
    paddle_op: str
    key: str = ""

    @cached_property
    def checksum(self) -> float:
        """Of the inputs, which stored values belong to; not needed where Paddle is asked."""
        return _checksum(self.inputs)

    def name(self) -> str:
        shapes = ",".join(
            f"{slot}=" + "+".join("x".join(map(str, a.shape)) or "0d" for a, _ in values)
            for slot, values in self.inputs.items()
        )
        attrs = ",".join(f"{k}={v}" for k, v in self.attrs.items())
        return f"{shapes}|{attrs}"[:100].replace("[", "(").replace("]", ")")


@dataclass
class ErrorCase:
    inputs: Values
    attrs: dict[str, Any]
    outputs: dict[str, int]
    params: list[str]
    error: str
    match: str


@dataclass
class OpTable:
    """The cases of one operator. `paddle_op`: the type that Paddle 2.6.2 has in its stead."""

    op: str
    paddle_op: str = ""
    cases: list[Case] = field(default_factory=list)
    errors: list[ErrorCase] = field(default_factory=list)
    exempted: set[str] = field(default_factory=set)
    recorded: dict[str, Values | None] = field(default_factory=dict)
    _stored: dict[str, Expected] | None = None

    def __post_init__(self) -> None:
        seed(self.op)
        self.info = operator_info(self.op)

    def exempt(self, name: str, why: str) -> None:
        """Takes an attribute or slot out of the coverage rule; `why` is for the reader."""
        assert why
        self.exempted.add(name)

    def _default_outputs(self) -> dict[str, int]:
        return {name: 1 for name, optional, _ in self.info["outputs"] if not optional}

    def case(
        self,
        inputs: Mapping[str, Any],
        attrs: Mapping[str, Any] | None = None,
        *,
        outputs: Mapping[str, int] | None = None,
        params: Sequence[str] = (),
        tol: float = 1e-4,
        reference: Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]] | None = None,
        check: Callable[[Values], None] | None = None,
        unchecked: Sequence[str] = (),
        cpu_only: Sequence[str] = (),
    ) -> None:
        """`outputs` are counts by slot; `unchecked` ones are computed but not compared.

        `cpu_only` ones are free on devices and in ONNX: the order of equals.
        """
        case = Case(
            inputs=_normalize(inputs),
            attrs=dict(attrs or {}),
            outputs=dict(outputs or self._default_outputs()),
            params=list(params),
            tol=tol,
            reference=reference,
            check=check,
            unchecked=frozenset(unchecked),
            cpu_only=frozenset(cpu_only),
            paddle_op=self.paddle_op or self.op,
        )
        case.key = self._key(case)
        self.cases.append(case)

    def error(
        self,
        inputs: Mapping[str, Any],
        attrs: Mapping[str, Any] | None = None,
        *,
        outputs: Mapping[str, int] | None = None,
        params: Sequence[str] = (),
        error: str = "LiteError",
        match: str = "",
    ) -> None:
        """A case that must raise `error` (a class of lite.errors) with `match` in its text."""
        self.errors.append(
            ErrorCase(
                _normalize(inputs),
                dict(attrs or {}),
                dict(outputs or self._default_outputs()),
                list(params),
                error,
                match,
            )
        )

    def _key(self, case: Case) -> str:
        """Identifies what is computed, so that a changed case does not meet an old value."""
        text = json.dumps(
            [
                {
                    s: [[list(a.shape), str(a.dtype), o] for a, o in v]
                    for s, v in case.inputs.items()
                },
                {k: repr(_python(v)) for k, v in sorted(case.attrs.items())},
                case.outputs,
            ]
        )
        base = hashlib.sha1(text.encode()).hexdigest()[:12]
        used = {c.key for c in self.cases}
        return next(k for i in range(len(used) + 1) if (k := f"{base}_{i}") not in used)

    # -- Expected values.

    def stored(self, case: Case) -> Values | None:
        if self._stored is None:
            self._stored = expected_values.load(self.op)
        found = self._stored.get(case.key)
        if found is None:
            return None
        if abs(found.checksum - case.checksum) > 1e-6 * (1 + abs(case.checksum)):
            return None
        return found.values

    def expected(self, case: Case) -> Values:
        if case.reference is not None:
            return _normalize(case.reference(_plain(case.inputs), dict(case.attrs)))
        stored = self.stored(case)
        if not paddle_oracle.available():
            assert stored is not None, (
                f"{self.op}: no stored value for this case and no paddlepaddle 2.6 to ask; "
                "run `pytest --record` where there is one"
            )
            return stored
        if case.key not in self.recorded:
            live = paddle_oracle.run(case.paddle_op, case.inputs, case.outputs, case.attrs)
            for slot in case.unchecked:
                live.pop(slot, None)
            self.recorded[case.key] = live
        live_values = self.recorded[case.key]
        assert live_values is not None
        if not RECORD:
            assert stored is not None, f"{self.op}: run `pytest --record` to store this case"
            compare(stored, live_values, case.tol, "the stored value is not Paddle's (--record)")
        return live_values

    def save(self) -> None:
        """Writes what was recorded; the file holds exactly the table's cases."""
        kept = {}
        for case in self.cases:
            values = self.recorded.get(case.key) or self.stored(case)
            if case.reference is None and case.check is None and values is not None:
                kept[case.key] = Expected(case.checksum, values)
        expected_values.save(self.op, kept)

    # -- Running.

    def run(self, case: Case | ErrorCase, how: str) -> Values:
        result: Values = core().run_op(
            self.op,
            case.inputs,
            case.outputs,
            case.attrs,
            params=case.params,
            dynamic=how == "reference",
            layout="NHWC" if how == "nhwc" else "",
            threads=1 if how == "reference" else 2,
        )
        return result

    def has_nhwc(self, case: Case) -> bool:
        layouts = {layout for _, _, layout, _ in self.info["kernels"]}
        slots = self.info["inputs"]
        main = [a for a, _ in case.inputs.get(slots[0][0], [])] if slots else []
        return _NHWC in layouts and any(a.ndim == 4 and a.dtype == np.float32 for a in main)

    def check_case(self, case: Case) -> None:
        """All ways to run it, whatever became of the first ones."""
        expected = None if case.check is not None else self.expected(case)
        wrong = []
        for how in ("reference", "planned", "nhwc") if self.has_nhwc(case) else WAYS:
            try:
                self._check(case, how, expected)
            except Exception as error:
                wrong.append(f"{self.op} ({how}): {type(error).__name__}: {error}")
        assert not wrong, "\n".join(wrong)

    def _check(self, case: Case, how: str, expected: Values | None) -> None:
        actual = self.run(case, how)
        if case.check is not None:
            case.check(actual)
            return
        assert expected is not None
        if how == "planned":
            inferred.check(self.op, case.inputs, case.attrs, actual)
        actual = {s: v for s, v in actual.items() if s not in case.unchecked}
        compare(actual, expected, case.tol, self.op)

    def check_error(self, case: ErrorCase) -> None:
        import lite.errors

        for how in WAYS:
            with pytest.raises(getattr(lite.errors, case.error)) as raised:
                self.run(case, how)
            assert case.match in str(raised.value), f"{self.op} ({how})"

    def check_coverage(self) -> None:
        missing = []
        for name, _, default, _ in self.info["attrs"]:
            seen = {repr(c.attrs.get(name, default)) for c in self.cases}
            if len(seen) < 2 and name not in self.exempted:
                missing.append(f"attribute {name} never takes two values: {seen}")
        for kind, slots in (("inputs", self.info["inputs"]), ("outputs", self.info["outputs"])):
            for name, optional, _ in slots:
                present = {bool(getattr(c, kind).get(name)) for c in self.cases}
                if optional and len(present) < 2 and name not in self.exempted:
                    state = "present" if present == {True} else "absent"
                    missing.append(f"optional slot {name} is always {state}")
        assert not missing, f"{self.op}: " + "; ".join(missing)

    def tests(self) -> Callable[[Any], None]:
        """The parametrized test function for the module to hold under a `test_` name."""
        TABLES[self.op] = self
        params = []
        for i, case in enumerate(self.cases):
            params.append(pytest.param(partial(self.check_case, case), id=f"{i}-{case.name()}"))
        for i, error in enumerate(self.errors):
            run = partial(self.check_error, error)
            params.append(pytest.param(run, id=f"error{i}-{error.match}"))
        params.append(pytest.param(self.check_coverage, id="coverage"))

        @pytest.mark.parametrize("check", params)
        def test(check: Callable[[], None]) -> None:
            check()

        return test


TABLES: dict[str, OpTable] = {}


def _checksum(inputs: Values) -> float:
    total = 0.0
    for values in inputs.values():
        for array, _ in values:
            real = array.ravel().view(array.real.dtype) if array.dtype.kind == "c" else array
            flat = real.astype(np.float64).ravel()
            total += float(
                np.nan_to_num(flat, posinf=1, neginf=-1)
                @ np.cos(np.arange(flat.size, dtype=np.float64))
            )
    return total


def compare(actual: Values, expected: Values, tol: float, what: str) -> None:
    """Equal shapes, dtypes, LoD and integers; floats within `tol` of the largest value."""
    assert set(actual) == set(expected), f"{what}: outputs {set(actual)}, not {set(expected)}"
    for slot, items in expected.items():
        assert len(actual[slot]) == len(items), f"{what}: {slot} has {len(actual[slot])} tensors"
        for i, (want, offsets) in enumerate(items):
            got, got_lod = actual[slot][i]
            place = f"{what}: {slot}[{i}]"
            assert got.dtype == want.dtype, f"{place} is {got.dtype}, expected {want.dtype}"
            assert got.shape == want.shape, f"{place} has shape {got.shape}, not {want.shape}"
            got_levels = [list(level) for level in got_lod]
            assert got_levels == offsets, f"{place} has LoD {got_levels}, expected {offsets}"
            if not want.size:
                continue
            if want.dtype.kind == "c":
                got, want = (np.stack([array.real, array.imag]) for array in (got, want))
            if want.dtype.kind != "f":
                np.testing.assert_array_equal(got, want, err_msg=place)
                continue
            finite = np.isfinite(want)
            np.testing.assert_array_equal(got[~finite], want[~finite], err_msg=place)
            scale = max(float(np.abs(want[finite]).max(initial=0)), 1e-6)
            difference = np.abs(got[finite].astype(np.float64) - want[finite])
            worst = float(difference.max(initial=0)) / scale
            assert worst <= tol, f"{place} differs by {worst:.3g} of the largest value (> {tol})"
