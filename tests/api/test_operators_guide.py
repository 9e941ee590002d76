"""The example of docs/custom_operators.md runs."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

import lite
from lite.model.save import write_protobuf_dir
from lite.model.text import parse_program

GUIDE = Path(__file__).parents[2] / "docs" / "custom_operators.md"
GATE = np.array([-1, 0, 2, 4], np.float32)


def test_the_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (code,) = re.findall(r"```python\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    program = parse_program(
        "program version 2006002\nblock 0 parent -1 {\n  var feed: feed_minibatch\n"
        "  var fetch: fetch_list\n  var x: lod_tensor fp32[-1,4,3]\n"
        "  var gate: lod_tensor fp32[4] persistable\n"
        "  Out: [x] = feed(X: [feed]) {col: int 0}\n"
        "  Out: [a] = gated_scale(X: [x], Gate: [gate]) {axis: int 1, factor: float 3.0}\n"
        "  Out: [y] = gated_scale(X: [a])\n"
        "  Out: [fetch] = fetch(X: [y]) {col: int 0}\n}",
        {"gate": GATE},
    )
    write_protobuf_dir(program, str(tmp_path / "model"))
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    try:
        exec(code, names)
        predictor = names["predictor"]
        assert isinstance(predictor, lite.Predictor)
        x = np.random.default_rng(0).standard_normal((2, 4, 3)).astype(np.float32)
        (y,) = predictor.run(x).values()
        sigmoid = 1 / (1 + np.exp(-GATE.astype(np.float64)))
        np.testing.assert_allclose(y, x * 3 * sigmoid[:, None], rtol=1e-5)
        assert y.dtype == np.float32
    finally:
        lite.remove_operator("gated_scale")
