"""torch.compile(backend=...): numbers, reasons, weights that change, sizes that change."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import nn
from torch.nn import functional
from torch_checking import difference
from torch_networks import NETWORKS, made

import lite.torch
from lite.errors import ConfigError, LiteError
from lite.torch.compile import backend, reporting


@pytest.fixture(autouse=True)
def _fresh() -> Any:
    torch._dynamo.reset()
    torch._dynamo.config.allow_rnn = True
    yield
    torch._dynamo.reset()


@pytest.mark.parametrize("name", NETWORKS)
def test_networks(name: str) -> None:
    module, args = made(name)
    with torch.no_grad(), reporting() as report:
        result = torch.compile(module, backend=backend)(*args)
        assert not difference(result, module(*args))
    assert report.share >= 0.95, str(report)


def test_found_by_name() -> None:
    module, args = made("resnet")
    assert "lite" in torch._dynamo.list_backends(exclude_tags=())
    with torch.no_grad():
        assert not difference(torch.compile(module, backend="lite")(*args), module(*args))


def test_weights_that_change() -> None:
    module, args = made("resnet")
    compiled = torch.compile(module, backend=backend)
    with torch.no_grad():
        before = compiled(*args)
        for parameter in module.parameters():
            parameter.mul_(1.1)
        assert difference(compiled(*args), before)
        assert not difference(compiled(*args), module(*args))
        module[6].weight.data = torch.rand_like(module[6].weight)
        assert not difference(compiled(*args), module(*args))


def test_batch_sizes() -> None:
    module, (x,) = made("resnet")
    compiled = torch.compile(module, backend=backend)
    with torch.no_grad(), reporting() as report:
        for size in (2, 3, 4, 5, 7, 8):
            batch = torch.rand(size, *x.shape[1:])
            assert not difference(compiled(batch), module(batch))
    assert report.graphs <= 2


class Pyramid(nn.Module):
    def forward(self, x: torch.Tensor) -> torch.Tensor:
        up = functional.interpolate(x * 2, scale_factor=2, mode="nearest") + 1
        wide = functional.interpolate(up, size=(50, 60), mode="bilinear", align_corners=False)
        return functional.interpolate(wide.sin(), scale_factor=1.5, mode="bilinear") * x.mean()


def test_interpolation_stays_whole() -> None:
    module = Pyramid()
    compiled = torch.compile(module, backend=backend, dynamic=True)
    with torch.no_grad(), reporting() as report:
        for size in (16, 20, 24):
            x = torch.rand(1, 3, size, size + 4)
            assert not difference(compiled(x), module(x))
    assert report.graphs == 1
    assert not report.stayed
    assert sum(count for name, count in report.operators.items() if "upsample" in name) == 3
    x = torch.rand(1, 3, 16, 20, requires_grad=True)
    twin = x.detach().clone().requires_grad_()
    compiled(x).square().mean().backward()
    module(twin).square().mean().backward()
    assert x.grad is not None and twin.grad is not None
    assert not difference(x.grad, twin.grad)


def test_sizes_that_cross_groups() -> None:
    """Sizes that a group here computes for an operator that stays with torch."""

    def network(x: torch.Tensor) -> torch.Tensor:
        joined = torch.cat([x * 2 + 1, x]).relu() + 1
        stays = torch.nanmedian(joined.reshape(joined.shape[0] * 2, -1), dim=1).values
        return (stays.reshape(joined.shape[0], 2) * 3 + 1).expand(joined.shape[0], 2).sum(0)

    compiled = torch.compile(network, backend=backend, dynamic=True)
    with torch.no_grad(), reporting() as report:
        for size in (2, 3, 5):
            x = torch.rand(size, 6)
            assert not difference(compiled(x), network(x))
    assert set(report.stayed) == {"aten.nanmedian.dim"}


def test_training() -> None:
    module, (x,) = made("convnext")
    twin, _ = made("convnext")
    compiled = torch.compile(module, backend=backend)
    for network, call in ((module, compiled), (twin, twin)):
        for _ in range(2):
            network.zero_grad()
            call(x).square().mean().backward()
            with torch.no_grad():
                for parameter in network.parameters():
                    parameter -= 0.1 * parameter.grad  # type: ignore[operator]
    for ours, theirs in zip(module.parameters(), twin.parameters(), strict=True):
        assert not difference(ours.detach(), theirs.detach())


def test_reasons() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.linalg.inv(torch.relu(x) @ x + 4 * torch.eye(4)) + x.double().sum()

    report = lite.torch.explain(function, (torch.rand(4, 4),))
    assert "the table has no row for it" in report.fallbacks["aten.linalg_inv_ex"]
    assert "float64" in report.fallbacks["aten._to_copy"]
    assert 0 < report.share < 1
    assert "stays with torch" in str(report)


def test_constants_that_torch_computes() -> None:
    def function(x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        angles = torch.arange(4, dtype=torch.float64) / 3
        return x * angles.sin().float(), angles

    x = torch.rand(4, 4)
    compiled = torch.compile(function, backend=backend)
    for _ in range(2):
        result, angles = compiled(x)
        assert not difference([result, angles], list(function(x)))
        angles.zero_()  # the caller's own
    report = lite.torch.explain(lambda x: function(x)[0], (x,))
    assert report.share == 1 and not report.fallbacks


def test_strict() -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        return torch.linalg.inv(x)

    with pytest.raises(LiteError, match=r"aten\.linalg_inv_ex"):
        torch.compile(function, backend=backend, options={"strict": True})(torch.eye(3))


def test_a_device_runs_subgraphs() -> None:
    module, args = made("resnet")
    options = {"devices": ["builtin_device"]}
    with torch.no_grad():
        result = torch.compile(module, backend=backend, options=options)(*args)
        assert not difference(result, module(*args))


def test_unknown_options() -> None:
    with pytest.raises(Exception) as caught:
        torch.compile(lambda x: x + 1, backend=backend, options={"speed": 9})(torch.ones(2))
    cause = caught.value.__cause__ or caught.value
    assert isinstance(cause, ConfigError) or "unknown option 'speed'" in str(caught.value)


def test_a_group_that_cannot_run_here() -> None:
    """Tensors of ten dimensions are met when the group is built: torch runs it, unless strict."""

    def function(x: torch.Tensor) -> torch.Tensor:
        return (x * 2).transpose(0, 9) + 1

    x = torch.rand([2] * 10)
    compiled = torch.compile(function, backend=backend)
    with pytest.warns(RuntimeWarning, match="dimensions"), reporting() as report:
        assert torch.equal(compiled(x), function(x))
    assert set(report.fallbacks) == {"aten.mul.Tensor", "aten.transpose.int", "aten.add.Tensor"}
    assert all("dimensions" in reason for reason in report.fallbacks.values())
    assert report.share == 0
    assert torch.equal(compiled(x + 1), function(x + 1))
    torch._dynamo.reset()
    with pytest.raises(LiteError, match="dimensions"):
        torch.compile(function, backend=backend, options={"strict": True})(x)


def test_a_device_that_is_not_there() -> None:
    with pytest.raises(LiteError, match="no_such_npu"):
        torch.compile(lambda x: x.relu() + 1, backend=backend, options={"devices": "no_such_npu"})(
            torch.rand(3)
        )


@pytest.mark.parametrize("mode", ["nearest", "bilinear", "bicubic"])
def test_interpolation_to_free_sizes(mode: str) -> None:
    def function(x: torch.Tensor) -> torch.Tensor:
        size = (x.shape[2] * 2 + 1, x.shape[3] + 3)
        return functional.interpolate(x * 2, size=size, mode=mode) + 1

    compiled = torch.compile(function, backend=backend, dynamic=True, options={"strict": True})
    with torch.no_grad(), reporting() as report:
        for size in (9, 16):
            x = torch.rand(1, 3, size, size + 4)
            assert not difference(compiled(x), function(x))
    assert report.graphs == 1
    compiled = torch.compile(function, backend=backend)
    with torch.no_grad():
        assert compiled(torch.rand(0, 3, 8, 8)).shape == (0, 3, 17, 11)


def test_memory_formats() -> None:
    module, (x,) = made("unet")
    compiled = torch.compile(module, backend=backend)
    with torch.no_grad():
        for given in (
            x.to(memory_format=torch.channels_last),
            x.expand(2, 3, 32, 32),
            x[:, :, ::1],
        ):
            assert not difference(compiled(given), module(given))


def test_inputs_that_are_written() -> None:
    class Counter(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("seen", torch.zeros(1))

        def forward(self, x: torch.Tensor) -> torch.Tensor:
            self.seen += 1
            x.mul_(2.0)
            return x * self.seen + x.relu()

    ours, theirs = Counter(), Counter()
    compiled = torch.compile(ours, backend=backend)
    with torch.no_grad():
        for _ in range(3):
            a, b = torch.ones(3), torch.ones(3)
            assert not difference((compiled(a), a), (theirs(b), b))


def test_results_are_memory_of_their_own() -> None:
    module, args = made("squeeze_excite")
    compiled = torch.compile(module, backend=backend)
    with torch.no_grad():
        first = compiled(*args)
        kept = first.clone()
        compiled(torch.rand_like(args[0]))
        assert torch.equal(first, kept)
