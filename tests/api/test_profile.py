"""Profiles: every operator is there, once, where it ran; nothing is said of times themselves."""

from __future__ import annotations

import io
import json
import re
import threading
import time
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import lite
from lite.api.profile import MachinePeak, OperatorProfile, Profile
from lite.errors import CancelledError, ConfigError, LiteError, ShapeError
from lite.model.naive_buffer import write_nb
from lite.model.program import Program
from lite.model.save import write_protobuf_dir
from lite.model.text import parse_program

_RANDOM = np.random.default_rng(7)
WEIGHTS = {
    "stem": _RANDOM.standard_normal((16, 3, 3, 3), np.float32),
    "one": _RANDOM.standard_normal((32, 16, 1, 1), np.float32),
    "deep": _RANDOM.standard_normal((32, 1, 3, 3), np.float32),
    "three": _RANDOM.standard_normal((32, 32, 3, 3), np.float32),
    "w": np.eye(4, dtype=np.float32),
}
CONV = "paddings: ints [1, 1], strides: ints [1, 1], dilations: ints [1, 1]"
NETWORK = f"""
Out: [x] = feed(X: [feed]) {{col: int 0}}
Output: ["<a>"] = conv2d(Input: [x], Filter: [stem]) {{{CONV}, groups: int 1}}
Output: [b] = conv2d(Input: ["<a>"], Filter: [one])
  {{paddings: ints [0, 0], strides: ints [1, 1], dilations: ints [1, 1], groups: int 1}}
Output: [c] = depthwise_conv2d(Input: [b], Filter: [deep]) {{{CONV}, groups: int 32}}
Output: [d] = conv2d(Input: [c], Filter: [three]) {{{CONV}, groups: int 1}}
Out: [e] = elementwise_add(X: [d], Y: [b]) {{axis: int -1}}
Out: [y] = relu(X: [e])
Out: [fetch] = fetch(X: [y]) {{col: int 0}}
"""
LOOP = """
Out: [x] = feed(X: [feed]) {col: int 0}
Out: [n] = feed(X: [feed]) {col: int 1}
Out: [i] = fill_constant() {shape: longs [1], value: float 0.0, dtype: int 3}
Out: [h] = scale(X: [x]) {scale: float 1.0}
Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
Out: [h, i, go], StepScopes: [ss] = while(X: [h, i, n, w], Condition: [go]) {sub_block: block 1}
Out: [fetch] = fetch(X: [h]) {col: int 0}
"""
BODY = """
block 1 parent 0 {
  Out: [h] = matmul_v2(X: [h], Y: [w])
  Out: [i] = increment(X: [i]) {step: float 1.0}
  Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
}
"""
IMAGES = "var x: lod_tensor fp32[-1,3,20,20]"
X = np.ones((2, 4), np.float32)
IMAGE = _RANDOM.standard_normal((1, 3, 20, 20), np.float32)


def program(lines: str, variables: str, blocks: str = "") -> Program:
    names = "".join(
        f"var {name}: lod_tensor fp32[{','.join(map(str, array.shape))}] persistable\n"
        for name, array in WEIGHTS.items()
    )
    lines = re.sub(r"\n +\{", " {", lines)
    text = (
        "program version 2006002\nblock 0 parent -1 {\nvar feed: feed_minibatch\n"
        f"var fetch: fetch_list\n{names}{variables}\n{lines}\n}}\n{blocks}"
    )
    return parse_program(text, dict(WEIGHTS))


def nb(lines: str, variables: str, blocks: str = "") -> bytes:
    file = io.BytesIO()
    write_nb(program(lines, variables, blocks), file)
    return file.getvalue()


def count(number: int) -> np.ndarray:
    return np.array([number], np.int64)


def network() -> lite.Predictor:
    return lite.load(nb(NETWORK, IMAGES))


def loop() -> lite.Predictor:
    return lite.load(nb(LOOP, "var x: lod_tensor fp32[-1,4]\nvar n: lod_tensor int64[1]", BODY))


def operators(profile: Profile) -> list[OperatorProfile]:
    return [op for op in profile.operators if op.kind == "operator"]


