"""Where partitioning asks which operators a device supports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from lite import _core
from lite.errors import DeviceError
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


def load_check(
    devices: Sequence[str],
    properties: str = "",
    shapes: Mapping[str, Sequence[int]] | None = None,
    offline: bool = False,
) -> SupportCheck:
    """Asks the converters (lite/kernels/nnadapter) and the drivers of some devices.

    ``shapes`` are those of inputs by name, -1 where a dimension is unknown. With ``offline`` a
    device whose library is not here is judged by the declaration alone; without, it is a
    DeviceError of the first call.
    """
    from lite.nnadapter import ensure_devices

    ensure_devices(devices)
    settings = {"device_names": list(devices), "context_properties": properties}
    known = {name: list(shape) for name, shape in (shapes or {}).items()}
    declared = offline and not all(map(_is_present, devices))

    def check(program: Program, block: int, clusters: list[list[int]]) -> Mapping[int, str]:
        from lite.model.naive_buffer import program_bytes

        return _core.check_support(
            program_bytes(program), program.params, block, clusters, settings, known, declared
        )

    return check


def _is_present(device: str) -> bool:
    try:
        _core.require_device(device)
    except DeviceError:
        return False
    return True
