from __future__ import annotations

import numpy as np
from harness import OpTable, lod, rand, randint

table = OpTable("crf_decoding")


def lengths(*values: int, dtype: str = "int64") -> np.ndarray:
    return np.array(values, dtype)


for tags in (1, 3, 8, 57):
    table.case(
        {"Emission": lod(rand(9, tags), [[0, 2, 2, 8, 9]]), "Transition": rand(tags + 2, tags)}
    )
    table.case(
        {
            "Emission": lod(rand(9, tags), [[0, 5, 9]]),
            "Transition": rand(tags + 2, tags),
            "Label": lod(randint(9, 1, high=tags), [[0, 5, 9]]),
        }
    )
    table.case(
        {
            "Emission": rand(3, 4, tags),
            "Transition": rand(tags + 2, tags),
            "Length": lengths(4, 0, 2),
        },
        params=["Transition"],
    )
    table.case(
        {
            "Emission": rand(3, 4, tags),
            "Transition": rand(tags + 2, tags),
            "Length": lengths(4, 0, 2).reshape(3, 1),
            "Label": randint(3, 4, high=tags),
        }
    )
# Ties: the first of equal scores.
table.case({"Emission": lod(np.ones((6, 9), "float32"), [[0, 6]]), "Transition": rand(11, 9) * 0})

emission, transition = rand(2, 4, 3), rand(5, 3)
for bad in (lengths(5, 1), lengths(-1, 2)):
    table.error(
        {"Emission": emission, "Transition": transition, "Length": bad},
        error="ShapeError",
        match="Length",
    )
table.error(
    {"Emission": emission, "Transition": transition, "Length": lengths(1, 2, 3)},
    error="ShapeError",
    match="Length",
)
table.error(
    {"Emission": lod(rand(4, 3), [[0, 4]]), "Transition": rand(4, 3)},
    error="ShapeError",
    match="Transition",
)
table.error({"Emission": rand(4, 3), "Transition": transition}, error="ShapeError", match="no LoD")
table.error(
    {
        "Emission": lod(rand(4, 3), [[0, 4]]),
        "Transition": transition,
        "Label": randint(5, 1),
    },
    error="ShapeError",
    match="Label",
)
table.error(
    {"Emission": emission, "Transition": transition, "Length": rand(2)},
    error="DataTypeError",
    match="Length",
)


def only_known_tags(result: dict) -> None:
    path = result["ViterbiPath"][0][0]
    assert path.shape == (4, 1) and ((path >= 0) & (path < 3)).all()


nan = np.full((4, 3), np.nan, "float32")
table.case({"Emission": lod(nan, [[0, 4]]), "Transition": transition}, check=only_known_tags)
test_crf_decoding = table.tests()
