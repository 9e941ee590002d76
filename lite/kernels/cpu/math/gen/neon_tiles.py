"""Writes the microkernels of products for 64-bit Arm, one function for each number of rows and of
vectors and each kind of product.

Assembly, so that nothing is spilled and loads stand where a core that runs in order needs them:
four words of each row are in a register, whose lanes are multiplied with vectors of the panel,
which are loaded while earlier ones are used. A function runs any number of tiles one
below the other.
"""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from collections.abc import Iterator

# Vectors of a panel -> most rows.
FLOAT_ROWS = {1: 12, 2: 8, 3: 6, 4: 4}
WORD_ROWS = {1: 12, 2: 8, 3: 6, 4: 6}
HALF_ROWS = {1: 12, 2: 12, 3: 8, 4: 8}
LANES = 4  # words of a row that are loaded at once
PAIRED_VECTORS = 4  # of the panels whose tiles of floats load eight
# General registers; x18 is the platform's.
TILE, B, OFFSETS, SEGMENTS, LEFT, LENGTH, ROW, OUT, LDOUT, MOVING, TILES, AT, STEP = (
    f"x{i}" for i in range(13)
)
POINTERS = [f"x{i}" for i in (13, 14, 15, 16, 17, 19, 20, 21, 22, 23, 24, 25)]
DISTANCES = ("x26", "x27", "x28")  # of vectors from the panel's pointer
FIELDS = (
    "rows offsets length tail b in ldin out tiles bias start scales finish residual ldresidual "
    "p0 p1 p2 p3 p4"
).split()
FINISHES = "kRaw kAtLeast kClamp kHardSwish kResidual".split()
FINISH_REGISTERS = 8  # of vectors, the first: no sum is there


class Tile(ABC):
    """The assembly of one shape; derived classes have the products."""

    kind: str
    target = ""  # an attribute of the function
    more_registers: tuple[str, ...] = ()

    def __init__(self, rows: int, vectors: int, before_sums: int) -> None:
        self.rows, self.vectors = rows, vectors
        first = max(before_sums, FINISH_REGISTERS)
        self.sums = [[first + r * vectors + v for v in range(vectors)] for r in range(rows)]

    @abstractmethod
    def aim(self) -> Iterator[str]:
        """Where a segment begins, as MOVING has it; the next one's offset is next."""

    @abstractmethod
    def first_loads(self) -> Iterator[str]:
        """Loads what the first step multiplies."""

    @abstractmethod
    def steps(self, count: int, last: bool = False) -> Iterator[str]:
        """The products of `count` times four words; loads those of the next four unless they are
        the last."""

    @abstractmethod
    def word(self) -> Iterator[str]:
        """Loads one word of each row and multiplies it."""

    @abstractmethod
    def start(self) -> Iterator[str]:
        """What the sums begin with; the rows' pointers are there."""

    def reals(self) -> Iterator[str]:
        """The sums as what they stand for, with the bias."""
        yield from ()

    def many(self, registers: list[int], suffix: str = "4s") -> str:
        return "{" + ", ".join(f"v{i}.{suffix}" for i in registers) + "}"

    def segment(self) -> Iterator[str]:
        """All words of a segment."""
        yield "4:"
        yield from self.aim()
        yield f"lsr {LEFT}, {LENGTH}, #2"
        yield f"cbz {LEFT}, 7f"
        yield from self.first_loads()
        yield f"subs {LEFT}, {LEFT}, #1"
        yield "b.eq 6f"
        yield f"tbz {LEFT}, #0, 5f"
        yield from self.steps(1)
        yield f"subs {LEFT}, {LEFT}, #1"
        yield "b.eq 6f"
        yield "5:"
        yield from self.steps(2)
        yield f"subs {LEFT}, {LEFT}, #2"
        yield "b.ne 5b"
        yield "6:"
        yield from self.steps(1, last=True)
        yield "7:"
        yield f"ands {LEFT}, {LENGTH}, #3"
        yield "b.eq 9f"
        yield "8:"
        yield from self.word()
        yield f"subs {LEFT}, {LEFT}, #1"
        yield "b.ne 8b"
        yield "9:"
        yield f"subs {SEGMENTS}, {SEGMENTS}, #1"
        yield "b.gt 4b"

    def constants(self) -> Iterator[str]:
        """Sets the registers of numbers that stay."""
        yield from ()

    def begin(self) -> Iterator[str]:
        """What the sums begin with, and where the rows are."""
        pointers = POINTERS[: self.rows]
        for first, second in zip(pointers[::2], pointers[1::2], strict=False):
            yield f"ldp {first}, {second}, [{ROW}], #16"
        if self.rows % 2:
            yield f"ldr {pointers[-1]}, [{ROW}], #8"
        yield from self.start()
        yield f"ldp {OFFSETS}, {SEGMENTS}, [{TILE}, %[offsets]]"
        yield f"ldr {B}, [{TILE}, %[b]]"
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
        yield from self.constants()
        yield "1:"
        yield from self.begin()
        yield from self.segment()
        yield from self.finish()

    def function(self) -> list[str]:
        """The C++ function."""
        out = [f"{self.target}static void {self.kind}{self.rows}x{self.vectors}(NeonTile* t) {{"]
        out += [f'  register NeonTile* tile asm("{TILE}") = t;', "  asm volatile("]
        out += [f'      "{line}\\n"' for line in self.lines()]
        inputs = [f'[{name}] "i"(offsetof(NeonTile, {name}))' for name in FIELDS]
        inputs += [f'[{name}] "i"({name})' for name in FINISHES]
        general = [B, OFFSETS, SEGMENTS, LEFT, LENGTH, ROW, OUT, LDOUT, MOVING, TILES, AT, STEP]
        general += [*self.more_registers, *POINTERS[: self.rows]]
        used = [*general, *(f"v{i}" for i in range(self.sums[-1][-1] + 1))]
        out += ['      : "+r"(tile)', f"      : {', '.join(inputs)}"]
        out += [f"      : {', '.join(f'{chr(34)}{name}{chr(34)}' for name in used)}"]
        return [*out[:-1], out[-1] + ', "cc", "memory");', "}", ""]


