"""Plain loops over windows of images, the reference of convolutions and poolings."""

import itertools
import math

import numpy as np


def pads_of(auto_pad, pads, sizes, kernel, strides):
    """[(before, after)] of height and width."""
    if auto_pad == 1:
        result = []
        for size, k, s in zip(sizes, kernel, strides, strict=True):
            total = max((math.ceil(size / s) - 1) * s + k - size, 0)
            result.append((total // 2, total - total // 2))
        return result
    if auto_pad == 2 or pads is None or len(pads) == 0:
        return [(0, 0), (0, 0)]
    return [(int(pads[0]), int(pads[1])), (int(pads[2]), int(pads[3]))]


def conv(x, w, bias, auto_pad, pads, strides, group, dilations, sample=None):
    """A convolution in float64; `sample(n, c, oy, ox, ky, kx)` replaces reading a padded image."""
    group = int(group[0])
    dilations = [1, 1] if int(auto_pad[0]) == 1 else [int(d) for d in dilations]
    (top, bottom), (left, right) = pads_of(
        int(auto_pad[0]), pads, x.shape[2:], w.shape[2:], [int(s) for s in strides]
    )
    padded = np.pad(x.astype(np.float64), [(0, 0), (0, 0), (top, bottom), (left, right)])
    spans = [d * (k - 1) + 1 for d, k in zip(dilations, w.shape[2:], strict=True)]
    height = (padded.shape[2] - spans[0]) // int(strides[0]) + 1
    width = (padded.shape[3] - spans[1]) // int(strides[1]) + 1
    out = np.zeros((len(x), len(w), height, width))
    per_group, channels = len(w) // group, w.shape[1]
    for oy, ox, ky, kx in itertools.product(
        range(height), range(width), range(w.shape[2]), range(w.shape[3])
    ):
        if sample is None:
            y, z = oy * strides[0] + ky * dilations[0], ox * strides[1] + kx * dilations[1]
            taps = padded[:, :, y, z]
        else:
            taps = sample(oy, ox, ky, kx)
        for m in range(len(w)):
            first = m // per_group * channels
            out[:, m, oy, ox] += taps[:, first : first + channels] @ w[m, :, ky, kx]
    return out if bias is None else out + np.reshape(bias, (1, -1, 1, 1))


def conv_transpose(x, w, bias, pads, strides, group, dilations, extra):
    """What each input element adds to the output, in float64. `pads` are pairs."""
    group = int(group[0])
    spans = [int(d) * (k - 1) + 1 for d, k in zip(dilations, w.shape[2:], strict=True)]
    full = [(n - 1) * int(s) + k for n, s, k in zip(x.shape[2:], strides, spans, strict=True)]
    (top, bottom), (left, right) = pads
    shape = [full[0] + max(extra[0], 0), full[1] + max(extra[1], 0)]
    out = np.zeros((len(x), w.shape[1] * group, *shape))
    channels = x.shape[1] // group
    for iy, ix, ky, kx in itertools.product(*map(range, (*x.shape[2:], *w.shape[2:]))):
        y, z = iy * strides[0] + ky * dilations[0], ix * strides[1] + kx * dilations[1]
        for g in range(group):
            taps = x[:, g * channels : (g + 1) * channels, iy, ix].astype(np.float64)
            added = taps @ w[g * channels : (g + 1) * channels, :, ky, kx]
            out[:, g * w.shape[1] : (g + 1) * w.shape[1], y, z] += added
    out = out[:, :, top : full[0] - bottom + extra[0], left : full[1] - right + extra[1]]
    return out if bias is None else out + np.reshape(bias, (1, -1, 1, 1))


def average_pool(x, auto_pad, pads, kernel, strides, ceil_mode, counts):
    """A window is clipped at the padded edge; padding inside it counts if asked for."""
    kernel, strides = [int(k) for k in kernel], [int(s) for s in strides]
    (top, bottom), (left, right) = pads_of(int(auto_pad[0]), pads, x.shape[2:], kernel, strides)
    padded = np.pad(x.astype(np.float64), [(0, 0), (0, 0), (top, bottom), (left, right)])
    inside = np.pad(np.ones(x.shape[2:]), [(top, bottom), (left, right)])
    rounded = math.ceil if ceil_mode[0] else math.floor
    height = rounded((padded.shape[2] - kernel[0]) / strides[0]) + 1
    width = rounded((padded.shape[3] - kernel[1]) / strides[1]) + 1
    out = np.zeros((*x.shape[:2], height, width))
    for oy, ox in itertools.product(range(height), range(width)):
        rows = slice(oy * strides[0], oy * strides[0] + kernel[0])
        columns = slice(ox * strides[1], ox * strides[1] + kernel[1])
        window = padded[:, :, rows, columns]
        count = window[0, 0].size if counts[0] else inside[rows, columns].sum()
        out[:, :, oy, ox] = window.sum((2, 3)) / count if count else 0
    return out


def adaptive_windows(shape, wanted):
    """((oy, ox), (rows, columns)) of an adaptive pooling."""
    for oy, ox in itertools.product(range(wanted[0]), range(wanted[1])):
        edges = [
            slice(math.floor(o * n / m), math.ceil((o + 1) * n / m))
            for o, n, m in zip((oy, ox), shape, wanted, strict=True)
        ]
        yield (oy, ox), edges
