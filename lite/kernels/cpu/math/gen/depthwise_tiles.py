"""Writes the depthwise microkernels: a few neighbouring output pixels of a few output rows, all
channels.

An input vector is loaded once for all the taps and the pixels that use it. Where a kernel's row is
long, its rows take turns with two sums of a pixel: multiply-adds do not wait for each other.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass

ANY = 0
# Rows of the kernel, its columns, stride. The first one that fits is taken.
SHAPES = [
    *((size, size, stride) for size in (3, 5) for stride in (1, 2)),
    (7, 7, 1),
    *((ANY, size, stride) for size in (3, 5, 7) for stride in (1, 2)),
]
PIXELS = (1, 2, 3, 4)
# Set of kernels -> {rows and stride of the kernel: most output rows}; else 1.
TILE_SETS: dict[str, dict[tuple[int, int], int]] = {
    "many": {(3, 1): 2, (3, 2): 2, (5, 1): 2, (5, 2): 2, (7, 1): 2},
    "sse": {(3, 1): 2, (3, 2): 2},  # more sums are kept in memory
}


@dataclass
class Shape:
    """A kernel's rows, columns and stride, and the output pixels and rows of a function."""

    rows: int
    size: int
    stride: int
    pixels: int
    together: int

    @property
    def name(self) -> str:
        rows = f"r{self.together}" if self.together > 1 else ""
        return f"Tile{self.rows or 'Any'}x{self.size}s{self.stride}p{self.pixels}{rows}"

    @property
    def sums(self) -> str:
        return "ab" if self.size > 3 else "a"


def input_row(shape: Shape, load: str, row: int) -> list[str]:
    """The products of one input row, `row` rows after `x`."""
    columns = (shape.pixels - 1) * shape.stride + shape.size
    taps = [(r, row - r * shape.stride) for r in range(shape.together)]
    taps = [(r, ky) for r, ky in taps if 0 <= ky < (shape.rows or 2)]
    out = ["    {"]
    for ky in sorted({ky for _, ky in taps}):
        for kx in range(shape.size):
            out += [f"      const V w{ky}_{kx} = Load(w + {ky * shape.size + kx} * padded);"]
    for column in range(columns):
        pixel = f"x[{row * columns + column}] + shift + c"
        out += [f"      const V x{column} = " + load.format(pixel)]
        for r, ky in taps:
            sums = shape.sums[ky % len(shape.sums)]
            for p in range(shape.pixels):
                kx = column - p * shape.stride
                if 0 <= kx < shape.size:
                    out += [f"      {sums}{r}_{p} += x{column} * w{ky}_{kx};"]
    return [*out, "    }"]


def body(shape: Shape, load: str, store: str) -> list[str]:
    """One vector of channels; `load` and `store` are formats."""
    each = [(r, p) for r in range(shape.together) for p in range(shape.pixels)]
    out = ["    const V bias = Load(t.bias + c);", "    const float* w = t.weights + c;"]
    out += ["    const float* const* x = t.x;"]
    for r, p in each:
        for s in shape.sums:
            out += [f"    V {s}{r}_{p} = {'bias' if s == 'a' else 'V{}'};"]
    for row in range(shape.rows + (shape.together - 1) * shape.stride if shape.rows else 0):
        out += input_row(shape, load, row)
    if shape.rows == ANY:
        out += ["    int64_t left = t.rows;", "    for (; left > 1; left -= 2) {"]
        out += input_row(shape, load, 0)
        out += input_row(shape, load, 1)
        out += [f"      w += {2 * shape.size} * padded;"]
        out += [f"      x += {2 * ((shape.pixels - 1) * shape.stride + shape.size)};"]
        out += ["    }", "    if (left > 0)"]
        out += input_row(shape, load, 0)
    for r, p in each:
        total = " + ".join(f"{s}{r}_{p}" for s in shape.sums)
        out += [f"    const V y{r}_{p} = Finished(t.act, {total});"]
    rows = ["", " + y_row", *(f" + {r} * y_row" for r in range(2, shape.together))]
    for r, p in each:
        to = f"y{rows[r]} + {p} * ldy + c"
        out += ["    " + store.format(to, f"y{r}_{p}"), f"    __builtin_prefetch({to} + ahead, 1);"]
    return out


def tile(shape: Shape) -> list[str]:
    """The function for one kernel size, stride and number of pixels."""
    out = [f"static void {shape.name}(const DepthwiseTile& t) {{"]
    out += ["  const int64_t channels = t.channels, ldy = t.ldy, padded = t.padded_channels;"]
    out += ["  const int64_t ahead = t.ahead;"]
    out += ["  const int64_t y_row = t.y_row;"] if shape.together > 1 else []
    out += ["  float* y = t.y;", "  int64_t shift = 0;"]
    step = f"shift += t.x_step, y += {shape.pixels} * ldy"
    out += [f"  for (int64_t g = 0; g < t.groups; ++g, {step}) {{"]
    out += ["  int64_t c = 0;", "  for (; c + kW <= channels; c += kW) {"]
    out += body(shape, "Load({});", "Store({}, {});")
    out += ["  }", "  if (c < channels) {", "    const int tail = static_cast<int>(channels - c);"]
    out += body(shape, "LoadN({}, tail);", "StoreN({}, {}, tail);")
    return [*out, "  }", "  }", "}", ""]


def tile_set(rows_together: dict[tuple[int, int], int]) -> list[str]:
    """A set's functions and the table of them."""
    most = max(rows_together.values())
    lines = [f"constexpr int kMaxTogether = {most};", "struct DepthwiseShape {"]
    lines += ["  int64_t rows, size, stride;  // rows 0: any number"]
    lines += ["  int together;                // most output rows of a function"]
    lines += ["  void (*tiles[kMaxTogether][kMaxPixels])(const DepthwiseTile&);", "};", ""]
    table = []
    for kernel in SHAPES:
        together = rows_together.get((kernel[0], kernel[2]), 1)
        functions = []
        for count in range(1, together + 1):
            shapes = [Shape(*kernel, pixels, count) for pixels in PIXELS]
            for shape in shapes:
                lines += tile(shape)
            functions += ["{" + ", ".join(shape.name for shape in shapes) + "}"]
        numbers = ", ".join(str(number) for number in (*kernel, together))
        table += [f"    {{{numbers}, {{{', '.join(functions)}}}}},"]
    lines += [f"static const DepthwiseShape kShapes[{len(SHAPES)}] = {{", *table]
    return [*lines, "};"]


def main() -> None:
    """Writes to the path given as the only argument."""
    lines = [f"// Generated by {sys.argv[0].rsplit('/', 1)[-1]}."]
    lines += ["#if defined(__AVX2__) || !defined(__x86_64__)", *tile_set(TILE_SETS["many"])]
    lines += ["#else", *tile_set(TILE_SETS["sse"]), "#endif", ""]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main()
