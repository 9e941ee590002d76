import numpy as np
from harness import OpTable, lod, randint

table = OpTable("edit_distance")
BOTH = {"Out": 1, "SequenceNum": 1}
HYPS, REFS = randint(3, 5, high=3), randint(3, 4, high=3)
LENGTHS = {"HypsLength": np.array([5, 0, 2]), "RefsLength": np.array([3, 4, 1])}
SEQUENCES = {
    "Hyps": lod(HYPS.reshape(-1, 1), [[0, 4, 9, 15]]),
    "Refs": lod(REFS.reshape(-1, 1), [[0, 5, 6, 12]]),
}
for normalized in (False, True):
    attrs = {"normalized": normalized}
    table.case({"Hyps": HYPS, "Refs": REFS, **LENGTHS}, attrs, outputs=BOTH)
    table.case(SEQUENCES, attrs, outputs=BOTH)
table.case({"Hyps": HYPS, "Refs": REFS, **LENGTHS, "RefsLength": np.array([0, 0, 4])}, outputs=BOTH)
few = np.array([[1, 2, 3]], "int32"), np.array([[1, 3]], "int32")
table.case(
    {"Hyps": few[0], "Refs": few[1], "HypsLength": np.array([3]), "RefsLength": np.array([2])},
    reference=lambda *_: {"Out": np.array([[1]], "float32")},
)
GOOD = {"Hyps": HYPS, "Refs": REFS, **LENGTHS}
none = {**GOOD, "RefsLength": np.array([3, 0, 1])}
table.error(none, {"normalized": True}, error="ShapeError", match="sequence 1 of input Refs")
for slot, bad in (("HypsLength", 6), ("RefsLength", -1)):
    table.error({**GOOD, slot: np.array([1, bad, 1])}, error="ShapeError", match=slot)
    table.error({**GOOD, slot: np.array([1, 1])}, error="ShapeError", match=slot)
table.error({**GOOD, "Hyps": HYPS.astype("float32")}, error="DataTypeError", match="Hyps")
table.error({"Hyps": HYPS, "Refs": REFS}, error="ShapeError", match="LoD")
one = {slot: GOOD[slot] for slot in ("Hyps", "Refs", "HypsLength")}
table.error(one, error="ShapeError", match="expected both")
fewer = {**SEQUENCES, "Refs": lod(REFS.reshape(-1, 1), [[0, 12]])}
table.error(fewer, error="ShapeError", match="Refs 1")
test_edit_distance = table.tests()
