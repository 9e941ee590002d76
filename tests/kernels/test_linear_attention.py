"""Attention by a state for each head, against its recurrence in float64."""

from __future__ import annotations

from typing import Any

import numpy as np
from harness import OpTable, rand


def recurrence(inputs: dict[str, Any], attrs: dict[str, Any]) -> dict[str, Any]:
    heads, all_ = attrs["kv_num_heads"], attrs["q_num_heads"]
    query, key, value = (inputs[slot].astype("float64") for slot in ("Query", "Key", "Value"))
    batch, steps = query.shape[:2]
    q = query.reshape(batch, steps, all_, query.shape[2] // all_)
    k = key.reshape(batch, steps, key.shape[2] // q.shape[3], q.shape[3])
    v = value.reshape(batch, steps, heads, value.shape[2] // heads)
    k = np.repeat(k, heads // k.shape[2], 2)
    q = np.repeat(q, max(heads // all_, 1), 2)
    state = np.zeros((batch, heads, k.shape[3], v.shape[3]))
    state += inputs.get("State", 0)
    factor = np.ones((batch, steps, heads, 1))
    if "Decay" in inputs:
        decay = inputs["Decay"].astype("float64")
        factor = np.exp(decay).reshape(batch, steps, heads, decay.shape[2] // heads)
    out = np.zeros((batch, steps, q.shape[2], v.shape[3]))
    for t in range(steps):
        state *= factor[:, t, :, :, None]
        new = v[:, t]
        if "Beta" in inputs:
            beta = inputs["Beta"][:, t].reshape(batch, -1, 1)
            new = beta * (new - np.einsum("bhi,bhij->bhj", k[:, t], state))
        state = state + k[:, t, :, :, None] * new[:, :, None]
        seen = np.repeat(state, max(all_ // heads, 1), 1)
        out[:, t] = np.einsum("bhi,bhij->bhj", q[:, t], seen)
    scale = attrs.get("scale", 0.0) or 1 / np.sqrt(k.shape[3])
    made = {"Out": (scale * out).reshape(batch, steps, q.shape[2] * v.shape[3]), "StateOut": state}
    return {slot: array.astype("float32") for slot, array in made.items()}


def slots(
    batch: int,
    steps: int,
    heads: tuple[int, int],
    dk: int,
    dv: int,
    more: tuple[str, ...] = (),
    keys: int = 0,
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Heads of queries and of values, as many of `keys` or fewer; `more` names optional inputs."""
    all_, few = heads
    inputs = {
        "Query": rand(batch, steps, all_ * dk),
        "Key": rand(batch, steps, (keys or few) * dk, low=-0.3, high=0.3),
        "Value": rand(batch, steps, few * dv),
    }
    optional = {
        "State": lambda: rand(batch, few, dk, dv),
        "Decay": lambda: rand(batch, steps, few, low=-2.0, high=0.0),
        "Beta": lambda: rand(batch, steps, few, low=0.0, high=1.0),
        "rows": lambda: rand(batch, steps, few * dk, low=-2.0, high=0.0),
        "one": lambda: rand(batch, steps, 1, low=0.0, high=1.0),
    }
    inputs |= {{"rows": "Decay", "one": "Beta"}.get(name, name): optional[name]() for name in more}
    return inputs, {"q_num_heads": all_, "kv_num_heads": few}


table = OpTable("linear_attention")
for heads in ((1, 1), (4, 4), (6, 2)):
    for more in (
        (),
        ("State",),
        ("Decay",),
        ("rows", "State"),
        ("Beta",),
        ("State", "Decay", "Beta"),
        ("rows", "one"),
    ):
        table.case(*slots(2, 5, heads, 8, 12, more), reference=recurrence)
table.case(*slots(1, 1, (2, 1), 128, 128, ("State", "Decay", "Beta")), reference=recurrence)
table.case(*slots(1, 40, (2, 2), 65, 33, ("State", "rows", "Beta")), reference=recurrence)
table.case(*slots(1, 0, (2, 2), 4, 3, ("State", "Decay")), reference=recurrence)
for heads, keys in (((2, 4), 2), ((2, 6), 6), ((1, 6), 3), ((6, 2), 1), ((4, 4), 2)):
    for more in ((), ("State", "Decay", "Beta"), ("rows", "one")):
        table.case(*slots(2, 5, heads, 8, 12, more, keys), reference=recurrence)
inputs, attrs = slots(1, 3, (2, 2), 4, 3)
table.case(inputs, {**attrs, "scale": 0.3}, reference=recurrence)

good, attrs = slots(2, 3, (4, 2), 4, 5, ("State", "Decay", "Beta"))
for slot, shape in (
    ("Query", (2, 3, 15)),
    ("Query", (2, 12)),
    ("Key", (2, 3, 9)),
    ("Key", (2, 4, 8)),
    ("Key", (2, 3, 12)),
    ("Key", (2, 3, 0)),
    ("Value", (2, 3, 11)),
    ("Value", (1, 3, 10)),
    ("State", (2, 2, 4, 4)),
    ("Decay", (2, 3, 1)),
    ("Beta", (2, 3, 4)),
):
    table.error({**good, slot: rand(*shape)}, attrs, error="ShapeError", match=f"{slot} has shape")
for slot, array in good.items():
    wrong = {**good, slot: array.astype("float64")}
    table.error(wrong, attrs, error="DataTypeError", match=f"{slot} is float64")
for heads in ((3, 2), (4, 0), (0, 2), (-2, 2)):
    wrong_attrs = {"q_num_heads": heads[0], "kv_num_heads": heads[1]}
    table.error(good, wrong_attrs, error="ShapeError", match="q_num_heads and kv_num_heads are")

test_linear_attention = table.tests()
