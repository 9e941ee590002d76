"""Writes the GEMM microkernels, one function for each number of rows and of vectors.

Each runs tiles that follow each other in rows or in columns: a call takes as long as dozens of
products.

Accumulators are named variables: GCC keeps an array of them in memory.
"""

from __future__ import annotations

import sys

# Set of kernels -> {vectors of a panel: most rows}. Accumulators, vectors of B and one broadcast
# fit into the registers.
TILE_SETS: dict[str, dict[int, int]] = {
    "wide": {1: 12, 2: 12, 3: 8},  # 32 registers
    "avx2": {1: 12, 2: 6, 3: 4},  # 16 registers
    "sse": {1: 8, 2: 4, 3: 3},  # 16 registers, products need one too
}
CONDITIONS = {"wide": "defined(__AVX512F__) || !defined(__x86_64__)", "avx2": "defined(__AVX2__)"}
UNROLL = 4
ASKED = ("next", "next + kLineFloats", "also", "also + kLineFloats")  # in an unrolled step
INTEGER_ROWS = 8  # most of a kernel that reads B in integers
# Panels of two vectors that a single row is multiplied by at once: sums that wait for each other
# would be too few for the units.
PANELS_ACROSS = 4


def name_of(rows: int, vectors: int, kind: str) -> str:
    """The name of a function."""
    return f"{kind}Tile{rows}x{vectors}"


def tile(rows: int, vectors: int, kind: str) -> list[str]:
    """The function for one shape; ``Half``: the last vector's upper lanes are not in use;
    ``Integer``: B is in integers; ``Across``: of several panels of two vectors."""
    each = [(r, v) for r in range(rows) for v in range(vectors)]
    last = vectors - 1

    def stores(value: str) -> list[str]:
        lines = []
        for r, v in each:
            at, n, lanes = f"{r} * ld + {v} * kW", *(("N", ", lanes") if v == last else ("", ""))
            d = f"Load{n}(d + {r} * ldd + {v} * kW{lanes})"
            lines += [f"    Store{n}(out + {at}, {value.format(r=r, v=v, d=d)}{lanes});"]
        return lines

    integers, width = kind == "Integer", 2 if kind == "Across" else vectors
    out = [f"static void {name_of(rows, vectors, kind)}(const GemmTile& t) {{"]
    out += ["  const int lanes = t.lanes;", "  const float *next = t.next, *also = t.also;"]
    out += ["  const float *bias = t.bias, *in = t.in;", "  const float* const* rows = t.rows;"]
    out += ["  float* out = t.out;", "  const int64_t ld = t.ldout;"]
    if integers:
        out += ["  const int8_t* b = t.integers;"]
        out += [f"  const V s{v} = Load(t.scales + {v} * kW);" for v in range(vectors)]
    else:
        out += ["  const float* b = t.b;"]
    count = rows * vectors
    out += [f"  alignas(64) float kept[{count} * kW];"]
    out += ["  for (int64_t i = 0; i < t.tiles; ++i, out += t.out_step) {"]
    out += ["  const int64_t next_step = next < t.next_end ? t.next_step : 0;"]
    out += ["  const int64_t also_step = also < t.also_end ? t.also_step : 0;"]
    out += ["  if (t.asks) {"]
    out += [f"    AskToWrite(out + {r} * ld, {vectors});" for r in range(rows)]
    out += ["  }"]
    out += [f"  V c{r}_{v};" for r, v in each]
    out += ["  if (in != nullptr) {", *(f"    c{r}_{v} = Splat(0.0f);" for r, v in each)]
    out += ["  } else {"]
    out += [f"    c{r}_{v} = Load(bias + {v} * kW);" for r, v in each]
    out += ["  }", "  int64_t done = 0;"]
    out += ["  bool keeps = false;", "  for (int64_t s = 0; s < t.segments; ++s) {"]
    out += ["    const int64_t offset = t.offsets[s], length = t.length;"]
    out += [f"    const float* a{r} = rows[{r}] + offset;" for r in range(rows)]
    out += ["    for (int64_t k = 0; k < length;) {"]
    out += ["      const int64_t end = PartEnd(t, k, done);", "      done += end - k;"]
    for unroll in (UNROLL, 1):
        step = f"k += {unroll}, b += {unroll * width} * kW"
        out += [f"      for (; k + {unroll} <= end; {step}) {{"]
        if unroll == UNROLL:
            out += [f"        PrefetchL2({at});" for at in ASKED]
            out += ["        next += next_step;", "        also += also_step;"]
        for u in range(unroll):
            out += ["        {"]
            for v in range(vectors):
                at = f"b + {u * width + v % width} * kW"
                at += f" + {v // width} * t.b_across" if v >= width else ""
                value = f"WidenInts({at}) * s{v}" if integers else f"Load({at})"
                out += [f"          const V b{v} = {value};"]
            if vectors == 1:
                low = "Low" if kind == "Half" else ""
                out += [
                    f"          MulAddAt{low}(&c{r}_0, a{r} + k + {u}, b0);" for r in range(rows)
                ]
            for r in range(rows if vectors > 1 else 0):
                out += [f"          const V x{r} = Splat(a{r}[k + {u}]);"]
                for v in range(vectors):
                    low = "Low" if kind == "Half" and v == last else ""
                    out += [f"          MulAdd{low}(&c{r}_{v}, x{r}, b{v});"]
            out += ["        }"]
        out += ["      }"]
    places = [(f"c{r}_{v}", f"kept + {(r * vectors + v)} * kW") for r, v in each]
    out += ["      if (done >= t.part) {", "        done = 0;", "        if (keeps) {"]
    out += [f"          {c} = {c} + Load({at});" for c, at in places]
    out += ["        }", "        keeps = true;"]
    out += [f"        Store({at}, {c});" for c, at in places]
    out += [f"        {c} = Splat(0.0f);" for c, _ in places]
    out += ["      }", "    }", "  }", "  if (keeps) {"]
    out += [f"    {c} = {c} + Load({at});" for c, at in places]
    out += ["  }", "  if (in != nullptr) {"]
    for r, v in each:
        n, lanes = ("N", ", lanes") if v == last else ("", "")
        out += [f"    c{r}_{v} = c{r}_{v} + Load{n}(in + {r} * t.ldin + {v} * kW{lanes});"]
    out += ["    in += t.in_step;", "  }"]
    # What the next tile reads.
    out += ["  rows += t.rows_step;", "  bias += t.bias_step;"]
    out += [f"  b = t.{'integers' if integers else 'b'} + (i + 1) * t.b_step;"]
    out += ["  if (t.finish == kRaw) {", *stores("c{r}_{v}"), "    continue;", "  }"]
    out += ["  const V p0 = Splat(t.p0);", "  if (t.finish == kAtLeast) {"]
    out += [*stores("AtLeast(c{r}_{v}, p0)"), "    continue;", "  }"]
    out += ["  const V p1 = Splat(t.p1), p2 = Splat(t.p2), p3 = Splat(t.p3);"]
    out += ["  if (t.finish == kClamp) {", *stores("Clamp(c{r}_{v}, p0, p1)")]
    out += ["  } else if (t.finish == kHardSwish) {"]
    out += stores("HardSwish(c{r}_{v}, p0, p1, p2)")
    out += ["  } else if (t.finish == kHardSwishAffine) {", "    const V p4 = Splat(t.p4);"]
    out += stores("HardSwish(c{r}_{v}, p0, p1, p2) * p3 + p4")
    out += ["  } else {"]
    out += ["    const float* d = t.residual + i * t.residual_step;"]
    out += ["    const int64_t ldd = t.ldresidual;"]
    out += stores("Clamp(Clamp(c{r}_{v}, p0, p1) + {d}, p2, p3)")
    return [*out, "  }", "  }", "}", ""]


