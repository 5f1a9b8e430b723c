# SPDX-License-Identifier: Apache-2.0
"""javac, kept warm: a JVM that runs `JavacServer.java`, one for each JDK, that all share.

Owns that process, its messages and how it starts quickly. What is compiled, with which class path
and for what, is the callers': projects, the evaluator (texts in no file), hot swap, the launch of a
single file. Begin with `server`; in an event loop, with `tasks`.
"""

from typing import TYPE_CHECKING, Final

from jvmdebug.later import names

if TYPE_CHECKING:
    from jvmdebug.javac.server import (
        Answer,
        Diagnostic,
        FilesToCompile,
        JavacFailedError,
        JavacServer,
        Turn,
        shared,
    )

_HOMES: Final = {
    "server": (
        "Answer",
        "Diagnostic",
        "FilesToCompile",
        "JavacFailedError",
        "JavacServer",
        "Turn",
        "shared",
    ),
}

if not TYPE_CHECKING:  # a name that does not exist is an error of the type checker
    __getattr__ = names(__name__, _HOMES)

__all__ = [
    "Answer",
    "Diagnostic",
    "FilesToCompile",
    "JavacFailedError",
    "JavacServer",
    "Turn",
    "shared",
]
