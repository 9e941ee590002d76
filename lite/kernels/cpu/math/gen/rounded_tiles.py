"""Writes the microkernels of rounded products, a function for each number of rows and vectors.

The file is included once for each kind of product, in a namespace that says what it is: the macro
LITE_TILE_TARGET, the types Sum, Left and Right, kLeftBytes (of a word of the left-hand side),
kPhases (passes over a word's summands), kTail (whether a segment's last word may be half a word),
kGivesBytes (whether kBytes may be asked for), kExact (whether sums are the same in any order),
kExcess (whether there may be words in excess), Start, LeftWord, LeftTail, RightWord, Add and Reals.
Tiles end by kClamp, kBytes or kRaw. Accumulators are named variables: GCC keeps an array of them in
memory.
"""

from __future__ import annotations

import sys

# Set of kernels -> {vectors of a panel: most rows}. Accumulators, vectors of B, one broadcast and
# one product fit into the registers.
TILE_SETS: dict[str, dict[int, int]] = {
    "neon": {1: 12, 2: 8, 3: 6, 4: 4},  # 32 registers, panels of 4 vectors
    "wide": {1: 12, 2: 12, 3: 8},  # 32 registers
    "avx2": {1: 12, 2: 6, 3: 3},  # 16 registers
    "sse": {1: 8, 2: 4, 3: 3},  # 16 registers, copies of operands need one too
}
CONDITIONS = {
    "neon": "defined(__aarch64__)",
    "wide": "defined(__AVX512F__)",
    "avx2": "defined(__AVX2__) || defined(__wasm__)",
}
PHASES = 2
WAITING = 4
"""So many sums of one row's products are begun at once, which would wait for each other."""


def word(rows: int, vectors: int, left: str, phase: int) -> list[str]:
    """Adds one phase of the products of a word."""
    out = [f"const Right b{v} = RightWord<{phase}>(b + {4 * v} * kW);" for v in range(vectors)]
    for r in range(rows):
        out += [f"const Left x{r} = {left}<{phase}>(a{r});"]
        out += [f"Add(&c{r}_{v}, x{r}, b{v});" for v in range(vectors)]
    return out


def words_of_one(vectors: int) -> list[str]:
    """Adds words of one row into several sums for each vector, as far as they go."""
    each = [(i, v) for i in range(1, WAITING) for v in range(vectors)]
    out = ["if (kExact) {"] + [f"Sum e{i}_{v} = {{}};" for i, v in each]
    out += [f"for (; k + {WAITING} <= t.words; k += {WAITING}) {{"]
    for i in range(WAITING):
        out += ["{", f"const Left x = LeftWord<0>(a0 + {i} * kLeftBytes);"]
        for v in range(vectors):
            to, at = f"e{i}_{v}" if i else f"c0_{v}", 4 * (i * vectors + v)
            out += [f"Add(&{to}, x, RightWord<0>(b + {at} * kW));"]
        out += ["}"]
    out += [f"a0 += {WAITING} * kLeftBytes;", f"b += {4 * WAITING * vectors} * kW;", "}"]
    return out + [f"c0_{v} += e{i}_{v};" for i, v in each] + ["}"]


def finish_bytes(rows: int, vectors: int) -> list[str]:
    """Rounds sums of integers to bytes and stores them."""
    out = ["if (kGivesBytes && t.finish == kBytes) {", "const ByteEnd end(t.bytes);"]
    out += ["uint8_t* const bytes = reinterpret_cast<uint8_t*>(t.out) + i * t.out_step;"]
    for v in range(vectors):
        out += [f"const V scale{v} = Load(t.scales + {v} * kW), bias{v} = Load(t.bias + {v} * kW);"]
    for r in range(rows):
        steps = [f"end.Round((VI)c{r}_{v}, scale{v}, bias{v})" for v in range(vectors)]
        for v in range(0, vectors, 2):
            out += [f"end.Store(bytes + {r} * ld + {v} * kW, {', '.join(steps[v : v + 2])});"]
    return [*out, "continue;", "}"]


