"""Where partitioning asks which operators a device supports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from lite import _core
from lite.core.optimizer.partition.vendors import listed_operators
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
    device whose library is not here is judged by the declaration alone, and by the vendor's list
    of operators where there is one; without, it is a DeviceError of the first call.
    """
    from lite.nnadapter import ensure_devices

    ensure_devices(devices)
    settings = {"device_names": list(devices), "context_properties": properties}
    known = {name: list(shape) for name, shape in (shapes or {}).items()}
    absent = [name for name in devices if not _is_present(name)] if offline else []
    listed = listed_operators(devices) if len(absent) == len(devices) else None

    def check(program: Program, block: int, clusters: list[list[int]]) -> Mapping[int, str]:
        refused = _unlisted(program, block, clusters, listed, devices)
        left = [[at for at in some if at not in refused] for some in clusters]
        asked = [some for some in left if some]
        if asked:
            answer = _core.check_support(
                *(program, program.params, block, asked, settings, known, bool(absent)),
                op_versions=program.op_versions,
            )
            refused.update(answer)
        return refused

    return check


def _is_present(device: str) -> bool:
    try:
        _core.require_device(device)
    except DeviceError:
        return False
    return True


def _unlisted(
    program: Program,
    block: int,
    clusters: list[list[int]],
    listed: frozenset[str] | None,
    devices: Sequence[str],
) -> dict[int, str]:
    """What the vendors' lists refuse."""
    if listed is None:
        return {}
    ops = program.blocks[block].ops
    names = " or ".join(devices)
    return {
        at: f"{ops[at].type} is not in the list of {names}"
        for some in clusters
        for at in some
        if ops[at].type not in listed
    }
