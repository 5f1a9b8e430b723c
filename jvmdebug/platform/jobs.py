# SPDX-License-Identifier: Apache-2.0
"""Jobs of Windows: processes that end with the one that made the job, however that ends.

The last handle of a job is closed with our process, and the system ends what is in it then. Used by
`launch.process_guard`. The functions of kernel32 come from the caller in tests.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

_ENDS_WITH_JOB: Final = 0x2000
"""JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE"""
_EXTENDED_LIMITS: Final = 9
"""JobObjectExtendedLimitInformation"""
_MAY_BE_ADDED: Final = 0x0101
"""PROCESS_SET_QUOTA and PROCESS_TERMINATE"""


class _BasicLimits(ctypes.Structure):
    """JOBOBJECT_BASIC_LIMIT_INFORMATION"""

    _fields_ = (
        ("per_process_user_time", ctypes.c_int64),
        ("per_job_user_time", ctypes.c_int64),
        ("limit_flags", ctypes.c_uint32),
        ("minimum_working_set", ctypes.c_size_t),
        ("maximum_working_set", ctypes.c_size_t),
        ("active_process_limit", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority_class", ctypes.c_uint32),
        ("scheduling_class", ctypes.c_uint32),
    )


class _Limits(ctypes.Structure):
    """JOBOBJECT_EXTENDED_LIMIT_INFORMATION"""

    _fields_ = (
        ("basic", _BasicLimits),
        ("io", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


class Job:
    """Processes that end when this process ends. Raises OSError where it cannot be made."""

    def __init__(self, kernel: Any = None) -> None:  # noqa: ANN401 - kernel32, or a test's
        self._kernel = kernel or _kernel32()
        self._handle = self._kernel.CreateJobObjectW(None, None)
        if not self._handle:
            raise OSError("the system makes no job")
        self._limit(_ENDS_WITH_JOB)

    def add(self, pid: int) -> bool:
        """Put a process into the job; whether that has worked: it may have ended."""
        process = self._kernel.OpenProcess(_MAY_BE_ADDED, False, pid)  # noqa: FBT003 - not inherited
        if not process:
            return False
        try:
            return bool(self._kernel.AssignProcessToJobObject(self._handle, process))
        finally:
            self._kernel.CloseHandle(process)

    def let_go(self) -> None:
        """The processes may outlive us. May be called again."""
        if self._handle:
            self._limit(0)
            handle, self._handle = self._handle, None
            self._kernel.CloseHandle(handle)

    def _limit(self, flags: int) -> None:
        limits = _Limits()
        limits.basic.limit_flags = flags
        told = ctypes.byref(limits)
        if not self._kernel.SetInformationJobObject(
            self._handle, _EXTENDED_LIMITS, told, ctypes.sizeof(limits)
        ):
            raise OSError("the system does not take the limit of a job")


def _kernel32() -> Any:  # noqa: ANN401 - it has no types
    """Windows' functions, with the types that 64-bit handles need."""
    load: Any = getattr(ctypes, "WinDLL", None)
    if load is None:
        raise OSError("this is not Windows")
    kernel = load("kernel32", use_last_error=True)
    handle = ctypes.c_void_p
    kernel.CreateJobObjectW.restype = handle
    kernel.OpenProcess.restype = handle
    kernel.OpenProcess.argtypes = (ctypes.c_uint32, ctypes.c_int, ctypes.c_uint32)
    kernel.AssignProcessToJobObject.argtypes = (handle, handle)
    kernel.CloseHandle.argtypes = (handle,)
    kernel.SetInformationJobObject.argtypes = (handle, ctypes.c_int, handle, ctypes.c_uint32)
    return kernel