def check_accounts(profile: Profile) -> None:
    """No nanosecond counts twice, and events stand inside of their parents."""
    assert len(profile.run_ns) == profile.runs
    for run, whole in enumerate(profile.run_ns):
        assert 0 <= sum(op.run_ns[run] for op in profile.operators) <= whole
    for at, event in enumerate(profile.events):
        assert event.start_ns <= event.end_ns
        if event.parent is None:
            assert event.operator is None
            continue
        assert event.parent < at
        outer = profile.events[event.parent]
        assert outer.start_ns <= event.start_ns and event.end_ns <= outer.end_ns
        assert event.operator is not None and outer.run == event.run
        assert profile.operators[event.operator].parent == outer.operator
    for at, op in enumerate(profile.operators):
        assert op.calls == sum(event.operator == at for event in profile.events)


@pytest.mark.parametrize("threads", [1, 2])
def test_every_operator_with_its_kernel(threads: int) -> None:
    predictor = lite.load(nb(NETWORK, IMAGES), threads=threads)
    (before,) = predictor.run([IMAGE]).values()
    profile = predictor.profile([IMAGE], runs=3)
    assert (profile.runs, profile.threads, profile.dropped) == (3, threads, 0)
    found = operators(profile)
    assert len(found) == len(profile.operators), "what was planned before is not planned again"
    kinds = [op.type for op in found]
    assert kinds == ["conv2d", "conv2d", "depthwise_conv2d", "conv2d", "layout"]
    stem, one, deep, three, back = found
    assert [op.inserted for op in found] == [False, False, False, False, True]
    assert all(op.calls == 3 and op.calls_per_run == 1 for op in found)
    assert (stem.algorithm, one.algorithm, deep.algorithm) == ("planes", "direct", "depthwise")
    assert three.algorithm in ("direct", "winograd_2", "winograd_4") and three.reason
    assert three.steps == ["elementwise_add", "relu"]
    assert [(t.slot, t.shape, t.constant) for t in three.inputs] == [
        ("Input", (1, 32, 20, 20), False),
        ("Filter", (32, 32, 3, 3), True),
        ("", (1, 32, 20, 20), False),
    ]
    assert (three.layout, three.precision) == ("nhwc", "float32")
    assert three.outputs[0].layout == "nhwc" and back.outputs[0].layout == "nchw"
    assert three.outputs[0].dtype == "float32"
    assert re.fullmatch(r"operator 1 \(conv2d -> <a>, block 0\)", stem.where)
    pixels = 400
    assert stem.flops == 2 * pixels * 16 * 3 * 9
    assert one.flops == 2 * pixels * 32 * 16
    assert deep.flops == 2 * pixels * 32 * 9
    assert three.flops == 2 * pixels * 32 * 32 * 9
    assert one.bytes == 4 * (pixels * 16 + 32 * 16 + pixels * 32)
    assert back.flops == 0 and back.bytes == 2 * 4 * pixels * 32
    check_accounts(profile)
    (after,) = predictor.run([IMAGE]).values()
    assert before.tobytes() == after.tobytes()


def test_planning_is_seen_where_it_happens() -> None:
    predictor = network()
    first = predictor.profile([IMAGE], runs=2, warmup=0)
    (planning,) = [op for op in first.operators if op.kind == "planning"]
    assert planning.calls == 1 and planning.calls_per_run == 0.5
    assert [op.kind for op in predictor.profile([IMAGE], runs=2).operators].count("planning") == 0
    check_accounts(first)


def test_a_loop_is_not_counted_twice() -> None:
    profile = loop().profile([X, count(5)], runs=2)
    (block,) = [op for op in profile.operators if op.kind == "block"]
    assert (block.type, block.depth, block.calls, block.flops, block.bytes) == ("while", 0, 2, 0, 0)
    inside = [op for op in profile.operators if op.depth == 1]
    assert [op.type for op in inside] == ["matmul_v2", "increment", "less_than"]
    assert all(op.parent == profile.operators.index(block) for op in inside)
    assert all(op.calls == 10 and op.calls_per_run == 5 for op in inside)
    assert inside[0].flops == 2 * 2 * 4 * 4 and inside[0].algorithm == "packed"
    assert all("block 1" in op.where for op in inside)
    check_accounts(profile)


