from harness import OpTable, rand
from pool_cases import SETTINGS, expand

table = OpTable("pool3d")
for kind in ("max", "avg"):
    for setting in SETTINGS:
        table.case({"X": rand(1, 2, 5, 6, 4)}, {"pooling_type": kind, **expand(setting, 3)})
    table.case(
        {"X": rand(1, 2, 4, 5, 6)},
        {
            "pooling_type": kind,
            "ksize": [1, 2, 3],
            "strides": [2, 1, 3],
            "paddings": [0, 0, 1, 0, 1, 1],
            "data_format": "AnyLayout",
        },
    )
table.case({"X": rand(1, 2, 4, 5, 6, dtype="float64")}, {"pooling_type": "max", "ksize": [2] * 3})
table.error({"X": rand(1, 2, 4, 5)}, {"pooling_type": "max", "ksize": [2] * 3}, match="rank 5")
table.error({"X": rand(1, 2, 4, 5, 6)}, {"pooling_type": "max", "ksize": [2] * 2}, match="ksize")
test_pool3d = table.tests()
