# SPDX-License-Identifier: Apache-2.0
"""What HotSpot keeps of the breakpoints of a method, read from the memory of its process.

The agent reads the same (native/agent/jvm/breakpoint_records.h), and no tool of the JDK tells. This
one shares no code with it: the offsets are those of the library, and the memory is that of another
process. `python -m tests.support.breakpoint_records LIBRARY` prints the offsets: whoever loads the
library is taken for a JVM from then on.
"""

from __future__ import annotations

import ctypes
import struct
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

from tests.support.jdks import REPOSITORY

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk


@dataclass(frozen=True)
class BreakpointRecord:
    """The record of one breakpoint in one version of the method."""

    index: int
    opcode: int
    """That the breakpoint has replaced."""


def breakpoint_records(jdk: Jdk, pid: int, method_id: int) -> list[BreakpointRecord]:
    """The records with the method's name, the newest first."""
    offsets = _offsets(jdk)
    with Path(f"/proc/{pid}/mem").open("rb", buffering=0) as memory:

        def word(address: int, field: str) -> int:
            return int(_number(memory, address + offsets[field], "Q"))

        def names(address: int, structure: str) -> tuple[int, int]:
            return (
                _number(memory, address + offsets[f"{structure}._name_index"], "H"),
                _number(memory, address + offsets[f"{structure}._signature_index"], "H"),
            )

        const = word(_number(memory, method_id, "Q"), "Method._constMethod")
        holder = word(word(const, "ConstMethod._constants"), "ConstantPool._pool_holder")
        record = word(holder, "InstanceKlass._breakpoints")
        found = []
        while record:
            if names(record, "BreakpointInfo") == names(const, "ConstMethod"):
                index = _number(memory, record + offsets["BreakpointInfo._bci"], "i")
                opcode = _number(memory, record + offsets["BreakpointInfo._orig_bytecode"], "i")
                found.append(BreakpointRecord(index, opcode))
            record = word(record, "BreakpointInfo._next")
        return found


def _number(memory: BinaryIO, address: int, kind: str) -> int:
    memory.seek(address)
    (number,) = struct.unpack(kind, memory.read(struct.calcsize(kind)))
    return int(number)


@cache
def _offsets(jdk: Jdk) -> dict[str, int]:
    library = str(jdk.home / "lib" / "server" / "libjvm.so")
    words = [sys.executable, "-m", __name__, library]
    printed = subprocess.run(
        words, check=True, capture_output=True, text=True, timeout=60, cwd=REPOSITORY
    ).stdout
    return {name: int(offset) for name, offset in map(str.split, printed.splitlines())}


def _fields(library: ctypes.CDLL) -> Iterator[tuple[str, int]]:
    """All fields that the library exports for debuggers, with their offsets."""

    def number(name: str) -> int:
        return ctypes.c_uint64.in_dll(library, f"gHotSpotVMStruct{name}").value

    entry = ctypes.c_void_p.in_dll(library, "gHotSpotVMStructs").value
    assert entry is not None
    while True:
        type_name, field_name = (
            ctypes.c_char_p.from_address(entry + number(f"Entry{part}NameOffset")).value
            for part in ("Type", "Field")
        )
        if type_name is None or field_name is None:
            return
        offset = ctypes.c_uint64.from_address(entry + number("EntryOffsetOffset")).value
        yield f"{type_name.decode()}.{field_name.decode()}", offset
        entry += number("EntryArrayStride")


if __name__ == "__main__":
    for field, offset in _fields(ctypes.CDLL(sys.argv[1])):
        print(field, offset)
