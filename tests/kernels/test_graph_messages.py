"""Messages along the edges of a graph."""

from typing import Any

import numpy as np
from harness import OpTable, rand, randint

SOURCES = np.array([0, 1, 2, 0, 4, 1])
TARGETS = np.array([1, 2, 1, 0, 3, 1])
EDGES = {"Src_index": SOURCES, "Dst_index": TARGETS}
REDUCTIONS = ("SUM", "MEAN", "MAX", "MIN")

send = OpTable("graph_send_recv")
for dtype in ("float32", "float64", "int32", "int64"):
    x = randint(5, 3, low=-9, dtype=dtype) if "int" in dtype else rand(5, 3, dtype=dtype)
    for reduce in REDUCTIONS:
        send.case({"X": x} | EDGES, {"reduce_op": reduce})
send.case(
    {"X": rand(5, 2, 3)} | {k: v.astype("int32") for k, v in EDGES.items()}, {"out_size": [7]}
)
send.case({"X": rand(5, 2), "Out_size": np.array([4])} | EDGES, {"reduce_op": "MAX"})
send.case(
    {"X": np.ones((5, 1), "float32")} | EDGES,
    {"reduce_op": "MEAN"},
    outputs={"Out": 1, "Dst_count": 1},
    reference=lambda i, a: {
        "Out": np.array([[1], [1], [1], [1], [0]], "float32"),
        "Dst_count": np.array([1, 3, 1, 1, 0], "int32"),
    },
)
send.error({"X": rand(4, 3)} | EDGES, error="ShapeError", match="element 4 of Src_index is 4")
send.error({"X": rand(5, 3)} | EDGES, {"out_size": [3]}, error="ShapeError", match="Dst_index")
send.error({"X": rand(5, 3)} | EDGES, {"reduce_op": "PROD"}, match="PROD")
send.error(
    {"X": rand(5, 3), "Src_index": SOURCES, "Dst_index": TARGETS[:2]},
    error="ShapeError",
    match="equal ones",
)
send.error({"X": rand()} | EDGES, error="ShapeError", match="0-D")
send.error({"X": rand(5) > 0} | EDGES, error="DataTypeError", match="bool")
test_graph_send_recv = send.tests()

edges = OpTable("graph_send_ue_recv")
for message in ("ADD", "MUL"):
    for reduce in REDUCTIONS:
        attrs = {"message_op": message, "reduce_op": reduce}
        edges.case({"X": rand(5, 3), "Y": rand(6, 3)} | EDGES, attrs)
    edges.case(
        {"X": rand(5, 2, 3), "Y": rand(6, 2, 1)} | EDGES, {"message_op": message, "out_size": [9]}
    )
edges.case({"X": rand(5, 1), "Y": rand(6, 4), "Out_size": np.array([5], "int32")} | EDGES)
edges.case(
    {"X": np.ones((5, 1), "int64"), "Y": np.ones((6, 1), "int64")} | EDGES,
    outputs={"Out": 1, "Dst_count": 1},
    reference=lambda i, a: {
        "Out": np.array([[2], [6], [2], [2], [0]]),
        "Dst_count": np.array([1, 3, 1, 1, 0], "int32"),
    },
)
edges.error({"X": rand(5, 3), "Y": rand(5, 3)} | EDGES, error="ShapeError", match="6 edges")
edges.error({"X": rand(5, 3), "Y": rand(6, 2)} | EDGES, error="ShapeError", match="broadcast")
edges.error({"X": rand(5, 3), "Y": randint(6, 3)} | EDGES, error="DataTypeError", match="Y")
edges.error({"X": rand(5), "Y": rand(6)} | EDGES, {"message_op": "SUB"}, match="SUB")
test_graph_send_ue_recv = edges.tests()


def both(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    a, b = inputs["x"][inputs["src_index"]], inputs["y"][inputs["dst_index"]]
    return {"out": a + b if attrs.get("message_op", "ADD") == "ADD" else a * b}


uv = OpTable("graph_send_uv")
ENDS = {"src_index": SOURCES, "dst_index": TARGETS}
for message in ("ADD", "MUL"):
    uv.case({"x": rand(5, 3), "y": rand(4, 3)} | ENDS, {"message_op": message})
    uv.case(
        {"x": rand(5, 2, 1), "y": rand(4, 2, 3)} | ENDS, {"message_op": message}, reference=both
    )
uv.error({"x": rand(5, 3), "y": rand(3, 3)} | ENDS, error="ShapeError", match="dst_index")
test_graph_send_uv = uv.tests()

CHANCES = np.array([[0.1, 0.5, 0.3, 0.1], [0.7, 0.1, 0.1, 0.1]], "float32")


def sampled(*allowed: set[int]) -> Any:
    def check(outputs: Any) -> None:
        ids, out = outputs["ids"][0][0], outputs["out"][0][0]
        assert ids.shape == out.shape == (len(allowed), 1) and ids.dtype == np.int64
        for row, (token, choice) in enumerate(zip(ids[:, 0], allowed, strict=True)):
            assert token in choice and out[row, 0] == CHANCES[row, token]

    return check


top_p = OpTable("top_p_sampling")
for seed in (-1, 3):
    ps = np.array([[0.4], [0.75]], "float32")
    top_p.case({"x": CHANCES, "ps": ps}, {"seed": seed}, check=sampled({1}, {0, 1}))
    ps = np.array([[0.8], [0.0]], "float32")
    top_p.case({"x": CHANCES, "ps": ps}, {"seed": seed}, check=sampled({1, 2}, {0}))
ONE = np.ones((2, 1), "float32")
limit = np.array([[0.4], [0.9]], "float32")
seeds = {"topp_seed": np.array([[1], [2]])}
top_p.case({"x": CHANCES, "ps": ONE, "threshold": limit} | seeds, check=sampled({1}, {0}))
top_p.error({"x": -CHANCES, "ps": ONE}, match="probabilities")
top_p.error({"x": CHANCES, "ps": rand(3, 1)}, error="ShapeError", match="ps")
top_p.error({"x": rand(3), "ps": rand(3)}, error="ShapeError", match="tokens")
test_top_p_sampling = top_p.tests()


def test_top_p_sampling_is_the_seed_s() -> None:
    from harness import core

    x = np.abs(rand(50, 40))
    inputs = {"x": [(x, [])], "ps": [(np.full((50, 1), 9, "float32"), [])]}

    def draw(seed: int) -> Any:
        return core().run_op("top_p_sampling", inputs, {"out": 1, "ids": 1}, {"seed": seed})

    first, again, other = draw(5), draw(5), draw(6)
    np.testing.assert_array_equal(first["ids"][0][0], again["ids"][0][0])
    assert (first["ids"][0][0] != other["ids"][0][0]).any()
