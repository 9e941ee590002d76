"""What this machine reaches, measured by the kernels that run models."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass

from lite import _core
from lite.api import arguments


@dataclass(frozen=True)
class MachinePeak:
    """Speeds that no fp32 operator on so many threads is expected to exceed."""

    threads: int
    gflops: float
    streams: tuple[tuple[int, float], ...]
    """(bytes, GB/s) of copies of that size, read and written bytes together, by size."""

    @staticmethod
    def measure(threads: int = 1) -> MachinePeak:
        """Measures for about a quarter of a second. Raises ValueError for a wrong number."""
        gflops, streams = _core.measure_peak(arguments.threads(threads))
        return MachinePeak(threads, gflops, tuple(streams))

    @property
    def memory(self) -> float:
        """GB/s of the largest copy, 128 MB, which few caches hold."""
        return self.streams[-1][1]

    @property
    def cache(self) -> float:
        """GB/s of the fastest copy."""
        return max(speed for _, speed in self.streams)

    def bandwidth(self, size: float) -> float:
        """GB/s for a working set of so many bytes: that of the next larger copy."""
        at = bisect_left([bytes_ for bytes_, _ in self.streams], size)
        return self.streams[min(at, len(self.streams) - 1)][1]

    def nanoseconds(self, flops: float, size: float) -> float:
        """The roofline: the time of so many operations on so many bytes at the measured speeds."""
        return max(flops / self.gflops, size / self.bandwidth(size))

    def to_dict(self) -> dict[str, object]:
        """For JSON."""
        return {
            "threads": self.threads,
            "gflops": self.gflops,
            "memory_gb_per_s": self.memory,
            "streams": [{"bytes": size, "gb_per_s": speed} for size, speed in self.streams],
        }
