# SPDX-License-Identifier: Apache-2.0
"""The file that a HotSpot VM keeps about itself for `jps` and others: `/tmp/hsperfdata_USER/PID`.

Owns its format (jdk.internal.perf, version 2) and reads the strings in it. A file that is cut off,
or that its VM is just writing, gives what can be read. Called by `local_jvms`.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

from jvmdebug.regular_file import read_head

if TYPE_CHECKING:
    from pathlib import Path

_MAGIC: Final = b"\xca\xfe\xc0\xc0"
_LARGEST_BYTES: Final = 1 << 20
_STRING: Final = ord("B")
_HEADER_BYTES: Final = 32
_LITTLE: Final = 1


def strings_of(path: Path) -> dict[str, str]:
    """The strings by name: `sun.rt.javaCommand`, `java.rt.vmArgs`; empty if it cannot be read."""
    try:
        data = read_head(path, _LARGEST_BYTES)
    except OSError:
        return {}
    if len(data) < _HEADER_BYTES or data[:4] != _MAGIC:
        return {}
    order = "<" if data[4] == _LITTLE else ">"
    at, count = struct.unpack_from(f"{order}ii", data, 24)
    entry = struct.Struct(f"{order}iii4Bi")
    found: dict[str, str] = {}
    for _ in range(count):
        if at < 0 or len(data) - at < entry.size:
            break
        length, name, elements, kind, _, _, _, content = entry.unpack_from(data, at)
        if kind == _STRING and elements > 0:
            key = _text(data[at + name : at + content])
            found[key] = _text(data[at + content : at + content + elements])
        if length <= 0:
            break
        at += length
    return found


def _text(data: bytes) -> str:
    return data.partition(b"\0")[0].decode(errors="replace")
