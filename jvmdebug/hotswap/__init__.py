# SPDX-License-Identifier: Apache-2.0
"""Hot swap: new code for classes that are loaded, and why the VM refuses some.

Reads class files, asks the VM to take them, and explains refusals by what differs. Breakpoints,
stops and listings of the replaced code are the session's, which calls this.
"""

from jvmdebug.hotswap.redefinition import (
    Outcome,
    RedefinedClass,
    Redefinition,
    class_files,
    redefine,
)

__all__ = [
    "Outcome",
    "RedefinedClass",
    "Redefinition",
    "class_files",
    "redefine",
]
