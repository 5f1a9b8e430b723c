# SPDX-License-Identifier: Apache-2.0
"""Hot swap: new code for loaded classes, and why the VM refuses some.

Owns the choice of class files, the redefinition itself, the explanation of a refusal by what
differs, the comparison of a loaded class with its class file (`comparing`), and javac on edited
sources (`compiling`). Does not touch breakpoints, stops and listings of the replaced code: those
are the session's, which calls this. Begin with `redefinition`.
"""

from typing import TYPE_CHECKING, Final

from jvmdebug.later import names

if TYPE_CHECKING:
    from jvmdebug.hotswap.comparing import CodeComparison, compare, find_class_file
    from jvmdebug.hotswap.compiling import CompilerMessage
    from jvmdebug.hotswap.redefinition import (
        Outcome,
        RedefinedClass,
        Redefinition,
        class_files,
        redefine,
    )

_HOMES: Final = {
    "comparing": ("CodeComparison", "compare", "find_class_file"),
    "compiling": ("CompilerMessage",),
    "redefinition": ("Outcome", "RedefinedClass", "Redefinition", "class_files", "redefine"),
}

if not TYPE_CHECKING:  # a name that does not exist is an error of the type checker
    __getattr__ = names(__name__, _HOMES)

__all__ = [
    "CodeComparison",
    "CompilerMessage",
    "Outcome",
    "RedefinedClass",
    "Redefinition",
    "class_files",
    "compare",
    "find_class_file",
    "redefine",
]