def test_too_many_calls_are_counted(long_loops: None) -> None:
    profile = loop().profile([X, count(100_000)], runs=2)
    assert len(profile.events) <= 1 << 18 and profile.dropped > 0
    assert f"{profile.dropped} calls" in profile.table()
    (increment,) = [op for op in profile.operators if op.type == "increment"]
    assert 0 < increment.calls < 200_000


@pytest.fixture
def long_loops() -> Iterator[None]:
    limit = lite.loop_limit()
    lite.set_loop_limit(1 << 50)
    yield
    lite.set_loop_limit(limit)


def test_a_profile_can_be_cancelled(long_loops: None) -> None:
    predictor = loop()
    caught: list[BaseException] = []

    def work() -> None:
        try:
            predictor.profile([X, count(1 << 40)])
        except BaseException as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.2)
    predictor.cancel()
    thread.join(60)
    assert not thread.is_alive() and [type(error) for error in caught] == [CancelledError]
    assert predictor.profile([X, count(1)], runs=1).runs == 1


def test_a_device_that_computes_here_is_seen(tmp_path: Path) -> None:
    write_protobuf_dir(program(NETWORK, IMAGES), tmp_path / "model")
    predictor = lite.load(tmp_path / "model", devices="builtin_device")
    profile = predictor.profile([IMAGE], runs=2)
    (block,) = [op for op in profile.operators if op.kind == "block"]
    inside = [op for op in profile.operators if op.depth == 1]
    assert block.type == "subgraph" and block.calls == 2
    assert sum(op.type.endswith("conv2d") for op in inside) == 4
    check_accounts(profile)


def test_what_depends_on_data_is_seen() -> None:
    lines = """
    Out: [x] = feed(X: [feed]) {col: int 0}
    Out: [some] = where_index(Condition: [x])
    Out: [y] = scale(X: [some]) {scale: float 2.0}
    Out: [fetch] = fetch(X: [y]) {col: int 0}
    """
    profile = lite.load(nb(lines, "var x: lod_tensor fp32[-1,4]")).profile([X], runs=2)
    first, second = operators(profile)
    assert (first.type, second.type) == ("where_index", "scale")
    assert first.outputs[0].shape == (8, 2) and first.calls == 2
    check_accounts(profile)


def test_an_operator_that_runs_another_model_is_one() -> None:
    inner = network()

    @lite.operator("runs_a_model")
    def runs_a_model(X: np.ndarray) -> np.ndarray:  # noqa: N803
        inner.run([IMAGE])
        return X + 1

    try:
        lines = """
        Out: [x] = feed(X: [feed]) {col: int 0}
        Out: [y] = runs_a_model(X: [x])
        Out: [fetch] = fetch(X: [y]) {col: int 0}
        """
        profile = lite.load(nb(lines, "var x: lod_tensor fp32[-1,4]")).profile([X], runs=2)
        assert [op.type for op in operators(profile)] == ["runs_a_model"]
    finally:
        lite.remove_operator("runs_a_model")


