"""docs/generated/whole_models.md: how whole real and small models compile for vendors' devices.

    LITE_TEST_MODELS=FOLDER python tests/nnadapter/whole_models.py      # writes it

The partitioning is ours, by the operators that the public Paddle Lite tree lists for a device. It
stands against what that tree's own conversion would make of the same program: every operator that
is listed, in clusters that are as large as can be. Each subgraph is then compiled by
drivers/strict.cc, which records it: what no converter of the vendor's public driver knows is named.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
import warnings
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from lite.api.build import Source, make_core
from lite.api.device_check import DeviceCheck
from lite.api.devices import DeviceOptions
from lite.core.optimizer.vendors import vendor_operators
from lite.core.partition import PartitionOptions, PartitionRequest, Placement, partition
from lite.model.program import DataType, Program
from lite.nnadapter.table import DEVICES as DEVICES_OF_LETTERS
from lite.nnadapter.types import OperationType

HERE = Path(__file__).resolve().parent
PAGE = HERE.parents[1] / "docs" / "generated" / "whole_models.md"
PIR = HERE.parent / "models" / "data" / "pir" / "models.zip"

DEVICES = "huawei_ascend_npu rockchip_npu verisilicon_timvx mediatek_apu intel_openvino".split()
REAL = """ch_ppocr_mobile_v2.0_cls_infer ch_PP-OCRv3_det_infer ch_PP-OCRv3_rec_infer
ch_PP-OCRv4_det_infer ch_PP-OCRv4_rec_infer PP-OCRv5_mobile_det PP-OCRv5_mobile_rec""".split()
SMALL = """tiny_cnn residual squeeze_excite convs lc_net shuffle_net hg_stem conv_next edsr_rep unet
pp_lite_seg heat_maps center_net yolo_head crnn svtr qat_convolutions ptq_convolutions""".split()
STRICT = "strict_npu"

INTRODUCTION = """\
# Whole models on vendors' devices

How many operators of a model a device takes, in how many subgraphs, behind them what the public
Paddle Lite tree's own conversion makes of the same program. Made by
`python tests/nnadapter/whole_models.py`; do not edit. A driver is not needed for it: devices are
judged by the operators that the public tree lists for them (`../partitioning.md`). Fewer operators
in as many subgraphs or fewer: clusters that only move data stay on the CPU (`no_compute`).

Every subgraph was compiled and run by a test driver that insists on the forms that the public
drivers count on (two outputs of max pools, `output_padding`, constants of full rank, no shape
arithmetic of known numbers, ...). **Unknown**: operations in these subgraphs for which the vendor's
public driver has no converter, though the list takes the operator.
"""


@dataclass
class Tally:
    """One model on one device."""

    operators: int = 0
    taken: int = 0
    subgraphs: int = 0
    upstream_taken: int = 0
    upstream_subgraphs: int = 0
    unknown: set[str] = field(default_factory=set)

    def text(self) -> str:
        whole = self.taken == self.operators and self.subgraphs == 1
        ours = "whole" if whole else f"{self.taken} of {self.operators} in {self.subgraphs}"
        same = (self.taken, self.subgraphs) == (self.upstream_taken, self.upstream_subgraphs)
        theirs = "" if same else f" ({self.upstream_taken} in {self.upstream_subgraphs})"
        return ours + theirs


@cache
def converters() -> dict[str, frozenset[str]]:
    """The operations that each vendor's public driver converts."""
    return {
        hal.name: frozenset(o.name for o in OperationType if letter in o.devices)
        for letter, hal in DEVICES_OF_LETTERS.items()
    }


class Listed:
    """A support check: the vendor's list, then ours, drivers/strict.cc being the driver."""

    def __init__(self, device: str, ours: bool) -> None:
        self.types = vendor_operators()[device]
        self.check = DeviceCheck([STRICT]) if ours else None

    def __call__(
        self, program: Program, block: int, clusters: list[list[int]], /
    ) -> Mapping[int, str]:
        ops = program.blocks[block].ops
        asked = {at for some in clusters for at in some}
        refused = {at: "not listed" for at in asked if ops[at].type not in self.types}
        left = [[at for at in some if at not in refused] for some in clusters]
        left = [some for some in left if some]
        if self.check and left:
            refused.update(self.check(program, block, left))
        return refused


