"""Where partitioning asks which operators a device supports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from lite.errors import ConfigError
from lite.model.program import Program


class SupportCheck(Protocol):
    """Says why operators cannot go to any of the devices.

    Called with a block of the program and lists of positions in it: first with all candidates as
    one list (what the declaration says), then with the clusters that formed (what the driver says),
    at most three times. Returns a plain sentence for every position that is refused.
    """

    def __call__(
        self, program: Program, block: int, clusters: list[list[int]], /
    ) -> Mapping[int, str]: ...


class CheckLoader(Protocol):
    """Makes the check for some devices. Raises DeviceError where nothing is known about one."""

    def __call__(
        self, devices: Sequence[str], properties: str, shapes: Mapping[str, Sequence[int]], /
    ) -> SupportCheck: ...


_loaders: list[CheckLoader] = []


def set_check_loader(loader: CheckLoader) -> None:
    """Makes known where ``load_check`` finds the devices' declarations and drivers."""
    _loaders[:] = [loader]


def load_check(
    devices: Sequence[str], properties: str = "", shapes: Mapping[str, Sequence[int]] | None = None
) -> SupportCheck:
    """The check for some devices: their declarations, and their drivers where they are present.

    Raises ConfigError where this installation has no NNAdapter, DeviceError for unknown devices.
    """
    if not _loaders:
        raise ConfigError(
            f"devices {', '.join(devices)} are asked for, but this installation has no NNAdapter "
            "support check; give one as PartitionRequest.check, or target the CPU only"
        )
    return _loaders[0](tuple(devices), properties, dict(shapes or {}))
