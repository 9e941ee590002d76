"""lite view: what its page holds, and how it behaves in a browser."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from api import tiny_models

from lite.core.partition.placement import Placement
from lite.model.load import load_program
from lite.model.naive_buffer import write_nb_file
from lite.model.save import write_pdmodel_files
from lite.model.text import parse_program
from lite.report.histogram import histogram
from lite.report.html import html

from .conftest import Command

LARGE = 1300


def _data(page: Path) -> dict[str, Any]:
    text = page.read_text(encoding="utf-8")
    assert not re.search(r"(?:src|href)=", text), "the page must need no other file"
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def _labels(data: dict[str, Any]) -> list[str]:
    return [op["label"] for op in data["operators"]]


@pytest.mark.parametrize("kind", ["folder", "pdmodel", "nb"])
def test_formats(cli: Command, model: Path, model_nb: Path, tmp_path: Path, kind: str) -> None:
    write_pdmodel_files(tiny_models.dense(), str(tmp_path / "dense.pdmodel"))
    path = {"folder": model, "pdmodel": tmp_path / "dense.pdmodel", "nb": model_nb}[kind]
    done = cli("view", path, "-o", "page.html", "--input", "x:2x4")
    assert (done.returncode, done.stderr) == (0, ""), done
    data = _data(tmp_path / "page.html")
    assert _labels(data) == ["feed#0", "mul#1", "elementwise_add#2", "softmax#3", "fetch#4"]
    assert data["tensors"]["x"] == "fp32[2x4]" and data["tensors"]["y"] == "fp32[2x3]"
    said = " ".join(weight["text"] for weight in data["weights"].values())
    assert len(data["weights"]) == 2 and "-1, -0.818182" in said and "0.5, -0.25, 0.125" in said
    edges = {(edge["from"], edge["to"]) for edge in data["edges"]}
    assert edges == {(0, 1), (1, 2), (2, 3), (3, 4)}
    assert done.stdout.startswith("5 operators") and "wrote page.html" in done.stdout


def test_the_page_is_named_after_the_model(cli: Command, model_nb: Path, tmp_path: Path) -> None:
    assert cli("view", model_nb).returncode == 0
    assert (tmp_path / "dense.html").exists()


def test_attributes_and_optimised(cli: Command, model: Path, tmp_path: Path) -> None:
    assert cli("view", model, "-o", "a.html").returncode == 0
    assert cli("view", model, "--optimized", "-o", "b.html").returncode == 0
    before, after = _data(tmp_path / "a.html"), _data(tmp_path / "b.html")
    (mul,) = [op for op in before["operators"] if op["type"] == "mul"]
    assert mul["attributes"]["x_num_col_dims"] == "int 1" and mul["compute"] == 12
    assert len(after["operators"]) < len(before["operators"])
    assert not any("kernel_type" in name for op in after["operators"] for name in op["attributes"])


def test_times(cli: Command, model: Path, tmp_path: Path) -> None:
    done = cli("view", model, "--profile", "--input", "x:2x4", "-o", "p.html")
    assert done.returncode == 0, done.stderr
    data = _data(tmp_path / "p.html")
    timed = [op for op in data["operators"] if "time" in op["notes"]]
    assert [op["type"] for op in timed] == ["fc", "softmax"]
    shares = [float(re.search(r"ms, ([\d.]+) %", op["notes"]["time"])[1]) for op in timed]  # type: ignore[index]
    assert sum(shares) == pytest.approx(100, abs=1.5)
    assert "fp32[2x3]" in timed[1]["notes"]["shapes"].replace("float32", "fp32")
    assert "ms a run" in data["summary"] and data["legend"]


def test_places(cli: Command, model: Path, tmp_path: Path) -> None:
    done = cli("view", model, "--device", "huawei_ascend_npu", "-o", "d.html")
    assert done.returncode == 0, done.stderr
    data = _data(tmp_path / "d.html")
    assert data["subgraphs"] and not data["legend"] and data["weights"]
    assert "huawei_ascend_npu" in data["summary"]
    done = cli("view", model, "--device", "fake_device", "--profile", "-o", "e.html")
    assert done.returncode == 0, done.stderr
    ran = _data(tmp_path / "e.html")
    assert {op["device"] for op in ran["operators"]} == {"", "fake_device"}


def test_a_partitioned_nb(cli: Command, model: Path, tmp_path: Path) -> None:
    cli("partition", model, "--device", "fake_device", "--nb", "divided.nb")
    assert cli("view", "divided.nb", "-o", "n.html").returncode == 0
    data = _data(tmp_path / "n.html")
    (info,) = data["subgraphs"]
    assert info["operators"]
    inside = set(info["operators"])
    leaving = [e for e in data["edges"] if e["from"] in inside and e["to"] not in inside]
    assert leaving, "what a subgraph computes is read"


def test_errors(cli: Command, model: Path) -> None:
    for words, said in (
        ((model, "-o", "no/such/page.html"), "no/such"),
        ((model, "--input", "z:1x4"), "no shape of an input"),
        ((model, "--device", "rockchip_nup"), "rockchip_npu"),
        (("nowhere",), "nowhere"),
    ):
        done = cli("view", *words)
        assert done.returncode == 1 and said in done.stderr
        assert len(done.stderr.splitlines()) == 1


def test_names_cannot_break_the_page(cli: Command, tmp_path: Path) -> None:
    program = tiny_models.dense()
    text = "</script><script>alert(1)</script>"
    program.params[text] = np.zeros(3, np.float32)
    write_pdmodel_files(program, str(tmp_path / "m.pdmodel"))
    assert load_program(str(tmp_path / "m.pdmodel")).params
    assert cli("view", "m.pdmodel", "-o", "m.html").returncode == 0
    assert "alert(1)</script>" not in (tmp_path / "m.html").read_text()


def test_histograms() -> None:
    found = histogram(np.concatenate([np.zeros(60), np.ones(20), np.full(20, -1)]))
    assert sum(found.counts) == 100 and (found.least, found.most) == (-1, 1)
    assert found.counts[0] == found.counts[-1] == 20 and found.counts[20] == 60
    assert "60 % zeros" in found.text and "100 elements" in found.text
    wild = np.array([np.nan, np.inf, -3e38, 3e38, *np.zeros(50)], np.float32)
    found = histogram(wild)
    assert sum(found.counts) == 52 and "2 NaN or infinite" in found.text
    assert histogram(np.full(100, 7, np.int8)).counts == []
    assert "1, 2" in histogram(np.array([1, 2], np.int64)).text
    assert histogram(np.zeros(0, np.float32)).text == "empty"
    assert histogram(np.array([np.nan])).counts == []
    assert sum(histogram(np.arange(100) % 2 == 0).counts) == 100
    assert histogram(np.array([3 + 4j] * 20)).text.endswith("from 5 to 5")
    assert "object" in histogram(np.array([None])).text


def _large() -> str:
    """A chain of residual blocks with LARGE operators in all."""
    lines, name = [], "x"
    for number in range((LARGE - 2) // 2):
        relu, total = f"r{number}", f"s{number}"
        lines += [
            f"Out: [{relu}] = relu(X: [{name}])",
            f"Out: [{total}] = elementwise_add(X: [{relu}], Y: [{name}]) {{axis: int -1}}",
        ]
        name = total
    names = ["x", *re.findall(r"Out: \[(\w+)\]", "\n".join(lines))]
    variables = "\n".join(f"  var {name}: lod_tensor fp32[1,8]" for name in names)
    body = "\n".join(f"  {line}" for line in lines)
    return f"""
