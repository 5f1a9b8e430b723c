# SPDX-License-Identifier: Apache-2.0
"""Runs a command under a filter of system calls, as containers and sandboxes do.

`python -m tests.support.seccomp kill|refuse CALL COMMAND...` kills the process at the call, or has
the call fail with EPERM. The filter is of Linux on x86-64 and AArch64, and needs no privileges.
"""

from __future__ import annotations

import ctypes
import errno
import os
import platform
import sys
from typing import Final, Literal

from tests.support.jdks import REPOSITORY

CALLS: Final = {
    "process_vm_readv": {"x86_64": 310, "aarch64": 270},
    "process_vm_writev": {"x86_64": 311, "aarch64": 271},
}
"""The numbers of system calls on each machine."""
_NO_NEW_PRIVILEGES: Final = 38
_SET_SECCOMP: Final = 22
_FILTER: Final = 2
_KILL_PROCESS: Final = 0x80000000
_REFUSE: Final = 0x00050000
_ALLOW: Final = 0x7FFF0000
_LOAD: Final = 0x20  # a word of the call, whose number is the first
_JUMP_IF_EQUAL: Final = 0x15
_RETURN: Final = 0x06


class _Instruction(ctypes.Structure):
    _fields_ = (
        ("code", ctypes.c_ushort),
        ("if_so", ctypes.c_ubyte),
        ("if_not", ctypes.c_ubyte),
        ("value", ctypes.c_uint),
    )


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("first", ctypes.POINTER(_Instruction)))


def under_filter(action: Literal["kill", "refuse"], *calls: str) -> list[str]:
    """What to put in front of a command."""
    return [sys.executable, "-m", __name__, action, ",".join(calls)]


def environment() -> dict[str, str]:
    """What such a command needs to find this module."""
    return {"PYTHONPATH": str(REPOSITORY)}


def install(action: str, calls: list[str]) -> None:
    """Put the filter on this process, for as long as it lives, and on all that it starts."""
    verdict = _KILL_PROCESS if action == "kill" else _REFUSE | errno.EPERM
    numbers = [CALLS[call][platform.machine()] for call in calls]
    program = [
        (_LOAD, 0, 0, 0),
        *((_JUMP_IF_EQUAL, len(numbers) - at, 0, each) for at, each in enumerate(numbers)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, verdict),
    ]
    instructions = (_Instruction * len(program))(*(_Instruction(*each) for each in program))
    described = _Program(len(program), instructions)
    library = ctypes.CDLL(None, use_errno=True)
    for call in (
        (_NO_NEW_PRIVILEGES, 1, 0, 0, 0),
        (_SET_SECCOMP, _FILTER, ctypes.byref(described), 0, 0),
    ):
        if library.prctl(*call) != 0:
            raise OSError(ctypes.get_errno(), "the filter cannot be installed")


if __name__ == "__main__":
    install(sys.argv[1], sys.argv[2].split(","))
    os.execvp(sys.argv[3], sys.argv[3:])
