"""How busy the multiply-add units are in the inner loops for arm64, by llvm-mca's models of CPUs.

    python tools/cross/microkernels.py [--mca llvm-mca-19]

Writes the microkernels with their generator and prints a table in Markdown: for each loop the
instructions of a multiply-add, and for each CPU the share of the model's cycles in which its
multiply-add units are busy. These are models, no measurements.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

GENERATOR = Path(__file__).parents[2] / "lite/kernels/cpu/math/gen/neon_tiles.py"
CPUS = ("cortex-a55", "cortex-a76", "neoverse-n1")
KERNELS = (
    *("Floats4x4", "Floats6x3", "Floats8x2", "Floats12x1"),
    *("Bytes6x4", "Bytes6x3", "Bytes8x2", "Bytes12x1", "Shorts6x4", "Shorts8x2"),
    *("Halves8x4", "Halves8x3", "Halves12x2", "Halves12x1"),
)
PRODUCTS = ("fmla", "sdot", "smlal", "smlal2")
# Cortex-A55 has two units of 64 bits: one multiply-add of four floats or eight halves a cycle
# (Arm's software optimization guide). LLVM's model takes two of them.
TRUE_CYCLES = {("cortex-a55", "fmla"): 1.0}


def loop_of(source: str, kernel: str) -> list[str]:
    """The instructions of a microkernel's innermost loop."""
    body = source.split(f" {kernel}(")[1].split("\n}\n")[0]
    lines = re.findall(r'^ *"(.*)\\n"$', body, re.MULTILINE)
    return lines[lines.index("5:") + 1 : lines.index("b.ne 5b") + 1]


def cycles(mca: str, cpu: str, lines: list[str]) -> tuple[float, float]:
    """Cycles of an iteration by the model, and those that its busiest unit needs."""
    text = "\n".join(["loop:", *lines]).replace("5b", "loop")
    done = subprocess.run(
        [mca, "-mtriple=aarch64", f"-mcpu={cpu}", "-mattr=+dotprod,+fullfp16", "-iterations=100"],
        input=text + "\n",
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    total = re.search(r"Total Cycles: +(\d+)", done)
    busiest = re.search(r"Block RThroughput: ([\d.]+)", done)
    assert total and busiest, done
    return int(total[1]) / 100, float(busiest[1])


def main() -> int:
    """The command line; see above."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mca", default="llvm-mca", help="the program")
    mca = parser.parse_args().mca
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "tiles.inc"
        subprocess.run([sys.executable, GENERATOR, made], check=True)
        source = made.read_text()
    print(f"| loop (model) | instructions / product | {' | '.join(CPUS)} |")
    print(f"|---|---|{'---|' * len(CPUS)}")
    for kernel in KERNELS:
        lines = loop_of(source, kernel)
        products = [line for line in lines if line.split()[0] in PRODUCTS]
        shares = []
        for cpu in CPUS:
            total, _ = cycles(mca, cpu, lines)
            each = TRUE_CYCLES.get((cpu, products[0].split()[0]))
            busy = len(products) * each if each else cycles(mca, cpu, products)[1]
            shares.append(f"{min(busy / max(total, busy), 1):.2f}")
        print(f"| {kernel} | {len(lines) / len(products):.3f} | {' | '.join(shares)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