class FloatTile(Tile):
    """Sums of floats, with the fewest instructions: a row of the panel is loaded at once; MOVING
    points into the last row, from which the others have distances."""

    kind = "Floats"
    words_together = 1  # vectors of a row that are loaded at once

    def __init__(self, rows: int, vectors: int) -> None:
        self.together = {1: 1, 2: 2, 3: 1, 4: 1}[vectors]  # lanes whose vectors are loaded at once
        per_set = 4 if vectors == 1 else self.together * vectors
        sets = 1 if vectors == 1 else 2
        super().__init__(rows, vectors, self.words_together * rows + per_set * sets)
        self.sets = [list(range(rows + per_set * s, rows + per_set * (s + 1))) for s in range(sets)]

    def products(self, row: int, words: int, vectors: list[int], lane: int) -> Iterator[str]:
        """Those of a row's words and all vectors, which are in these registers."""
        for c, b in zip(self.sums[row], vectors, strict=True):
            yield f"fmla v{c}.4s, v{b}.4s, v{words}.s[{lane}]"

    def load_b(self, registers: list[int]) -> str:
        return f"ld1 {self.many(registers)}, [{B}], #{16 * len(registers)}"

    def load_a(self, row: int, register: str = "q", step: int = 16) -> str:
        """Words of a row; the last row's are loaded last, and move the pointer."""
        if row == self.rows - 1:
            return f"ldr {register}{row}, [{MOVING}], #{step}"
        return f"ldr {register}{row}, [{MOVING}, {POINTERS[row]}]"

    def aim(self) -> Iterator[str]:
        yield f"ldr {AT}, [{OFFSETS}], #8"
        yield f"add {MOVING}, {POINTERS[self.rows - 1]}, {AT}, lsl #2"

    def first_loads(self) -> Iterator[str]:
        yield from map(self.load_a, range(self.rows))
        yield self.load_b(self.sets[0])

    def ahead(self, lane: int, row: int, last: bool) -> Iterator[str]:
        """What is loaded behind the products of a lane and a row."""
        if lane == LANES - 1 and not last:
            yield self.load_a(row)
        if self.vectors == 1:
            ended = row == self.rows - 1 and lane % 2 == 1
            if ended and not last:
                pair = self.sets[0][lane - 1 : lane + 1]
                yield f"ldp q{pair[0]}, q{pair[1]}, [{B}], #32"
        elif row == 0 and lane % self.together == 0:
            chunk = lane // self.together
            if not last or chunk < LANES // self.together - 1:
                yield self.load_b(self.sets[(chunk + 1) % 2])

    def steps(self, count: int, last: bool = False) -> Iterator[str]:
        for lane in [*range(LANES)] * count:
            now = self.sets[0 if self.vectors == 1 else lane // self.together % 2]
            at = lane if self.vectors == 1 else lane % self.together * self.vectors
            for row in range(self.rows):
                yield from self.products(row, row, now[at : at + self.vectors], lane)
                yield from self.ahead(lane, row, last)

    def word(self) -> Iterator[str]:
        some = self.sets[0][: self.vectors]
        yield self.load_b(some)
        yield from (self.load_a(row, "s", 4) for row in range(self.rows))
        for row in range(self.rows):
            yield from self.products(row, row, some, 0)

    def start(self) -> Iterator[str]:
        *others, last = POINTERS[: self.rows]
        yield from (f"sub {pointer}, {pointer}, {last}" for pointer in others)
        yield from self.first_sums()

    def first_sums(self) -> Iterator[str]:
        """Those of earlier K blocks, or the bias."""
        yield f"ldr {AT}, [{TILE}, %[in]]"
        yield f"cbz {AT}, 2f"
        yield f"ldr {STEP}, [{TILE}, %[ldin]]"
        yield f"lsl {STEP}, {STEP}, #2"
        yield from (f"ld1 {self.many(sums)}, [{AT}], {STEP}" for sums in self.sums)
        yield f"str {AT}, [{TILE}, %[in]]"
        yield "b 3f"
        yield "2:"
        yield f"ldr {AT}, [{TILE}, %[bias]]"
        yield from (f"ld1 {self.many(sums)}, [{AT}]" for sums in self.sums)
        yield "3:"


class PairedTile(FloatTile):
    """FloatTile of four vectors and so few rows that eight words of each fit into registers: two
    vectors of a row are one load, from a pointer that moves."""

    words_together = 2

    def __init__(self, rows: int, vectors: int) -> None:
        super().__init__(rows, vectors)
        # Four words behind those that are multiplied first.
        self.second = list(range(rows + 2 * vectors, 2 * (rows + vectors)))
        self.moving = POINTERS[rows : 2 * rows]
        self.more_registers = tuple(self.moving)

    def aim(self) -> Iterator[str]:
        yield f"ldr {AT}, [{OFFSETS}], #8"
        for pointer, row in zip(self.moving, POINTERS, strict=False):
            yield f"add {pointer}, {row}, {AT}, lsl #2"

    def load_a(self, row: int, register: str = "q", step: int = 16) -> str:
        return f"ldr {register}{row}, [{self.moving[row]}], #{step}"

    def steps(self, count: int, last: bool = False) -> Iterator[str]:
        if count != 2:
            yield from super().steps(count, last)
            return
        for lane in range(2 * LANES):
            now = self.sets[lane % 2]
            for row in range(self.rows):
                words = row if lane < LANES else self.second[row]
                yield from self.products(row, words, now, lane % LANES)
                if lane == LANES - 1:
                    yield f"ldp q{self.second[row]}, q{row}, [{self.moving[row]}], #32"
                if row == 0:
                    yield self.load_b(self.sets[(lane + 1) % 2])

    def start(self) -> Iterator[str]:
        yield from self.first_sums()


class WordTile(Tile):
    """Sums of integers. LLVM's Cortex-A55 begins no integer product beside a load of two vectors,
    nor beside one whose address is a register and a number: each vector of the panel is loaded for
    itself, at a distance that is in a register, and used by all rows before the next; MOVING is an
    index into all rows."""

    product: tuple[str, ...]  # its instructions; `a` is among the first 16 registers
    more_registers = DISTANCES

    def __init__(self, rows: int, vectors: int) -> None:
        free = 32 - rows * (1 + vectors)
        self.ring = list(range(rows, rows + (4 if free >= 4 else 2)))
        super().__init__(rows, vectors, rows + len(self.ring))

    def products(self, vector: int, lane: int, number: int) -> Iterator[str]:
        """Those of a vector, the panel's `number`th from B, and all rows; row by row."""
        b = self.ring[number % len(self.ring)]
        lanes = {"lane": lane, "low": 2 * lane, "high": 2 * lane + 1}
        for line in self.product:
            for row, sums in enumerate(self.sums):
                yield line.format(c=f"v{sums[vector]}", b=f"v{b}", a=f"v{row}", **lanes)

    def constants(self) -> Iterator[str]:
        for index, register in enumerate(DISTANCES):
            yield f"mov {register}, #{16 * (index + 1)}"

    def load_b(self, number: int) -> Iterator[str]:
        """The panel's `number`th vector from B, which moves on behind every fourth."""
        register, index = self.ring[number % len(self.ring)], number % 4
        if index == 0:
            yield f"ld1 {{v{register}.16b}}, [{B}]"
        else:
            yield f"ldr q{register}, [{B}, {DISTANCES[index - 1]}]"
        if index == len(DISTANCES):
            yield f"add {B}, {B}, #64"

    def load_a(self, row: int, register: str = "q") -> str:
        return f"ldr {register}{row}, [{POINTERS[row]}, {MOVING}]"

    def aim(self) -> Iterator[str]:
        yield f"ldr {MOVING}, [{OFFSETS}], #8"

    def first_loads(self) -> Iterator[str]:
        yield from map(self.load_a, range(self.rows))
        yield f"add {MOVING}, {MOVING}, #16"
        for number in range(len(self.ring)):
            yield from self.load_b(number)

    def steps(self, count: int, last: bool = False) -> Iterator[str]:
        numbers = range(LANES * self.vectors * count)
        for number in numbers:
            lane, vector = number // self.vectors % LANES, number % self.vectors
            lines = list(self.products(vector, lane, number))
            ended = lane == LANES - 1 and vector == self.vectors - 1 and not last
            if ended:
                again = len(lines) - self.rows
                loads = map(self.load_a, range(self.rows))
                both = zip(lines[again:], loads, strict=True)
                lines[again:] = [line for pair in both for line in pair]
            yield from lines
            following = number + len(self.ring)
            if not last or following in numbers:
                yield from self.load_b(following)
            if ended:
                yield f"add {MOVING}, {MOVING}, #16"

    def word(self) -> Iterator[str]:
        yield from (self.load_a(row, "s") for row in range(self.rows))
        yield f"add {MOVING}, {MOVING}, #4"
        for vector in range(self.vectors):
            yield f"ldr q{self.ring[vector % len(self.ring)]}, [{B}], #16"
            yield from self.products(vector, 0, vector)

    def start(self) -> Iterator[str]:
        yield f"ldr {AT}, [{TILE}, %[start]]"
        yield from (f"ld1 {self.many(sums)}, [{AT}]" for sums in self.sums)

    def reals(self) -> Iterator[str]:
        free = list(range(self.vectors))
        yield f"ldr {AT}, [{TILE}, %[finish]]"
        yield f"cmp {AT}, %[kRaw]"
        yield "b.eq 15f"
        yield f"ldr {AT}, [{TILE}, %[scales]]"
        yield f"ld1 {self.many(free)}, [{AT}]"
        yield from self.each("scvtf {c}, {c}", "fmul {c}, {c}, v{v}.4s")
        yield f"ldr {AT}, [{TILE}, %[bias]]"
        yield f"ld1 {self.many(free)}, [{AT}]"
        yield from self.each("fadd {c}, {c}, v{v}.4s")


class ByteTile(WordTile):
    """Words of four bytes."""

    kind = "Bytes"
    target = '__attribute__((target("arch=armv8.2-a+dotprod"))) '
    product = ("sdot {c}.4s, {b}.16b, {a}.4b[{lane}]",)


class ShortTile(WordTile):
    """Words of two int16."""

    kind = "Shorts"
    product = (
        "smlal {c}.4s, {b}.4h, {a}.h[{low}]",
        "smlal2 {c}.4s, {b}.8h, {a}.h[{high}]",
    )


class HalfTile(Tile):
    """Products of fp16, with sums of at most KEPT times eight and a few of them in fp16; then they
    are added to `out`, which holds floats, rows of whole vectors. A vector of halves is two of the
    panel's, or the last one. MOVING is an index into all rows."""

    kind = "Halves"
    target = '__attribute__((target("arch=armv8.2-a+fp16"))) '
    KEPT = 8
    LANES = 8  # halves of a row that are loaded at once

    def __init__(self, rows: int, vectors: int) -> None:
        super().__init__(rows, vectors, 0)
        wide = (vectors + 1) // 2  # vectors of halves
        first = 32 - rows * wide
        self.sums = [[first + r * wide + v for v in range(wide)] for r in range(rows)]
        depth = max(d for d in (1, 2, 4, 8) if rows + d * wide <= first)
        self.sets = [[rows + d * wide + v for v in range(wide)] for d in range(depth)]

    def sizes(self) -> list[str]:
        """The kind of each vector of halves."""
        return ["8h"] * (self.vectors // 2) + ["4h"] * (self.vectors % 2)

    def products(self, row: int, lane: int, number: int) -> Iterator[str]:
        some = self.sets[number % len(self.sets)]
        for c, b, size in zip(self.sums[row], some, self.sizes(), strict=True):
            yield f"fmla v{c}.{size}, v{b}.{size}, v{row}.h[{lane}]"

    def load_b(self, number: int) -> Iterator[str]:
        """A row of the panel."""
        some = self.sets[number % len(self.sets)]
        if self.vectors == 4:
            yield f"ldp q{some[0]}, q{some[1]}, [{B}], #32"
            return
        if self.vectors == 3:
            yield f"ldr d{some[1]}, [{B}, #16]"
        step = 8 * self.vectors
        yield f"ldr {'d' if self.vectors == 1 else 'q'}{some[0]}, [{B}], #{step}"

    def load_a(self, row: int, register: str = "q") -> str:
        return f"ldr {register}{row}, [{POINTERS[row]}, {MOVING}]"

    def aim(self) -> Iterator[str]:
        yield f"ldr {MOVING}, [{OFFSETS}], #8"

    def first_loads(self) -> Iterator[str]:
        yield from map(self.load_a, range(self.rows))
        yield f"add {MOVING}, {MOVING}, #16"
        for number in range(len(self.sets)):
            yield from self.load_b(number)

    def steps(self, count: int, last: bool = False) -> Iterator[str]:
        for lane in range(self.LANES):
            for row in range(self.rows):
                yield from self.products(row, lane, lane)
                if lane == self.LANES - 1 and not last:
                    yield self.load_a(row)
            if not last or lane + len(self.sets) < self.LANES:
                yield from self.load_b(lane)
        if not last:
            yield f"add {MOVING}, {MOVING}, #16"

    def some(self, register: str, halves: int) -> Iterator[str]:
        """Loads a few halves of each row and multiplies them."""
        yield from (self.load_a(row, register) for row in range(self.rows))
        yield f"add {MOVING}, {MOVING}, #{2 * halves}"
        for lane in range(halves):
            yield from self.load_b(0)
            for row in range(self.rows):
                yield from self.products(row, lane, 0)

    def word(self) -> Iterator[str]:
        yield from self.some("s", 2)

    def flush(self) -> Iterator[str]:
        """Adds the sums to `out`; they begin again."""
        yield f"ldr {AT}, [{TILE}, %[out]]"
        for row, sums in enumerate(self.sums):
            for c, size in zip(sums, self.sizes(), strict=True):
                low, high, to, more = (4 * (row % 2) + i for i in range(4))
                yield f"fcvtl v{low}.4s, v{c}.4h"
                if size == "8h":
                    yield f"ldp q{to}, q{more}, [{AT}]"
                    yield f"fcvtl2 v{high}.4s, v{c}.8h"
                    yield f"fadd v{to}.4s, v{to}.4s, v{low}.4s"
                    yield f"fadd v{more}.4s, v{more}.4s, v{high}.4s"
                    yield f"stp q{to}, q{more}, [{AT}], #32"
                else:
                    yield f"ldr q{to}, [{AT}]"
                    yield f"fadd v{to}.4s, v{to}.4s, v{low}.4s"
                    yield f"str q{to}, [{AT}], #16"
                yield f"movi v{c}.4s, #0"

    def start(self) -> Iterator[str]:
        yield from (f"movi v{c}.4s, #0" for sums in self.sums for c in sums)

    def segment(self) -> Iterator[str]:
        yield "4:"
        yield from self.aim()
        yield f"lsr {LEFT}, {LENGTH}, #2"
        yield f"cbz {LEFT}, 7f"
        yield "2:"
        yield f"mov {STEP}, #{self.KEPT}"
        yield f"cmp {LEFT}, {STEP}"
        yield f"csel {STEP}, {LEFT}, {STEP}, lo"
        yield f"sub {LEFT}, {LEFT}, {STEP}"
        yield from self.first_loads()
        yield f"subs {STEP}, {STEP}, #1"
        yield "b.eq 6f"
        yield "5:"
        yield from self.steps(1)
        yield f"subs {STEP}, {STEP}, #1"
        yield "b.ne 5b"
        yield "6:"
        yield from self.steps(1, last=True)
        yield f"cbz {LEFT}, 7f"
        yield from self.flush()
        yield "b 2b"
        yield "7:"
        yield f"ands {LEFT}, {LENGTH}, #3"
        yield "b.eq 9f"
        yield "8:"
        yield from self.word()
        yield f"subs {LEFT}, {LEFT}, #1"
        yield "b.ne 8b"
        yield "9:"
        yield f"ldr {AT}, [{TILE}, %[tail]]"
        yield f"cbz {AT}, 3f"
        yield from self.some("h", 1)
        yield from self.load_b(0)  # beside the tail are zeros
        yield "3:"
        yield from self.flush()
        yield f"subs {SEGMENTS}, {SEGMENTS}, #1"
        yield "b.gt 4b"

    def lines(self) -> Iterator[str]:
        yield f"ldr {ROW}, [{TILE}, %[rows]]"
        yield f"ldr {LENGTH}, [{TILE}, %[length]]"
        yield from self.begin()
        yield from self.segment()
        yield "10:"


def main() -> None:
    """Writes to the path given as the only argument."""
    lines = [f"// Generated by {sys.argv[0].rsplit('/', 1)[-1]}."]
    for name, shapes in (("Float", FLOAT_ROWS), ("Word", WORD_ROWS), ("Half", HALF_ROWS)):
        numbers = ", ".join(map(str, shapes.values()))
        lines += [f"constexpr int k{name}Rows[] = {{0, {numbers}}};"]
    for tile, shapes in (
        (FloatTile, FLOAT_ROWS),
        (ByteTile, WORD_ROWS),
        (ShortTile, WORD_ROWS),
        (HalfTile, HALF_ROWS),
    ):
        for vectors, most in shapes.items():
            for rows in range(1, most + 1):
                made = PairedTile if tile is FloatTile and vectors == PAIRED_VECTORS else tile
                lines += made(rows, vectors).function()
        lines += [
            f"static void (*const k{tile.kind}[5][{max(shapes.values()) + 1}])(NeonTile*) = {{"
        ]
        lines += ["    {},"]
        for vectors, most in shapes.items():
            names = ", ".join(f"{tile.kind}{rows}x{vectors}" for rows in range(1, most + 1))
            lines += [f"    {{nullptr, {names}}},"]
        lines += ["};", ""]
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write("\n".join(lines))


if __name__ == "__main__":
    main()
