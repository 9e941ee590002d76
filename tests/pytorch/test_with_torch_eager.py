"""The eager mode and custom operators."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch_checking import difference
from torch_networks import made

import lite.torch
from lite.errors import ConfigError
from lite.torch.compile import backend

CUSTOM = """
all_version: [v2.13]
custom:
  - func: 'swish_of(Tensor x, float beta=1.0) -> Tensor'
    gen_lite: {exec: 'swish, X=x, beta=beta'}
    derivatives: {x: 'swish_of_grad(grad, x, beta)'}
  - func: 'swish_of_grad(Tensor grad, Tensor x, float beta) -> Tensor'
    gen_lite:
      exec:
        - 's = sigmoid, X=x'
        - 'r = scale, X=s, scale=-1.0, bias=1.0'
        - 'p = elementwise_mul, X=x, Y=r'
        - 'q = scale, X=p, bias=1.0'
        - 't = elementwise_mul, X=s, Y=q'
        - 'elementwise_mul, X=t, Y=grad'
  - func: 'rows_of(Tensor x, Tensor y) -> Tensor'
    gen_lite:
      out: {size: '[x.shape[0], y.shape[1]]', dtype: x}
      exec: 'matmul_v2, X=x, Y=y, trans_x=false, trans_y=false'
"""


def test_forms() -> None:
    x = torch.tensor([-1.0, 2.0])
    with lite.torch.mode() as here:
        assert torch.equal(torch.relu(x), torch.tensor([0.0, 2.0]))
        out = torch.empty(2)
        assert torch.abs(x, out=out) is out
        assert x.neg_() is x
    assert here.ran["aten.relu"] == here.ran["aten.abs.out"] == here.ran["aten.neg_"] == 1
    assert torch.equal(out, torch.tensor([1.0, 2.0]))
    assert torch.equal(x, torch.tensor([1.0, -2.0]))


def test_tiers() -> None:
    x = torch.rand(3, 3) + torch.eye(3)
    with lite.torch.mode() as here:
        found = torch.special.entr(x), torch.linalg.inv(x)
    assert not difference(found, (torch.special.entr(x), torch.linalg.inv(x)))
    assert "linalg_inv" in " ".join(here.fallbacks)
    assert here.ran["aten.log"]  # entr's decomposition


def test_views_stay_views() -> None:
    x = torch.zeros(2, 2)
    with lite.torch.mode():
        x.t()[0, 1] = 5.0
    assert x[1, 0] == 5.0


def test_gradients_above() -> None:
    module, (x,) = made("convnext")
    with lite.torch.mode() as here:
        module(x).sum().backward()
    ours = [parameter.grad.clone() for parameter in module.parameters()]  # type: ignore[union-attr]
    module.zero_grad()
    module(x).sum().backward()
    assert not difference(ours, [parameter.grad for parameter in module.parameters()])
    assert sum(here.ran.values()) > 5


@pytest.fixture(scope="module")
def custom(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    path = Path(tmp_path_factory.mktemp("custom"), "rows.yaml")
    path.write_text(CUSTOM)
    names = lite.torch.register(path)
    with pytest.raises(ConfigError, match="registered already"):
        lite.torch.register(path)
    return names


def test_custom_operators(custom: list[str]) -> None:
    assert custom == ["swish_of", "swish_of_grad", "rows_of"]
    x = torch.rand(2, 3, requires_grad=True)
    torch.ops.lite.swish_of(x).sum().backward()
    twin = x.detach().clone().requires_grad_()
    torch.nn.functional.silu(twin).sum().backward()
    assert not difference(x.grad, twin.grad)
    assert torch.library.opcheck(torch.ops.lite.swish_of.default, (x.detach(),), {"beta": 2.0})
    product = torch.ops.lite.rows_of(torch.rand(2, 3), torch.rand(3, 4))
    assert product.shape == (2, 4)


def test_custom_operators_compile_and_export(custom: list[str], tmp_path: Path) -> None:
    class Net(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return torch.ops.lite.swish_of(x, 1.5) * 2 + 1

    x = torch.rand(2, 3)
    expected = torch.nn.functional.silu(x * 1.5) / 1.5 * 2 + 1
    with torch.no_grad():
        compiled = torch.compile(Net(), backend=backend, options={"strict": True})
        assert not difference(compiled(x), expected)
    path = lite.torch.export(Net(), (x,), tmp_path / "custom.nb")
    (result,) = lite.load(path).run([x.numpy()]).values()
    assert not difference(torch.from_numpy(result), expected)


def test_only_custom_rows(tmp_path: Path) -> None:
    path = tmp_path / "rows.yaml"
    path.write_text(
        "all_version: [v2.13]\nofficial: [{func: 'abs(Tensor x) -> Tensor', "
        "gen_lite: {exec: 'abs, X=x'}}]"
    )
    with pytest.raises(ConfigError, match="no custom operator"):
        lite.torch.register(path)