def test_clones_are_recorded_apart() -> None:
    predictors = [loop()]
    predictors += [predictors[0].clone() for _ in range(3)]
    found: dict[int, Profile] = {}

    def work(at: int) -> None:
        for _ in range(10):
            found[at] = predictors[at].profile([X, count(at + 1)], runs=3)
            predictors[at].run([X, count(2)])

    threads = [threading.Thread(target=work, args=(at,)) for at in range(len(predictors))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
        assert not thread.is_alive()
    for at, profile in found.items():
        (product,) = [op for op in profile.operators if op.type == "matmul_v2"]
        assert product.calls == 3 * (at + 1)
        check_accounts(profile)


def test_the_predictors_of_paddle_lite() -> None:
    config = lite.MobileConfig()
    config.set_model_from_buffer(nb(NETWORK, IMAGES))
    predictor = lite.create_paddle_predictor(config)
    with pytest.raises(LiteError, match="has not been set"):
        predictor.profile()
    predictor.get_input(0).from_numpy(IMAGE)
    profile = predictor.profile(runs=2, warmup=0)
    assert profile.runs == 2 and len(operators(profile)) == 5
    assert predictor.get_output(0).numpy().shape == (1, 32, 20, 20)


def test_errors() -> None:
    predictor = network()
    for runs, warmup in ((0, 0), (-1, 0), (1, -1), (1 << 60, 1), (1, 1 << 60)):
        with pytest.raises(ConfigError, match="expected"):
            predictor.profile([IMAGE], runs=runs, warmup=warmup)
    with pytest.raises(TypeError, match="runs must be an int"):
        predictor.profile([IMAGE], runs="many")  # type: ignore[arg-type]
    with pytest.raises(KeyError, match="missing: x"):
        predictor.profile({})
    with pytest.raises(ShapeError):
        predictor.profile([IMAGE[:, :2]])
    with pytest.raises(ValueError, match="threads"):
        MachinePeak.measure(0)
    predictor.close()
    with pytest.raises(LiteError, match="closed"):
        predictor.profile([IMAGE])


PEAK = MachinePeak(1, 100.0, ((1 << 14, 200.0), (1 << 20, 50.0), (1 << 26, 10.0)))


def test_the_roofline() -> None:
    assert (PEAK.memory, PEAK.cache) == (10.0, 200.0)
    sizes = (1, 1 << 14, (1 << 14) + 1, 1 << 26, 1 << 30)
    assert [PEAK.bandwidth(size) for size in sizes] == [200.0, 200.0, 50.0, 10.0, 10.0]
    assert PEAK.nanoseconds(1000, 100) == 10  # computing takes longer
    assert PEAK.nanoseconds(1000, 10_000) == 50  # so does reading
    profile = network().profile([IMAGE], runs=1).with_peak(PEAK)
    for op in operators(profile):
        least = PEAK.nanoseconds(op.flops, op.bytes) / 1e6
        assert op.roof_share(PEAK) == pytest.approx(least / op.ms)


def test_this_machine() -> None:
    for threads in (1, 2):
        peak = MachinePeak.measure(threads)
        assert peak.threads == threads and peak.gflops > 0
        assert [size for size, _ in peak.streams] == sorted(size for size, _ in peak.streams)
        assert all(speed > 0 for _, speed in peak.streams) and peak.streams[-1][0] == 1 << 27


class _Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)
        assert all(name not in ("src", "href") for name, _ in attrs), "another resource"
        if tag != "meta":
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: Any) -> None:
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("peak", [None, PEAK])
def test_the_page_shows_all_without_others(peak: MachinePeak | None) -> None:
    profile = network().profile([IMAGE], runs=2, warmup=0)
    if peak:
        profile = profile.with_peak(peak)
    page = _Page()
    page.feed(profile.html("<title> & \udc80"))
    assert not page.open and "script" not in page.tags
    assert "<title> & ?" in page.text and "-> <a>, block 0)" in page.text
    for word in ("conv2d + elementwise_add + relu", "layout (inserted)", "planning", "planes"):
        assert word in page.text
    assert page.tags.count("rect") >= len(profile.operators)
    assert ("circle" in page.tags) == (peak is not None)


def test_the_trace_is_one_of_chromes() -> None:
    profile = loop().profile([X, count(2)], runs=2)
    found = json.loads(profile.trace())
    events = [event for event in found["traceEvents"] if event["ph"] == "X"]
    assert len(events) == len(profile.events)
    assert [event["name"] for event in events if event["cat"] == "run"] == ["run 0", "run 1"]
    assert {"while", "matmul_v2", "increment"} <= {event["name"] for event in events}
    assert all(event["ts"] >= 0 and event["dur"] >= 0 for event in events)


def test_json_and_table() -> None:
    profile = network().profile([IMAGE], runs=2).with_peak(PEAK)
    found = json.loads(profile.json())
    assert found["runs"] == 2 and len(found["operators"]) == len(profile.operators)
    assert sum(op["share"] for op in found["operators"]) == pytest.approx(1)
    assert found["gflop"] == pytest.approx(profile.flops / 1e9)
    three = next(op for op in found["operators"] if op["steps"])
    assert three["inputs"][0]["shape"] == [1, 32, 20, 20] and three["roof_share"] > 0
    lines = profile.table().splitlines()
    assert "100.0 measured here" in lines[0] and lines[2].split()[0] == "ms"
    assert len(lines) == 3 + len(profile.operators)
