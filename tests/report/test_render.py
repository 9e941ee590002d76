"""The report in all its forms; the page is looked at in a real browser where there is one."""

from __future__ import annotations

import json
import random
import re
import shutil
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from checking import program, rand
from core.dividing import divide

from lite.core.partition import (
    PartitionConfig,
    PartitionOptions,
    PartitionRequest,
    Placement,
    partition,
)
from lite.core.partition.config_text import config_line
from lite.core.partition.log import log_text
from lite.model.program import Program
from lite.report.colors import CPU_COLOR, PALETTE, text_color
from lite.report.dot import edges
from lite.report.layout import STEP_X, layered

BODY = """
Out: [a] = abs(X: [x])
Out: [g] = gelu(X: [a])
Out: [c] = elementwise_add(X: [g], Y: [w]) {axis: int -1}
Out: ["d</script>"] = square(X: [c])
Out: [e] = exp(X: ["d</script>"])
Out: [y] = abs(X: [e])
"""


def _check(program: Program, block: int, clusters: list[list[int]]) -> dict[int, str]:
    ops = program.blocks[block].ops
    return {at: "no <gelu> & co" for some in clusters for at in some if ops[at].type == "gelu"}


@pytest.fixture
def placement() -> Placement:
    before = program(BODY, {"x": (2, 4)}, ["y"], {"w": rand(4)})
    config = PartitionConfig("exp", "my config")
    return divide(before, _check, config, devices=["npu"])[1]


def test_the_table_says_all(placement: Placement) -> None:
    info = placement.subgraphs[1]
    info.compile_ms, info.runs, info.run_ms, info.cache_hit = 12.5, 4, 2.0, True
    placement.fell_back(2, "out of memory")
    text = placement.table()
    for words in (
        "3 of 6 operators on npu in 3 subgraphs, 3 on the CPU",
        "config: my config",
        "subgraph 1: 2 operators on npu, 16 multiply-adds, 16 B weights",
        "g fp32[2x4] (32 B)",
        "compiled in 12.50 ms (from the cache)",
        "4 runs, 0.500 ms each",
        "on the CPU: out of memory",
        "no <gelu> & co",
        "excluded by line 1 of my config",
    ):
        assert words in text, words
    assert re.search(r"elementwise_add#3 +c +subgraph 1\n", text)
    assert re.search(r"exp#5 +e +cpu +excluded", text)


def test_json_reads_back(placement: Placement) -> None:
    data = json.loads(placement.json())
    assert Placement.from_dict(data) == placement
    assert data["subgraphs"][1]["bytes_in"] == 32


def test_dot_and_log(placement: Placement) -> None:
    text = placement.dot()
    assert text.startswith("digraph G {") and text.count("{") == text.count("}")
    assert text.count("cluster_") == 3 and f'fillcolor="{PALETTE[1]}"' in text
    assert 'op_2 [label="gelu#2"' in text and CPU_COLOR in text
    assert 'op_1 -> op_2 [label="a"]' in text
    log = log_text(placement)
    assert log.startswith("subgraph clusters: 3\ndigraph G {")
    tail = log[log.index("subgraph operators:") :].splitlines()
    assert tail[1:3] == ["abs:x:a", "elementwise_add:g,w:c"]


