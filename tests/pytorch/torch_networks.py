"""Networks of the kinds that people compile, small, with random weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch import nn
from torch.nn import functional as F  # noqa: N812

Case = tuple[nn.Module, tuple[Any, ...]]


class Residual(nn.Module):
    """Two convolutions with batch norm beside a shortcut."""

    def __init__(self, inner: int, outer: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inner, outer, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outer),
            nn.ReLU(inplace=True),
            nn.Conv2d(outer, outer, 3, 1, 1, bias=False),
            nn.BatchNorm2d(outer),
        )
        self.short = nn.Conv2d(inner, outer, 1, stride)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return F.relu(self.body(x) + self.short(x))


def resnet() -> nn.Module:
    """A small residual classifier."""
    return nn.Sequential(
        nn.Conv2d(3, 8, 7, 2, 3),
        nn.MaxPool2d(3, 2, 1),
        Residual(8, 16, 2),
        Residual(16, 16, 1),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Linear(16, 10),
    )


class SqueezeExcite(nn.Module):
    """MobileNetV3's block."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.depthwise = nn.Conv2d(channels, channels, 5, 1, 2, groups=channels)
        self.norm = nn.BatchNorm2d(channels)
        self.down, self.up = nn.Conv2d(channels, 4, 1), nn.Conv2d(4, channels, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = F.hardswish(self.norm(self.depthwise(x)))
        scale = F.hardsigmoid(self.up(F.relu(self.down(F.adaptive_avg_pool2d(y, 1)))))
        return x + y * scale


class Shuffle(nn.Module):
    """ShuffleNet's split, branch and shuffle."""

    def __init__(self) -> None:
        super().__init__()
        self.branch = nn.Sequential(nn.Conv2d(8, 8, 1), nn.ReLU6(), nn.Conv2d(8, 8, 3, 1, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        left, right = x.chunk(2, 1)
        joined = torch.cat([left, self.branch(right)], 1)
        n, c, h, w = joined.shape
        return joined.view(n, 2, c // 2, h, w).transpose(1, 2).reshape(n, c, h, w)


class UNet(nn.Module):
    """Down and up again, with a skip."""

    def __init__(self) -> None:
        super().__init__()
        self.down, self.mid = nn.Conv2d(3, 8, 3, padding=1), nn.Conv2d(8, 16, 3, padding=1)
        self.up, self.norm = nn.ConvTranspose2d(16, 8, 2, 2), nn.GroupNorm(2, 8)
        self.head = nn.Conv2d(16, 2, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = F.silu(self.norm(self.down(x)))
        y = F.leaky_relu(self.mid(F.max_pool2d(x, 2)))
        wide = F.interpolate(self.head(torch.cat([x, self.up(y)], 1)), scale_factor=2.0)
        return F.interpolate(wide, size=(40, 40), mode="bilinear", align_corners=False)


class ConvNext(nn.Module):
    """A depthwise 7x7, a norm of channels last, and an inverted bottleneck."""

    def __init__(self) -> None:
        super().__init__()
        self.depthwise = nn.Conv2d(12, 12, 7, padding=3, groups=12)
        self.norm, self.up, self.down = nn.LayerNorm(12), nn.Linear(12, 48), nn.Linear(48, 12)
        self.scale = nn.Parameter(torch.full((12,), 0.5))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.norm(self.depthwise(x).permute(0, 2, 3, 1))
        return x + (self.scale * self.down(F.gelu(self.up(y)))).permute(0, 3, 1, 2)


class Attention(nn.Module):
    """A ViT's block: patches, a class token, heads, GELU."""

    def __init__(self) -> None:
        super().__init__()
        self.patch = nn.Conv2d(3, 24, 8, 8)
        self.token = nn.Parameter(torch.rand(1, 1, 24))
        self.norm, self.qkv = nn.LayerNorm(24), nn.Linear(24, 72)
        self.out, self.head = nn.Linear(24, 24), nn.Linear(24, 5)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.patch(x).flatten(2).transpose(1, 2)
        x = torch.cat([self.token.expand(x.shape[0], -1, -1), x], 1)
        n, length, width = x.shape
        qkv = self.qkv(self.norm(x)).reshape(n, length, 3, 4, width // 4).permute(2, 0, 3, 1, 4)
        y = F.scaled_dot_product_attention(*qkv.unbind(0)).transpose(1, 2)
        x = x + self.out(y.reshape(n, length, width))
        return self.head(x[:, 0])


class Shifted(nn.Module):
    """Swin's windows: roll, view in six axes, a relative bias by index."""

    def __init__(self) -> None:
        super().__init__()
        self.qkv, self.table = nn.Linear(16, 48), nn.Parameter(torch.rand(49, 2))
        self.register_buffer("index", torch.randint(0, 49, (256,)))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        n, h, w, c = x.shape
        x = torch.roll(x, (-2, -2), (1, 2))
        x = x.view(n, h // 4, 4, w // 4, 4, c).permute(0, 1, 3, 2, 4, 5).reshape(-1, 16, c)
        q, k, v = self.qkv(x).reshape(-1, 16, 3, 2, c // 2).permute(2, 0, 3, 1, 4)
        bias = self.table[self.index].view(16, 16, 2).permute(2, 0, 1).unsqueeze(0)
        y = ((q * 0.35) @ k.transpose(-2, -1) + bias).softmax(-1) @ v
        return y.transpose(1, 2).reshape(n, -1, c)


class Decoder(nn.Module):
    """One step of a decoder: rotary angles, RMS norm, a cache of keys and values, causal mask."""

    def __init__(self) -> None:
        super().__init__()
        self.embed, self.qkv = nn.Embedding(50, 32), nn.Linear(32, 96, bias=False)
        self.weight, self.head = nn.Parameter(torch.rand(32)), nn.Linear(32, 50)

    def forward(
        self, ids: torch.Tensor, keys: torch.Tensor, values: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        x = self.embed(ids)
        x = x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6) * self.weight
        n, length, _ = x.shape
        q, k, v = self.qkv(x).view(n, length, 3, 4, 8).permute(2, 0, 3, 1, 4)
        angle = torch.arange(length)[:, None] * torch.arange(8)[None] * 0.1
        q, k = q * angle.cos() + q.flip(-1) * angle.sin(), k * angle.cos()
        k, v = torch.cat([keys, k], 2), torch.cat([values, v], 2)
        mask = torch.ones(length, k.shape[2], dtype=torch.bool).tril(k.shape[2] - length)
        y = F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
        return self.head(y.transpose(1, 2).reshape(n, length, 32)), k, v


class Detector(nn.Module):
    """A head over two levels with boxes decoded and the best of each picture."""

    def __init__(self) -> None:
        super().__init__()
        self.levels = nn.ModuleList([nn.Conv2d(8, 9, 3, padding=1), nn.Conv2d(8, 9, 3, padding=1)])

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        maps = [self.levels[0](x), self.levels[1](F.avg_pool2d(x, 2))]
        rows = torch.cat([m.flatten(2).permute(0, 2, 1) for m in maps], 1)
        centre, size, scores = rows.split([2, 2, 5], -1)
        boxes = torch.cat([centre - size.exp() / 2, centre + size.exp() / 2], -1).clamp(-4, 4)
        best, label = scores.sigmoid().max(-1)
        top, where = best.topk(3, -1)
        return boxes.gather(1, where[..., None].expand(-1, -1, 4)), top, label


def _picture(channels: int = 3, size: int = 32) -> torch.Tensor:
    return torch.rand(2, channels, size, size)


def _encoder() -> nn.Module:
    return nn.TransformerEncoder(nn.TransformerEncoderLayer(32, 4, 64, batch_first=True), 2)


NETWORKS: dict[str, Callable[[], Case]] = {
    "resnet": lambda: (resnet(), (_picture(),)),
    "squeeze_excite": lambda: (SqueezeExcite(8), (_picture(8),)),
    "shuffle": lambda: (Shuffle(), (_picture(16),)),
    "unet": lambda: (UNet(), (_picture(),)),
    "convnext": lambda: (ConvNext(), (_picture(12),)),
    "vit": lambda: (Attention(), (_picture(),)),
    "swin": lambda: (Shifted(), (torch.rand(2, 8, 8, 16),)),
    "detector": lambda: (Detector(), (_picture(8, 8),)),
    "encoder": lambda: (_encoder(), (torch.rand(2, 7, 32),)),
    "decoder": lambda: (
        Decoder(),
        (torch.randint(0, 50, (2, 3)), torch.rand(2, 4, 5, 8), torch.rand(2, 4, 5, 8)),
    ),
    "lstm": lambda: (nn.LSTM(16, 24, 2, bidirectional=True), (torch.rand(5, 2, 16),)),
    "lstm_batch_first": lambda: (nn.LSTM(16, 24, batch_first=True), (torch.rand(2, 5, 16),)),
    "gru": lambda: (nn.GRU(16, 24, 2), (torch.rand(5, 2, 16),)),
    "conv1d": lambda: (
        nn.Sequential(nn.Conv1d(4, 8, 3, padding=1), nn.BatchNorm1d(8), nn.GLU(1)),
        (torch.rand(2, 4, 20),),
    ),
}


def made(name: str) -> Case:
    """A network in evaluation with its inputs, the same each time."""
    torch.manual_seed(0)
    module, args = NETWORKS[name]()
    for layer in module.modules():
        if isinstance(layer, (nn.BatchNorm1d, nn.BatchNorm2d)):
            nn.init.uniform_(layer.running_mean)  # type: ignore[arg-type]
            nn.init.uniform_(layer.running_var, 0.5, 1.5)  # type: ignore[arg-type]
    return module.eval(), args