def table(kind: str, shapes: dict[int, int]) -> list[str]:
    """All functions and the table [vectors][rows] of them."""
    most = max(shapes.values())
    out = []
    for vectors, rows in shapes.items():
        for count in range(1, rows + 1):
            out += tile(count, vectors, kind)
    out += [f"static void (*const k{kind}Tiles[4][{most + 1}])(const GemmTile&) = {{", "    {},"]
    for vectors, rows in shapes.items():
        names = ", ".join(name_of(count, vectors, kind) for count in range(1, rows + 1))
        out += [f"    {{nullptr, {names}}},"]
    return [*out, "};"]


def tile_set(shapes: dict[int, int]) -> list[str]:
    """A set's functions; those of halves where they are less work."""
    rows = ", ".join(str(shapes[v]) for v in (1, 2, 3))
    out = [f"constexpr int kTileRows[] = {{0, {rows}}};", "", *table("", shapes)]
    few = {vectors: min(most, INTEGER_ROWS) for vectors, most in shapes.items()}
    rows = ", ".join(str(few[v]) for v in (1, 2, 3))
    out += [f"constexpr int kIntegerTileRows[] = {{0, {rows}}};", "", *table("Integer", few)]
    out += tile(1, 2 * PANELS_ACROSS, "Across")
    if shapes is TILE_SETS["wide"]:
        out += ["#if defined(__AVX512F__)", *table("Half", shapes), "#endif"]
    return out


def main() -> None:
    """Writes to the path given as the only argument."""
    lines = [f"// Generated by {sys.argv[0].rsplit('/', 1)[-1]}."]
    lines += [f"constexpr int kTileUnroll = {UNROLL}, kPanelsAcross = {PANELS_ACROSS};", ""]
    keyword = "#if"
    for name, condition in CONDITIONS.items():
        lines += [f"{keyword} {condition}", *tile_set(TILE_SETS[name])]
        keyword = "#elif"
    lines += ["#else", *tile_set(TILE_SETS["sse"]), "#endif", ""]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main()
