"""A folder that shows a fault alone: a model, inputs, expected outputs and a script."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from lite.api.system_errors import system_errors
from lite.errors import LiteError
from lite.model.save import write_protobuf_dir

if TYPE_CHECKING:
    from lite.api.compare.flat import Piece
    from lite.api.compare.jobs import Value
    from lite.api.compare.workbench import Workbench

_SCRIPT = '''\
"""@WHAT@

Ends with 0 where the device is right, with 1 where it is not (or as the device ends it).
"""

import sys
import tempfile
from pathlib import Path

import numpy as np

import lite
from lite.api.devices import DeviceOptions
from lite.core.partition import PartitionOptions

HERE = Path(__file__).resolve().parent
DEVICES = @DEVICES@
PROPERTIES = @PROPERTIES@
TOLERANCE = @TOLERANCE@  # of the largest expected number, or
SNR = @SNR@  # decibels
RUNS = @RUNS@  # numbers of inputs_*.npz, in the order in which they are run
MODULES = @MODULES@  # that register devices


def read(path):
    """Arrays by name, with their LoD."""
    with np.load(path) as archive:
        arrays = dict(archive)
    names = [name for name in arrays if ".lod" not in name]
    lods = {key: arrays[key].tolist() for key in arrays if ".lod" in key}
    return {
        name: (arrays[name], [lods[key] for key in lods if key.startswith(name + ".lod")])
        for name in names
    }


def wrong(found, wanted):
    """What is wrong with an array; nothing where it is right."""
    if found.shape != wanted.shape or found.dtype != wanted.dtype:
        return f"is {found.dtype}{list(found.shape)}, not {wanted.dtype}{list(wanted.shape)}"
    found, wanted = found.astype(np.float64), wanted.astype(np.float64)
    both = np.isfinite(found) & np.isfinite(wanted)
    if not np.array_equal(found[~both], wanted[~both], equal_nan=True):
        return "has NaN or infinite elements that are wrong"
    error = np.abs(found[both] - wanted[both]).max(initial=0)
    top = np.abs(wanted[both]).max(initial=0)
    if SNR is not None:
        noise = np.square(found[both] - wanted[both]).sum()
        few = noise * 10 ** (SNR / 10) > np.square(wanted[both]).sum()
        return f"has less than {SNR} dB" if few else ""
    return f"is off by {error:.6g} of at most {top:.6g}" if error > TOLERANCE * top else ""


def run(predictor, numbers, label=""):
    """Runs and complains; returns how many outputs were wrong."""
    count = 0
    for at, number in enumerate(numbers):
        outputs = predictor.run(read(HERE / f"inputs_{number}.npz"))
        for name, (wanted, _) in read(HERE / f"expected_{number}.npz").items():
            text = wrong(outputs[name], wanted)
            count += bool(text)
            print(f"run {at + 1}{label}: {name} {text or 'is right'}", flush=True)
    return count


def main():
    for module in MODULES:
        __import__(module)
    with tempfile.TemporaryDirectory() as cache:
        options = DeviceOptions(
            DEVICES,
            properties=PROPERTIES,
            cache_dir=cache,
            partition_config_path=str(HERE / "partition.txt"),
            options=PartitionOptions(no_compute=True, shape_arithmetic=True),
            strict=True,
        )
        count = run(lite.load(HERE / "model", devices=options), RUNS)
        count += run(lite.load(HERE / "model", devices=options), RUNS[:1], " from the cache")
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
'''


def write_reproduction(
    bench: Workbench, piece: Piece, label: str, wrong: str, folder: str, number: int
) -> str:
    """Writes the folder of one fault into ``folder``; returns its path."""
    name = re.sub(r"[^\w]+", "_", label).strip("_")[:60]
    path = Path(folder, f"{number:02}_{name}")
    with system_errors(LiteError):
        path.mkdir(parents=True, exist_ok=True)
        write_protobuf_dir(piece.program, path / "model")
        (path / "partition.txt").write_text(piece.config + "\n", encoding="utf-8")
        for at, values in enumerate(bench.values):
            _write(path / f"inputs_{at}.npz", {n: values[n] for n in piece.feeds})
            _write(path / f"expected_{at}.npz", {n: values[n] for n in piece.fetches})
        (path / "reproduce.py").write_text(_script(bench, label, wrong), encoding="utf-8")
    return os.fspath(path)


def write_summary(config: str, report: str, folder: str) -> None:
    """Writes the partition config that avoids all faults, and the report."""
    with system_errors(LiteError):
        Path(folder, "partition.txt").write_text(config, "utf-8", "surrogateescape")
        Path(folder, "report.txt").write_text(report, "utf-8", "surrogateescape")


def _write(path: Path, values: dict[str, Value]) -> None:
    arrays: dict[str, Any] = {}
    for name, (array, lod) in values.items():
        arrays[name] = array
        for level, offsets in enumerate(lod):
            arrays[f"{name}.lod{level}"] = np.asarray(offsets, np.int64)
    with open(path, "wb") as file:
        np.savez(file, **arrays)


def _script(bench: Workbench, label: str, wrong: str) -> str:
    settings = bench.settings
    what = f"{label} of {bench.name} on {', '.join(settings.devices)}: {wrong}"
    plain = what.replace("\\", "/").replace('"""', "'''")
    parts = {
        "WHAT": plain.encode("ascii", "replace").decode(),
        "DEVICES": repr(tuple(settings.devices)),
        "PROPERTIES": repr(settings.properties),
        "TOLERANCE": repr(bench.limit.tolerance),
        "SNR": repr(bench.limit.snr),
        "RUNS": repr([run.inputs for run in bench.runs]),
        "MODULES": repr(list(settings.modules)),
    }
    return re.sub("@([A-Z]+)@", lambda mark: parts[mark[1]], _SCRIPT)
