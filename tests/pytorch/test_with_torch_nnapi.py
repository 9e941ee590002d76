"""PyTorch's own NNAPI client, which loads libneuralnetworks.so by its name."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from lite.api.cpp import sdk_path

PROGRAM = """
import torch
from torch import nn
from torch.backends._nnapi.prepare import convert_model_to_nnapi

class Branches(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Sequential(nn.Conv2d(3, 8, 3, 2, 1), nn.BatchNorm2d(8), nn.ReLU6())
        self.depth = nn.Sequential(nn.Conv2d(8, 8, 3, 1, 1, groups=8), nn.PReLU(8))
        self.up = nn.ConvTranspose2d(8, 4, 2, 2)
        self.last = nn.Linear(8, 5)
    def forward(self, x):
        x = self.first(x)
        x = x + self.depth(x)
        y = self.last(x.mean([2, 3])).softmax(1)
        return y, torch.relu(self.up(x)), nn.functional.max_pool2d(x, 2, 2)

class Lists(nn.Module):
    def forward(self, a, b):
        c = torch.cat([a * b, a - b, a / b], 1)
        return torch.sigmoid(c).reshape(2, -1), c.unsqueeze(1)

def check(module, *inputs):
    module.eval()
    with torch.no_grad():
        traced = torch.jit.trace(module, inputs)
        expected = module(*inputs)
        images = [x.contiguous(memory_format=torch.channels_last) if x.dim() == 4 else x
                  for x in inputs]
        for x in images:
            x.nnapi_nhwc = x.dim() == 4
        got = convert_model_to_nnapi(traced, images)(*images)
    single = isinstance(expected, torch.Tensor)
    for a, b in zip([expected] if single else expected, [got] if single else got):
        torch.testing.assert_close(b.contiguous(), a.contiguous(), rtol=1e-4, atol=1e-5)

torch.manual_seed(0)
check(Branches(), torch.randn(1, 3, 16, 16))
check(Branches(), torch.randn(2, 3, 12, 20))
check(Lists(), torch.randn(2, 3), torch.rand(2, 3) + 1)
check(nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3)), torch.randn(5, 4))
check(nn.AvgPool2d(2, 2), torch.randn(1, 4, 8, 8))
check(nn.Hardtanh(-1.0, 1.0), torch.randn(3, 4))
check(nn.LogSoftmax(1), torch.randn(3, 4))

from torch.ao import quantization

torch.backends.quantized.engine = "qnnpack"  # sums of the others saturate without VNNI

class Quantised(nn.Module):
    def __init__(self):
        super().__init__()
        self.enter, self.leave = quantization.QuantStub(), quantization.DeQuantStub()
        self.first, self.relu = nn.Conv2d(3, 8, 3, 1, 1), nn.ReLU()
        self.last = nn.Conv2d(8, 4, 3, 2, 1)
    def forward(self, x):
        return self.leave(self.last(self.relu(self.first(self.enter(x)))))

module = Quantised().eval()
module.qconfig = quantization.QConfig(
    activation=quantization.HistogramObserver.with_args(reduce_range=False),
    weight=quantization.default_weight_observer,
)
module = quantization.prepare(quantization.fuse_modules(module, [["first", "relu"]]))
x = torch.randn(1, 3, 8, 8)
module(x)
module = quantization.convert(module)
x = x.contiguous(memory_format=torch.channels_last)
x.nnapi_nhwc = True
with torch.no_grad():
    traced = torch.jit.trace(module, x)
    got = convert_model_to_nnapi(traced, x)(x)
assert (module(x) - got).abs().max() <= 1.01 * module.last.scale
print("all agree")
"""


@pytest.mark.filterwarnings("ignore")
def test_models() -> None:
    """Modules that are traced, converted and run give what torch gives."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(sdk_path() / "lib")}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", PROGRAM],
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "all agree"