def test_level_5_prints_to_stdout(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = program("Out: [y] = abs(X: [x])", {"x": (2, 4)}, ["y"])
    divide(before, _check)
    assert capsys.readouterr().out == ""
    monkeypatch.setenv("GLOG_v", "5")
    divide(before, _check)
    assert "subgraph operators:\nabs:x:y\n" in capsys.readouterr().out


def test_the_config_says_what_is_so_and_can_be_edited(placement: Placement) -> None:
    text = placement.config_text()
    before = program(BODY, {"x": (2, 4)}, ["y"], {"w": rand(4)})
    _, same = divide(before, _check, PartitionConfig(text, "my config"), devices=["npu"])
    assert [op.place for op in same.operators] == [op.place for op in placement.operators]
    for at, op in enumerate(placement.operators):
        if op.is_io:
            continue
        _, edited = divide(before, _check, PartitionConfig(config_line(op)), strict=False)
        named = [i for i, o in enumerate(edited.operators) if o.reason.startswith("excluded")]
        assert named == [at]
    uncommented = text.replace("# abs:x:a\n", "abs:x:a\n")
    assert uncommented != text
    _, edited = divide(before, _check, PartitionConfig(uncommented))
    assert edited.operators[1].place == "cpu"


def test_the_palette() -> None:
    assert len(set(PALETTE)) == 48 and CPU_COLOR not in PALETTE
    assert {text_color(color) for color in PALETTE} <= {"#000000", "#ffffff"}


def test_the_layout_keeps_nodes_apart_and_edges_downward() -> None:
    rng = random.Random(3)
    for _ in range(30):
        count = rng.randint(0, 60)
        edges = sorted(
            {tuple(sorted(rng.sample(range(count), 2))) for _ in range(count) if count > 1}
        )
        drawing = layered(count, edges)  # type: ignore[arg-type]
        assert len(drawing.nodes) == count and len(drawing.bends) == len(edges)
        for (a, b), bends in zip(edges, drawing.bends, strict=True):
            ys = [drawing.nodes[a][1], *(y for _, y in bends), drawing.nodes[b][1]]
            assert ys == sorted(set(ys))
        rows: dict[float, list[float]] = {}
        for x, y in drawing.nodes:
            rows.setdefault(y, []).append(x)
            assert 0 <= x <= drawing.width and 0 <= y <= drawing.height
        for xs in rows.values():
            xs.sort()
            assert all(b - a > STEP_X - 1e-6 for a, b in pairwise(xs))


def test_the_page_stands_alone(placement: Placement) -> None:
    page = placement.html("A & B <@DATA@>")
    assert "<title>A &amp; B &lt;@DATA@&gt;</title>" in page
    assert page.count("</script>") == 2
    assert not re.search(r'(src|href)="|@import|url\((?!#)', page)
    urls = set(re.findall(r"https?://[^\"' ]+", page))
    assert urls == {"http://www.w3.org/2000/svg"}
    data = _page_data(page)
    assert data["operators"][4]["outputs"] == {"Out": ["d</script>"]}
    assert data["operators"][2]["reason"] == "no <gelu> & co"


def _page_data(page: str) -> dict[str, Any]:
    found = re.search(r'id="data">(.*?)</script>', page, re.S)
    assert found
    data: dict[str, Any] = json.loads(found[1])
    return data


def test_the_page_begins_with_the_answer(placement: Placement) -> None:
    page = placement.html("tiny on npu")
    assert page.index('id="figures"') < page.index('id="graph"')
    assert page.index('id="reasons"') < page.index('id="legend"') < page.index('id="map"')
    data = _page_data(page)
    assert data["title"] == "tiny on npu"
    assert [number for number, _ in data["figures"]] == ["66.7 %", "66.7 %", "3", "192 B"]
    assert data["tensors"]["c"] == "fp32[2x4]"
    assert data["operators"][3]["compute"] == 8
    assert placement.compute_share() == pytest.approx(4 / 6)
    assert placement.bytes_moved == sum(i.bytes_in + i.bytes_out for i in placement.subgraphs)
    assert dict(placement.reasons())["no <gelu> & co"] == 1


FOLDED = """
Out: [a] = abs(X: [x])
Out: [b] = scale(X: [a]) {scale: float 1.0, bias: float 0.0, bias_after_scale: bool true}
Out: [c], Mask: [m] = dropout(X: [b]) {is_test: bool true, @}
Out: [d] = exp(X: [c])
Out: [e] = elementwise_add(X: [d], Y: [b]) {axis: int -1}
Out: [y] = scale(X: [e]) {scale: float 1.0, bias: float 0.0, bias_after_scale: bool true}
""".replace("@", 'dropout_implementation: string "upscale_in_train"')


def test_edges_run_through_folded_operators() -> None:
    request = PartitionRequest(("npu",), lambda *_: {}, model="folding")
    _, report = partition(program(FOLDED, {"x": (2, 4)}, ["y"]), request)
    assert report is not None
    labels = [op.label for op in report.operators]
    folded = [op.type for op in report.operators if op.place == "folded"]
    assert "scale" in folded and "dropout" in folded
    found = {(labels[a], labels[b]) for a, b, _ in edges(report)}
    assert found == {
        ("feed#0", "abs#1"),
        ("abs#1", "exp#4"),
        ("abs#1", "elementwise_add#5"),
        ("exp#4", "elementwise_add#5"),
        ("elementwise_add#5", "fetch#7"),
    }
    assert report.config_text().startswith("# model: folding\n")
    assert PartitionConfig(report.config_text()).model == "folding"


def test_a_placement_shows_itself(placement: Placement) -> None:
    placement.model = "tiny"
    assert repr(placement) == (
        "<Placement of tiny: 4 of 6 operators on npu in 3 subgraphs, 2 on the CPU>"
    )
    assert str(placement) == placement.table() and str(placement).startswith("model: tiny\n")
    frame = placement._repr_html_()
    assert frame.startswith("<iframe srcdoc=") and "&lt;!DOCTYPE html&gt;" in frame


LOOP = """
Out: [i] = increment(X: [x]) {step: float 1.0}
Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
Out: [i, go], StepScopes: [s] = while(X: [i, n], Condition: [go]) {sub_block: block 1}
Out: [y] = square(X: [i])
"""
LOOP_BLOCK = """
block 1 parent 0 {
  Out: [j] = exp(X: [i])
  Out: [i] = abs(X: [j])
  Out: [go] = less_than(X: [i], Y: [n]) {axis: int -1}
}
"""


def test_the_page_in_a_browser(tmp_path: Path) -> None:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if browser is None:
        pytest.skip("no chromium is installed")
    before = program(LOOP, {"x": (1,), "n": (1,)}, ["y"], blocks=LOOP_BLOCK)
    request = PartitionRequest(("npu",), _check, options=PartitionOptions(no_compute=True))
    _, report = partition(before, request)
    path = tmp_path / "page.html"
    path.write_text(report.html("A loop"), encoding="utf-8")
    with api.sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
        page = running.new_page()
        wrong: list[str] = []
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("request", lambda request: request.url.startswith("file:") or wrong.append("net"))
        page.goto(path.as_uri())
        shown = [op for op in report.operators if op.place != "folded"]
        assert page.locator(".node").count() == len(shown)
        assert page.locator(".frame").count() == 2
        assert page.inner_text("#summary") == report.summary()
        page.locator(".node", has_text="while#").click()
        details = page.inner_text("#details")
        assert "control flow" in details and "sub_block" in details
        page.fill("#search", "exp#1/0")
        assert page.inner_text("#hits") == "1 found" and page.locator(".node.hit").count() == 1
        page.press("#search", "Enter")
        assert "subgraph" in page.inner_text("#details")
        moved = "before => document.getElementById('view').getAttribute('transform') !== before"
        view = page.get_attribute("#view", "transform")
        page.mouse.move(700, 400)
        page.mouse.wheel(0, -300)
        page.wait_for_function(moved, arg=view)
        zoomed = page.get_attribute("#view", "transform")
        page.mouse.down()
        page.mouse.move(760, 440)
        page.mouse.up()
        page.wait_for_function(moved, arg=zoomed)
        running.close()
    assert not wrong
