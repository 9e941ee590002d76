"""Writes the microkernels of products for 64-bit Arm, one function for each number of rows and of
vectors and each kind of product.

Assembly, so that nothing is spilled and loads stand where a core that runs in order needs them:
four words of each row are in a register, whose lanes are multiplied with vectors of the panel; a
row of the panel is loaded while the one before is used. A function runs any number of tiles one
below the other.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator

ROWS = {1: 12, 2: 8, 3: 6, 4: 4}  # vectors of a panel -> most rows
LANES = 4  # words of a row that are loaded at once
# General registers; x18 is the platform's.
TILE, B, OFFSETS, SEGMENTS, LEFT, LENGTH, ROW, OUT, LDOUT, REACHED, TILES, AT, STEP = (
    f"x{i}" for i in range(13)
)
POINTERS = [f"x{i}" for i in (13, 14, 15, 16, 17, 19, 20, 21, 22, 23, 24, 25)]
FIELDS = (
    "rows offsets length b in ldin out tiles bias start scales finish residual ldresidual "
    "p0 p1 p2 p3 p4"
).split()
FINISHES = "kRaw kAtLeast kClamp kHardSwish kResidual".split()

# Kind of product -> the instructions for one lane. `a` has to be among the first 16 registers where
# lanes are of 16 bits.
KINDS = {
    "Floats": ("fmla {c}.4s, {b}.4s, {a}.s[{lane}]",),
    "Bytes": ("sdot {c}.4s, {b}.16b, {a}.4b[{lane}]",),
    "Shorts": (
        "smlal {c}.4s, {b}.4h, {a}.h[{low}]",
        "smlal2 {c}.4s, {b}.8h, {a}.h[{high}]",
    ),
}


class Tile:
    """The assembly of one shape and kind."""

    def __init__(self, kind: str, rows: int, vectors: int) -> None:
        self.kind, self.rows, self.vectors = kind, rows, vectors
        self.together = {1: 1, 2: 2, 3: 1, 4: 1}[vectors]  # lanes whose vectors are loaded at once
        per_set = 4 if vectors == 1 else self.together * vectors
        sets = 1 if vectors == 1 else 2
        first = max(rows + per_set * sets, 8)  # finishing takes those before
        self.sets = [list(range(rows + per_set * s, rows + per_set * (s + 1))) for s in range(sets)]
        self.sums = [[first + r * vectors + v for v in range(vectors)] for r in range(rows)]

    def many(self, registers: list[int], suffix: str = "4s") -> str:
        return "{" + ", ".join(f"v{i}.{suffix}" for i in registers) + "}"

    def products(self, line: str, row: int, vectors: list[int], lane: int) -> Iterator[str]:
        """One instruction of the kind for a row and all vectors, which are in these registers."""
        lanes = {"lane": lane, "low": 2 * lane, "high": 2 * lane + 1}
        for c, b in zip(self.sums[row], vectors, strict=True):
            yield line.format(c=f"v{c}", b=f"v{b}", a=f"v{row}", **lanes)

    def load_b(self, registers: list[int]) -> str:
        return f"ld1 {self.many(registers)}, [{B}], #{16 * len(registers)}"

    def load_a(self, row: int) -> str:
        return f"ldr q{row}, [{POINTERS[row]}], #16"

    def ahead(self, lane: int, row: int, last: bool) -> list[str]:
        """What is loaded behind the products of a lane and a row."""
        out = []
        if lane == LANES - 1 and not last:
            out += [self.load_a(row)]
        if self.vectors == 1:
            ended = row == self.rows - 1 and lane % 2 == 1
            if ended and not last:
                pair = self.sets[0][lane - 1 : lane + 1]
                out += [f"ldp q{pair[0]}, q{pair[1]}, [{B}], #32"]
        elif row == 0 and lane % self.together == 0:
            chunk = lane // self.together
            if not last or chunk < LANES // self.together - 1:
                out += [self.load_b(self.sets[(chunk + 1) % 2])]
        return out

    def step(self, last: bool) -> Iterator[str]:
        """The products of four words; loads those of the next four unless it is the last."""
        for lane in range(LANES):
            now = self.sets[0 if self.vectors == 1 else lane // self.together % 2]
            at = lane if self.vectors == 1 else lane % self.together * self.vectors
            # A sum's next product has to wait for this one: all others come between.
            *lines, line = KINDS[self.kind]
            for early in lines:
                for row in range(self.rows):
                    yield from self.products(early, row, now[at : at + self.vectors], lane)
            for row in range(self.rows):
                yield from self.products(line, row, now[at : at + self.vectors], lane)
                yield from self.ahead(lane, row, last)

    def segment(self) -> Iterator[str]:
        """All words of a segment."""
        shift = ", lsl #2" if self.kind == "Floats" else ""
        words = f", {LENGTH}" if self.kind == "Floats" else f", {LENGTH}, lsl #2"
        yield "4:"
        yield f"ldr {AT}, [{OFFSETS}], #8"
        yield f"sub {STEP}, {AT}, {REACHED}"
        yield f"add {REACHED}, {AT}{words}"
        yield from (f"add {p}, {p}, {STEP}{shift}" for p in POINTERS[: self.rows])
        yield f"lsr {LEFT}, {LENGTH}, #2"
        yield f"cbz {LEFT}, 7f"
        yield from (self.load_a(row) for row in range(self.rows))
        yield self.load_b(self.sets[0])
        yield f"subs {LEFT}, {LEFT}, #1"
        yield "b.eq 6f"
        yield f"tbz {LEFT}, #0, 5f"
        yield from self.step(last=False)
        yield f"subs {LEFT}, {LEFT}, #1"
        yield "b.eq 6f"
        yield "5:"
        yield from self.step(last=False)
        yield from self.step(last=False)
        yield f"subs {LEFT}, {LEFT}, #2"
        yield "b.ne 5b"
        yield "6:"
        yield from self.step(last=True)
        yield "7:"
        yield f"ands {LEFT}, {LENGTH}, #3"
        yield "b.eq 9f"
        yield "8:"
        some = self.sets[0][: self.vectors]
        yield self.load_b(some)
        for row in range(self.rows):
            yield f"ldr s{row}, [{POINTERS[row]}], #4"
        for line in KINDS[self.kind]:
            for row in range(self.rows):
                yield from self.products(line, row, some, 0)
        yield f"subs {LEFT}, {LEFT}, #1"
        yield "b.ne 8b"
        yield "9:"
        yield f"subs {SEGMENTS}, {SEGMENTS}, #1"
        yield "b.gt 4b"

    def begin(self) -> Iterator[str]:
        """What the sums begin with, and where the rows are."""
        pointers = POINTERS[: self.rows]
        for first, second in zip(pointers[::2], pointers[1::2], strict=False):
            yield f"ldp {first}, {second}, [{ROW}], #16"
        if self.rows % 2:
            yield f"ldr {pointers[-1]}, [{ROW}], #8"
        if self.kind == "Floats":
            yield f"ldr {AT}, [{TILE}, %[in]]"
            yield f"cbz {AT}, 2f"
            yield f"ldr {STEP}, [{TILE}, %[ldin]]"
            yield f"lsl {STEP}, {STEP}, #2"
            yield from (f"ld1 {self.many(sums)}, [{AT}], {STEP}" for sums in self.sums)
            yield f"str {AT}, [{TILE}, %[in]]"
            yield "b 3f"
            yield "2:"
        yield f"ldr {AT}, [{TILE}, %[{'bias' if self.kind == 'Floats' else 'start'}]]"
        yield from (f"ld1 {self.many(sums)}, [{AT}]" for sums in self.sums)
        yield "3:"
        yield f"ldp {OFFSETS}, {SEGMENTS}, [{TILE}, %[offsets]]"
        yield f"ldr {B}, [{TILE}, %[b]]"
        yield f"mov {REACHED}, #0"
        yield f"cbz {SEGMENTS}, 10f"

    def each(self, *lines: str) -> Iterator[str]:
        """The lines for every sum; {c} is it, {v} its vector."""
        for line in lines:
            for sums in self.sums:
                for vector, register in enumerate(sums):
                    yield line.format(c=f"v{register}.4s", v=vector)

    def parameters(self, *names: str) -> Iterator[str]:
        """p0... in the registers from v0 on."""
        for name in names:
            yield f"add {AT}, {TILE}, %[{name}]"
            yield f"ld1r {{v{name[1]}.4s}}, [{AT}]"

    def reals(self) -> Iterator[str]:
        """Integer sums as what they stand for, with the bias."""
        if self.kind == "Floats":
            return
        free = list(range(self.vectors))
        yield f"ldr {AT}, [{TILE}, %[scales]]"
        yield f"ld1 {self.many(free)}, [{AT}]"
        yield from self.each("scvtf {c}, {c}", "fmul {c}, {c}, v{v}.4s")
        yield f"ldr {AT}, [{TILE}, %[bias]]"
        yield f"ld1 {self.many(free)}, [{AT}]"
        yield from self.each("fadd {c}, {c}, v{v}.4s")

    def hard_swish(self) -> Iterator[str]:
        """Two vectors at a time: v5 and v6 are free, v3 is zero."""
        flat = [register for sums in self.sums for register in sums]
        for first in range(0, len(flat), 2):
            some = [(c, f"v{5 + i}.4s") for i, c in enumerate(flat[first : first + 2])]
            yield from (f"fadd {t}, v{c}.4s, v2.4s" for c, t in some)
            yield from (f"fmul v{c}.4s, v{c}.4s, v1.4s" for c, _ in some)
            yield from (f"fmax {t}, {t}, v3.4s" for _, t in some)
            yield from (f"fmin {t}, {t}, v0.4s" for _, t in some)
            yield from (f"fmul v{c}.4s, v{c}.4s, {t}" for c, t in some)

    def finish(self) -> Iterator[str]:
        """Activation and residual, in registers."""
        yield "10:"
        yield from self.reals()
        yield f"ldr {AT}, [{TILE}, %[finish]]"
        yield f"cmp {AT}, %[kClamp]"
        yield "b.eq 12f"
        yield f"cmp {AT}, %[kAtLeast]"
        yield "b.eq 11f"
        yield f"cmp {AT}, %[kResidual]"
        yield "b.eq 14f"
        yield f"cmp {AT}, %[kRaw]"
        yield "b.eq 15f"
        yield from self.parameters("p0", "p1", "p2")
        yield "movi v3.4s, #0"
        yield from self.hard_swish()
        yield f"ldr {AT}, [{TILE}, %[finish]]"
        yield f"cmp {AT}, %[kHardSwish]"
        yield "b.eq 15f"
        yield from self.parameters("p3", "p4")
        yield from self.each("fmul {c}, {c}, v3.4s", "fadd {c}, {c}, v4.4s")
        yield "b 15f"
        yield "11:"
        yield from self.parameters("p0")
        yield from self.each("fmax {c}, {c}, v0.4s")
        yield "b 15f"
        yield "12:"
        yield from self.parameters("p0", "p1")
        yield from self.each("fmax {c}, {c}, v0.4s", "fmin {c}, {c}, v1.4s")
        yield "b 15f"
        yield "14:"
        yield from self.residual()
        yield "15:"
        yield from (f"st1 {self.many(sums)}, [{OUT}], {LDOUT}" for sums in self.sums)
        yield f"subs {TILES}, {TILES}, #1"
        yield "b.gt 1b"

    def residual(self) -> Iterator[str]:
        """Clamp(Clamp(sum, p0, p1) + residual, p2, p3)."""
        yield from self.parameters("p0", "p1", "p2", "p3")
        yield f"ldr {AT}, [{TILE}, %[residual]]"
        yield f"ldr {STEP}, [{TILE}, %[ldresidual]]"
        yield f"lsl {STEP}, {STEP}, #2"
        free = list(range(4, 4 + self.vectors))
        yield from self.each("fmax {c}, {c}, v0.4s", "fmin {c}, {c}, v1.4s")
        for sums in self.sums:
            yield f"ld1 {self.many(free)}, [{AT}], {STEP}"
            pairs = list(zip(sums, free, strict=True))
            yield from (f"fadd v{c}.4s, v{c}.4s, v{d}.4s" for c, d in pairs)
            yield from (f"fmax v{c}.4s, v{c}.4s, v2.4s" for c, _ in pairs)
            yield from (f"fmin v{c}.4s, v{c}.4s, v3.4s" for c, _ in pairs)
        yield f"str {AT}, [{TILE}, %[residual]]"

    def lines(self) -> Iterator[str]:
        """All of the assembly."""
        yield f"ldr {ROW}, [{TILE}, %[rows]]"
        yield f"ldp {OUT}, {LDOUT}, [{TILE}, %[out]]"
        yield f"lsl {LDOUT}, {LDOUT}, #2"
        yield f"ldr {LENGTH}, [{TILE}, %[length]]"
        yield f"ldr {TILES}, [{TILE}, %[tiles]]"
        yield "1:"
        yield from self.begin()
        yield from self.segment()
        yield from self.finish()

    def function(self) -> list[str]:
        """The C++ function."""
        target = '__attribute__((target("arch=armv8.2-a+dotprod"))) ' * (self.kind == "Bytes")
        out = [f"{target}static void {self.kind}{self.rows}x{self.vectors}(NeonTile* t) {{"]
        out += [f'  register NeonTile* tile asm("{TILE}") = t;', "  asm volatile("]
        out += [f'      "{line}\\n"' for line in self.lines()]
        inputs = [f'[{name}] "i"(offsetof(NeonTile, {name}))' for name in FIELDS]
        inputs += [f'[{name}] "i"({name})' for name in FINISHES]
        general = [B, OFFSETS, SEGMENTS, LEFT, LENGTH, ROW, OUT, LDOUT, REACHED, TILES, AT, STEP]
        used = [*general, *POINTERS[: self.rows], *(f"v{i}" for i in range(self.sums[-1][-1] + 1))]
        out += ['      : "+r"(tile)', f"      : {', '.join(inputs)}"]
        out += [f"      : {', '.join(f'{chr(34)}{name}{chr(34)}' for name in used)}"]
        return [*out[:-1], out[-1] + ', "cc", "memory");', "}", ""]


def main() -> None:
    """Writes to the path given as the only argument."""
    lines = [f"// Generated by {sys.argv[0].rsplit('/', 1)[-1]}."]
    lines += [f"constexpr int kTileRows[] = {{0, {', '.join(str(n) for n in ROWS.values())}}};"]
    for kind in KINDS:
        for vectors, most in ROWS.items():
            for rows in range(1, most + 1):
                lines += Tile(kind, rows, vectors).function()
        lines += [f"static void (*const k{kind}[5][{max(ROWS.values()) + 1}])(NeonTile*) = {{"]
        lines += ["    {},"]
        for vectors, most in ROWS.items():
            names = ", ".join(f"{kind}{rows}x{vectors}" for rows in range(1, most + 1))
            lines += [f"    {{nullptr, {names}}},"]
        lines += ["};", ""]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main()
