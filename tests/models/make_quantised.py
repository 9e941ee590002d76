"""Writes the fixtures in data/quantised anew with paddlepaddle 2.6.2.

One export of each kind with its inputs and what Paddle makes of them: `python make_quantised.py`.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import make_models
import numpy as np
import paddle
import quantised
from recipes import RECIPES

DATA = Path(__file__).parent / "data" / "quantised"

FIXTURES = (
    "ptq_convolutions_onnx_channels",
    "ptq_convolutions_fake_tensor",
    "ptq_attention_fake_channels",
    "qat_convolutions_fake_channels",
)


def _without_callstacks(path: Path) -> None:
    program = paddle.static.Program.parse_from_string(path.read_bytes())
    for block in program.blocks:
        for op in block.ops:
            op.desc.remove_attr("op_callstack")
    path.write_bytes(program.desc.serialize_to_string())


def _write_fixtures() -> None:
    for name in (*FIXTURES, "weight_only"):
        with tempfile.TemporaryDirectory() as root:
            feeds = quantised.pictures() if "attention" not in name else quantised.words()
            if name == "weight_only":
                folder, oracle = quantised.weight_only(
                    quantised.Mobile, quantised.PICTURE, quantised.CHANNELS, 8, root
                )
            else:
                folder = oracle = make_models.make(RECIPES[name], root)
            expected = make_models.oracle(oracle, feeds)
            _without_callstacks(Path(folder) / "inference.pdmodel")
            target = DATA / name
            target.mkdir(parents=True, exist_ok=True)
            for file in ("inference.pdmodel", "inference.pdiparams"):
                (target / file).write_bytes((Path(folder) / file).read_bytes())
            arrays = {}
            for at, (feed, outputs) in enumerate(zip(feeds, expected, strict=True)):
                arrays[f"in{at}"] = feed["x"]
                arrays[f"out{at}"] = next(iter(outputs.values()))[0]
            np.savez_compressed(target / "expected.npz", **arrays)


if __name__ == "__main__":
    _write_fixtures()
