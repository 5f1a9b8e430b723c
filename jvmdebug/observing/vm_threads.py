# SPDX-License-Identifier: Apache-2.0
"""Tells the threads of the VM and the JDK from the program's own, by their names.

They are in every program (Reference Handler, Finalizer, Signal Dispatcher): lists show them last.
Nothing else depends on it, since a program may give a thread any name.
"""

from __future__ import annotations

import re
from typing import Final

_NAMES: Final = re.compile(
    r"Reference Handler|Finalizer|Signal Dispatcher|Attach Listener|Service Thread"
    r"|Monitor Deflation Thread|Common-Cleaner|Cleaner-\d+|Notification Thread|Sweeper thread"
    r"|C[12] CompilerThread\d+|VirtualThread-unparker|(Read|Write|Master)-?Poller"
    r"|JFR (Recorder Thread|Recording Scheduler|Periodic Tasks)|process reaper.*|DestroyJavaVM"
)


def is_of_vm(name: str) -> bool:
    """Whether a thread of this name is one that the VM or the JDK starts for itself."""
    return _NAMES.fullmatch(name) is not None
