"""lite.torch.export: `.nb` files that run without torch."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812
from torch_checking import difference
from torch_networks import NETWORKS, made

import lite
import lite.torch
from lite.errors import ModelFormatError, UnsupportedOperatorError
from lite.tools.opt.main import main
from lite.torch.exported import read_exported

# torch's own tracing of these fixes the batch.
FIXED = ("lstm", "lstm_batch_first", "gru")


@pytest.mark.parametrize("name", NETWORKS)
def test_networks(name: str, tmp_path: Path) -> None:
    module, args = made(name)
    batch = None if name in FIXED else [{0: torch.export.Dim("batch", min=1, max=64)} for _ in args]
    path = lite.torch.export(module, args, tmp_path / "model", dynamic_shapes=batch)
    predictor = lite.load(path)
    for size in (2,) if batch is None else (2, 3, 1):
        given = tuple(x if batch is None else torch.cat([x, x])[:size] for x in args)
        with torch.no_grad():
            expected = module(*given)
        results = predictor.run([x.numpy() for x in given])
        leaves = torch.utils._pytree.tree_leaves(expected)
        assert not difference([torch.from_numpy(r) for r in results.values()], leaves)


class Composite(nn.Module):
    """Operators that torch.export keeps and that have no row of their own, windows, nothing."""

    def forward(self, x: torch.Tensor) -> list[torch.Tensor]:
        windows = x.unfold(1, 4, 3).unfold(2, 3, 2)
        joined = torch.cat([x.neg(), x[..., 7:] * 2], dim=-1)  # of nothing, as rotary embeddings do
        return [torch.einsum("bij,bkj->bik", x, x), torch.min(x, 2 * x), windows, joined]


def test_operators_that_are_made_of_others(tmp_path: Path) -> None:
    x = torch.randn(2, 11, 7)
    results = lite.load(lite.torch.export(Composite(), (x,), tmp_path / "one.nb")).run([x.numpy()])
    assert not difference([torch.from_numpy(r) for r in results.values()], Composite()(x))


class Standardised(nn.Module):
    """Weights and positions that are made by operators which are not computed here."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.randn(6, 3, 3, 3))
        self.register_buffer("steps", torch.arange(6, dtype=torch.float64) / 6)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weight = F.batch_norm(self.weight.reshape(1, 6, -1), None, None, training=True)
        angles = torch.outer(torch.arange(x.shape[-1]).double(), 100.0**-self.steps)
        positions = torch.stack([angles.sin(), angles.cos()]).sum(0).float()
        return F.conv2d(x, weight.view_as(self.weight), padding=1) + positions.T[:, None]


def test_constants_that_torch_computes(tmp_path: Path) -> None:
    module, x = Standardised().eval(), torch.randn(2, 3, 7, 5)
    (result,) = (
        lite.load(lite.torch.export(module, (x,), tmp_path / "one.nb")).run([x.numpy()]).values()
    )
    with torch.no_grad():
        assert not difference(torch.from_numpy(result), module(x))


class Named(nn.Module):
    """Two inputs whose order and names matter."""

    def forward(self, second: torch.Tensor, first: torch.Tensor) -> dict[str, torch.Tensor]:
        return {"difference": second - first, "larger": torch.maximum(second, first)}


def test_names_and_no_torch(tmp_path: Path) -> None:
    x, y = torch.rand(2, 3), torch.rand(2, 3)
    path = lite.torch.export(Named(), (x, y), tmp_path / "named.nb")
    predictor = lite.load(path)
    assert [info.name for info in predictor.inputs] == ["second", "first"]
    assert [info.name for info in predictor.outputs] == ["difference", "larger"]
    code = (
        "import sys, numpy, lite\n"
        f"r = lite.load({str(path)!r}).run([numpy.ones((2, 3), 'float32')] * 2)\n"
        "assert not r['difference'].any() and 'torch' not in sys.modules"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_all_refusals_at_once() -> None:
    class Odd(nn.Module):
        def forward(self, x: torch.Tensor) -> Any:
            return torch.linalg.inv(x), torch.fft.fft(x).real

    exported = torch.export.export(Odd(), (torch.eye(3),))
    with pytest.raises(UnsupportedOperatorError) as caught:
        lite.torch.to_program(exported)
    assert "linalg_inv" in str(caught.value) and "fft" in str(caught.value)


def test_saved_programs(tmp_path: Path) -> None:
    module, args = made("vit")
    file = tmp_path / "model.pt2"
    torch.export.save(torch.export.export(module, args), file)
    with torch.no_grad():
        expected = module(*args)
    with pytest.raises(ModelFormatError, match="paddle_lite_opt --torch"):
        lite.load(file)
    assert main(["--torch", str(file), "--optimize_out", str(tmp_path / "out")]) == 0
    (result,) = lite.load(tmp_path / "out.nb").run([args[0].numpy()]).values()
    assert not difference(torch.from_numpy(result), expected)


def test_files_that_are_no_programs(tmp_path: Path) -> None:
    file = tmp_path / "model.pt2"
    file.write_bytes(b"not a zip")
    with pytest.raises(ModelFormatError, match="no program of torch"):
        read_exported(file)
    assert main(["--torch", str(file), "--optimize_out", str(tmp_path / "out")]) == 1
    assert main(["--torch", "model.onnx", "--optimize_out", str(tmp_path / "out")]) == 1