def partitioned(program: Program, device: str, ours: bool) -> tuple[Program, Placement]:
    request = PartitionRequest(
        (STRICT,),
        Listed(device, ours),
        # The public tree's conversion leaves nothing that is listed.
        options=PartitionOptions(no_compute=not ours, shape_arithmetic=not ours),
    )
    return partition(program, request)


def tally(path: Path, device: str) -> Tally:
    """Partitions a model both ways, and runs the subgraphs of ours on the recording driver."""
    after, ours = partitioned(Source(path).read(), device, True)
    _, upstream = partitioned(Source(path).read(), device, False)
    present = [op for op in ours.operators if op.place != "folded"]
    skipped = [op for op in present if op.type in ("feed", "fetch")]
    found = Tally(
        len(present) - len(skipped),
        len(ours.on_device()),
        len(ours.subgraphs),
        len(upstream.on_device()),
        len(upstream.subgraphs),
    )
    for model in recorded(after):
        for operation in model["operations"]:
            name = OperationType(operation["type"]).name
            if name not in converters()[device]:
                found.unknown.add(name)
    return found


def recorded(program: Program) -> list[dict[str, Any]]:
    """The models that the driver gets when the program runs once."""
    feeds = [fed(program, op.outputs["Out"][0]) for op in program.root.ops if op.type == "feed"]
    with tempfile.NamedTemporaryFile("r", suffix=".json") as record, environment(record.name):
        core = make_core(program, DeviceOptions((STRICT,), strict=True).core_settings())
        core.run_with([(feed, []) for feed in feeds])
        return [json.loads(line) for line in record]


def fed(program: Program, name: str) -> np.ndarray:
    """Zeros for an input; a picture whose size is open has 64 rows and columns."""
    desc = program.root.vars[name]
    sizes = (1, 3, 64, 64)
    shape = [dim if dim > 0 else sizes[at % 4] for at, dim in enumerate(desc.shape)]
    whole = {DataType.INT32: np.int32, DataType.INT64: np.int64, DataType.UINT8: np.uint8}
    return np.zeros(shape, whole.get(desc.dtype, np.float32))


@contextmanager
def environment(record: str) -> Iterator[None]:
    before = os.environ.get("PROBE_RECORD")
    os.environ["PROBE_RECORD"] = record
    try:
        yield
    finally:
        os.environ.pop("PROBE_RECORD")
        if before is not None:
            os.environ["PROBE_RECORD"] = before


def small(names: Sequence[str], folder: Path) -> list[Path]:
    """Models of the stored exports, unpacked into a folder."""
    with zipfile.ZipFile(PIR) as archive:
        members = [n for n in archive.namelist() if n.split("/")[0] in names]
        archive.extractall(folder, members)
    return [folder / name for name in names]


def real(names: Sequence[str]) -> list[Path]:
    """Models of the folder that LITE_TEST_MODELS names."""
    root = Path(os.environ["LITE_TEST_MODELS"])
    return [next(iter(sorted(root.rglob(name)))) for name in names]


def page(paths: Sequence[Path]) -> str:
    """The page as text."""
    lines = [f"| model | {' | '.join(DEVICES)} |", "|---|" + "---|" * len(DEVICES)]
    unknown: dict[str, set[str]] = {device: set() for device in DEVICES}
    for path in paths:
        cells = []
        for device in DEVICES:
            found = tally(path, device)
            cells.append(found.text())
            unknown[device] |= found.unknown
        name = path.name.removesuffix("_infer")
        lines.append(f"| {name} | {' | '.join(cells)} |")
        print(lines[-1], flush=True)
    notes = [
        f"| {device} | {', '.join(sorted(names)) or 'none'} |" for device, names in unknown.items()
    ]
    table = "\n".join([*lines, "", "| device | unknown |", "|---|---|", *notes])
    return f"{INTRODUCTION}\n{table}\n"


def main() -> None:
    """Writes the page."""
    sys.path.insert(0, str(HERE))
    from probes import build

    warnings.simplefilter("ignore")
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder), STRICT, "strict.cc")
        os.environ["NNADAPTER_DEVICE_PATH"] = folder
        PAGE.write_text(page([*real(REAL), *small(SMALL, Path(folder))]), encoding="utf-8")


if __name__ == "__main__":
    main()
