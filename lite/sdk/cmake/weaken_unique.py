"""weaken_unique.py OBJECT: makes GNU's unique symbols of an ELF object weak ones.

The linker unites unique symbols (constants of inline code) throughout a process, with those of
another version, too, and objcopy cannot make them local.
"""

from __future__ import annotations

import struct
import sys
from pathlib import Path

_SYMTAB, _WEAK, _UNIQUE = 2, 2, 10


def weaken(data: bytearray) -> int:
    """Changes a 64-bit little-endian object in place; returns how many symbols it made weak."""
    if data[:6] != b"\x7fELF\x02\x01":
        raise ValueError("expected an ELF object of 64 bits, little-endian")
    (sections,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    # Beyond 65,279 sections the count stands in the first one.
    count = count or struct.unpack_from("<Q", data, sections + 32)[0]
    changed = 0
    for header in range(sections, sections + size * count, size):
        (kind,) = struct.unpack_from("<I", data, header + 4)
        begin, length = struct.unpack_from("<QQ", data, header + 24)
        for info in range(begin + 4, begin + length, 24) if kind == _SYMTAB else ():
            if data[info] >> 4 == _UNIQUE:
                data[info] = _WEAK << 4 | data[info] & 15
                changed += 1
    return changed


if __name__ == "__main__":
    file = Path(sys.argv[1])
    content = bytearray(file.read_bytes())
    weaken(content)
    file.write_bytes(content)