def finish(rows: int, vectors: int) -> list[str]:
    """Stores the sums."""
    each = [(r, v) for r in range(rows) for v in range(vectors)]
    out = ["#if defined(__AVX2__)", *finish_bytes(rows, vectors), "#endif"]
    out += ["if (t.finish == kRaw) {"]
    out += [f"Store(out + {r} * ld + {v} * kW, (V)c{r}_{v});" for r, v in each]
    out += ["continue;", "}", "const V p0 = Splat(t.p0), p1 = Splat(t.p1);"]
    out += [f"const V bias{v} = Load(t.bias + {v} * kW);" for v in range(vectors)]
    for r, v in each:
        n, lanes = ("N", ", t.lanes") if v == vectors - 1 else ("", "")
        x = f"Clamp(RealsOf(c{r}_{v}, t, {v}, bias{v}), p0, p1)"
        out += [f"Store{n}(out + {r} * ld + {v} * kW, {x}{lanes});"]
    return out


def tile(rows: int, vectors: int) -> list[str]:
    """The function for one shape."""
    each = [(r, v) for r in range(rows) for v in range(vectors)]
    out = [f"LITE_TILE_TARGET static void Tile{rows}x{vectors}(const RoundedTile& t) {{"]
    out += ["const char* const* rows = t.rows;", "float* out = t.out;"]
    out += ["const int64_t ld = t.ldout;"]
    out += ["for (int64_t i = 0; i < t.tiles; ++i, rows += t.rows_step, out += t.out_step) {"]
    out += [f"Sum c{r}_{v} = Start(t, {v});" for r, v in each]
    out += ["const char* b = t.b;"]
    out += ["for (int64_t s = 0; s < t.segments; ++s) {"]
    out += [f"const char* a{r} = rows[{r}] + t.offsets[s];" for r in range(rows)]
    steps = [f"a{r} += kLeftBytes;" for r in range(rows)]
    out += ["int64_t k = 0;", *(words_of_one(vectors) if rows == 1 else [])]
    out += [f"for (; k < t.words; ++k, b += {4 * vectors} * kW) {{"]
    for phase in range(PHASES):
        head = f"if (kPhases > {phase}) {{" if phase else "{"
        out += [head, *word(rows, vectors, "LeftWord", phase), "}"]
    out += [*steps, "}", "if (kTail && t.tail) {"]
    out += [*word(rows, vectors, "LeftTail", 0), f"b += {4 * vectors} * kW;", "}", "}"]
    out += ["if (kExcess) {", "const ExcessPlace* const end = t.places + t.excess;", "b = t.more;"]
    out += [f"for (const ExcessPlace* at = t.places; at != end; ++at, b += {4 * vectors} * kW) {{"]
    out += ["const int64_t left = t.offsets[at->segment] + at->word * kLeftBytes;"]
    out += [f"const char* const a{r} = rows[{r}] + left;" for r in range(rows)]
    out += [*word(rows, vectors, "LeftWord", 0), "}", "}"]
    return [*out, *finish(rows, vectors), "}", "}", ""]


def tile_set(shapes: dict[int, int]) -> list[str]:
    """All functions of a set and the table [vectors][rows] of them."""
    most = max(shapes.values())
    out = [
        f"constexpr int kTileRows[] = {{0, {', '.join(str(n) for n in shapes.values())}}};",
        "",
    ]
    for vectors, rows in shapes.items():
        for count in range(1, rows + 1):
            out += tile(count, vectors)
    out += [
        f"static void (*const kTiles[{len(shapes) + 1}][{most + 1}])(const RoundedTile&) = {{",
        "    {},",
    ]
    for vectors, rows in shapes.items():
        names = ", ".join(f"Tile{count}x{vectors}" for count in range(1, rows + 1))
        out += [f"    {{nullptr, {names}}},"]
    return [*out, "};"]


def main() -> None:
    """Writes to the path given as the only argument."""
    lines = [f"// Generated by {sys.argv[0].rsplit('/', 1)[-1]}."]
    keyword = "#if"
    for name, condition in CONDITIONS.items():
        lines += [f"{keyword} {condition}", *tile_set(TILE_SETS[name])]
        keyword = "#elif"
    lines += ["#else", *tile_set(TILE_SETS["sse"]), "#endif", ""]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main()
