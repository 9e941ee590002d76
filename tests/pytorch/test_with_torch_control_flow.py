"""torch.cond and while_loop, exported and compiled, and their reasons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn
from torch._higher_order_ops.while_loop import while_loop
from torch_checking import difference

import lite
import lite.torch
from lite.errors import UnsupportedOperatorError
from lite.torch.compile import backend, reporting


@pytest.fixture(autouse=True)
def _fresh() -> Any:
    torch._dynamo.reset()
    yield
    torch._dynamo.reset()


class Branches(nn.Module):
    """Weights in one branch, another's operand, two results of several types."""

    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> Any:
        def yes(x: torch.Tensor) -> Any:
            return self.dense(x).relu(), x.argmax(1)

        def no(x: torch.Tensor) -> Any:
            return x.flip(1) - 1, torch.zeros_like(x[:, 0], dtype=torch.int64)

        y, where = torch.cond(x.sum() > 0, yes, no, (x,))
        return y * 2, where + 1


class Sizes(nn.Module):
    """A condition on a size, which a branch reads as well."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cond(
            x.shape[0] > 3,
            lambda x: x.reshape(-1).sin().reshape(x.shape[0], 4) * x.shape[0],
            lambda x: x.cos() - x.shape[0],
            (x,),
        )


class Fibonacci(nn.Module):
    """Carried values that change places, and a condition on one."""

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        def goes_on(a: torch.Tensor, b: torch.Tensor, turn: torch.Tensor) -> torch.Tensor:
            return (a.sum() < 100) & (turn < 20)

        def body(a: torch.Tensor, b: torch.Tensor, turn: torch.Tensor) -> Any:
            return b.clone(), a + b, turn + 1

        a, b, turn = while_loop(goes_on, body, (x, x.abs() + 1, torch.tensor(0)))
        return torch.cat([a, b]) + turn


class Nested(nn.Module):
    """A branch in a loop, with weights in both."""

    def __init__(self) -> None:
        super().__init__()
        self.dense, self.other = nn.Linear(4, 4), nn.Linear(4, 4)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        def body(i: torch.Tensor, h: torch.Tensor) -> Any:
            h = torch.cond(i % 2 == 0, lambda h: self.dense(h).tanh(), lambda h: h - 0.5, (h,))
            return i + 1, self.other(h)

        i, h = while_loop(lambda i, h: i < 5, body, (torch.tensor(0), x))
        return h * i


MODULES = (Branches, Sizes, Fibonacci, Nested)


def inputs() -> list[torch.Tensor]:
    """Both branches, no turn and many, several batches."""
    generator = torch.Generator().manual_seed(3)
    x = torch.rand(7, 4, generator=generator)
    return [x[:2], -x[:2], x[:5], -x[:5], x[:2] * 1000, x[:1], x * 1e-3]


@pytest.mark.parametrize("kind", MODULES, ids=lambda kind: kind.__name__)
def test_exported(kind: type[nn.Module], tmp_path: Path) -> None:
    torch.manual_seed(1)
    module = kind().eval()
    shapes = [{0: torch.export.Dim("batch", min=1, max=64)}]
    path = lite.torch.export(module, (inputs()[0],), tmp_path / "model", dynamic_shapes=shapes)
    predictor = lite.load(path)
    for x in inputs():
        results = [torch.from_numpy(y) for y in predictor.run([x.numpy()]).values()]
        with torch.no_grad():
            assert not difference(results, module(x))


@pytest.mark.parametrize("kind", MODULES, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize(("dynamic", "devices"), [(False, []), (True, []), (True, ["python"])])
def test_compiled(kind: type[nn.Module], dynamic: bool, devices: list[str]) -> None:
    torch.manual_seed(1)
    module = kind().eval()
    options = {"strict": True, "devices": devices}
    compiled = torch.compile(module, backend=backend, dynamic=dynamic, options=options)
    with torch.no_grad(), reporting() as report:
        for x in inputs()[:4]:
            assert not difference(compiled(x), module(x))
        if kind is Nested:
            module.get_parameter("dense.weight").mul_(2)
            assert not difference(compiled(x), module(x))
    assert report.share == 1


def test_a_branch_that_stays_with_torch(tmp_path: Path) -> None:
    class Inverse(nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            def yes(x: torch.Tensor) -> torch.Tensor:
                return torch.linalg.inv(x).contiguous() * 2

            y = torch.cond(x.sum() > 0, yes, lambda x: x + 1, (x * 2 + 1,))
            return y.relu() + 1

    x = torch.rand(3, 3) + torch.eye(3)
    with torch.no_grad():
        report = lite.torch.explain(Inverse(), (x,))
        assert "linalg_inv" in report.fallbacks["higher_order.cond"]
        assert not difference(torch.compile(Inverse(), backend=backend)(x), Inverse()(x))
    with pytest.raises(UnsupportedOperatorError, match=r"cond: .*linalg_inv"):
        lite.torch.export(Inverse(), (x,), tmp_path / "model")
