# SPDX-License-Identifier: Apache-2.0
"""javac, kept warm: a JVM that runs `JavacServer.java`, one for each JDK, that all share.

Owns that process, its messages and how it starts quickly. What is compiled, with which class path
and for what, is the callers': projects, the evaluator (texts in no file), hot swap, the launch of a
single file. Begin with `server`; in an event loop, with `tasks`.
"""

from jvmdebug.javac.server import (
    Answer,
    Diagnostic,
    FilesToCompile,
    JavacFailedError,
    JavacServer,
    Turn,
    shared,
)

__all__ = [
    "Answer",
    "Diagnostic",
    "FilesToCompile",
    "JavacFailedError",
    "JavacServer",
    "Turn",
    "shared",
]