program version 2006002
block 0 parent -1 {{
  var feed: feed_minibatch persistable
  var fetch: fetch_list persistable
{variables}
  Out: [x] = feed(X: [feed]) {{col: int 0}}
{body}
  Out: [fetch] = fetch(X: [{name}]) {{col: int 0}}
}}
"""


def _page(playwright: Any, path: Path, wrong: list[str]) -> Any:
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    running = playwright.chromium.launch(executable_path=browser, args=["--no-sandbox"])
    page = running.new_page(viewport={"width": 1400, "height": 900})
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("request", lambda request: request.url.startswith("file:") or wrong.append("net"))
    page.goto(path.as_uri())
    return page


# Frames while the wheel turns, the whole graph in sight: milliseconds of the middle one.
_FRAMES = """async () => {
  const graph = document.getElementById("graph"), times = [];
  document.getElementById("fit").click();
  for (let turn = 0; turn < 30; turn++) {
    const start = performance.now();
    graph.dispatchEvent(new WheelEvent("wheel", { deltaY: turn % 2 ? 40 : -40, cancelable: true }));
    await new Promise(requestAnimationFrame);
    times.push(performance.now() - start);
  }
  return times.sort((a, b) => a - b)[15];
}"""


def test_in_a_browser(cli: Command, model: Path, tmp_path: Path) -> None:
    api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    if not (shutil.which("chromium") or shutil.which("google-chrome")):
        pytest.skip("no chromium is installed")
    write_nb_file(parse_program(_large()), tmp_path / "large.nb")
    assert cli("view", model, "-o", "small.html").returncode == 0
    assert cli("view", "large.nb").returncode == 0
    wrong: list[str] = []
    with api.sync_playwright() as playwright:
        page = _page(playwright, tmp_path / "small.html", wrong)
        page.locator(".node", has_text="mul#1").click()
        details = page.inner_text("#details")
        assert "x_num_col_dims" in details and "fp32[4x3]" in details
        assert page.locator("#details .weight").count() == 1
        page.fill("#search", "softmax")
        assert page.inner_text("#hits") == "1 found"
        page.context.browser.close()
        page = _page(playwright, tmp_path / "large.html", wrong)
        assert page.locator(".node").count() == LARGE
        loaded = page.evaluate("performance.timing.loadEventEnd - performance.timing.responseEnd")
        assert loaded < 3000, "milliseconds until the page is drawn"
        assert page.evaluate(_FRAMES) < 250, "milliseconds of a frame"
        page.context.browser.close()
    assert not wrong


def test_a_page_without_a_report() -> None:
    assert "Placement" in html(Placement())
