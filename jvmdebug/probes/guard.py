# SPDX-License-Identifier: Apache-2.0
"""The guard of a check that calls methods of the program, which may come to the line again.

    static final ThreadLocal guard;

It keeps an array for each thread, in the first local variable behind the check's arguments: whether
the check runs on that thread, and how often it has. The agent finds it there, and by the second
tells one run from the next (Probes.State). Called by `check`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.writer import Label

if TYPE_CHECKING:
    from jvmdebug.classfile.writer import CodeWriter

THREAD_LOCAL: Final = "java/lang/ThreadLocal"
_INTS, _OF_INTS = "[I", 10
_ICONST_0, _ICONST_1, _ICONST_2 = 3, 4, 5
_IALOAD, _IASTORE, _IADD, _DUP, _DUP2 = 46, 79, 96, 89, 92
_IFNE, _IFNONNULL, _GETSTATIC, _INVOKEVIRTUAL = 154, 199, 178, 182
_NEWARRAY, _CHECKCAST = 188, 192


class Guard:
    """The guard in the code of one check."""

    def __init__(self, code: CodeWriter, class_name: str) -> None:
        """Before any other local variable is made."""
        self._code = code
        self._class_name = class_name
        self._runs = code.new_slot("A")

    def enter(self, leave: Label) -> None:
        """Go to `leave` if the check runs on this thread already."""
        code, known = self._code, Label()
        self._get()
        code.invoke(_INVOKEVIRTUAL, THREAD_LOCAL, "get", "()Ljava/lang/Object;")
        code.op_index(_CHECKCAST, code.pool.class_(_INTS))
        code.op(_DUP)
        code.store("A", self._runs)
        code.jump(_IFNONNULL, known)
        code.op(_ICONST_2)
        code.op(_NEWARRAY, _OF_INTS)
        code.store("A", self._runs)
        self._get()
        code.load("A", self._runs)
        code.invoke(_INVOKEVIRTUAL, THREAD_LOCAL, "set", "(Ljava/lang/Object;)V")
        code.place(known)
        code.load("A", self._runs)
        code.op(_ICONST_0)
        code.op(_IALOAD)
        code.jump(_IFNE, leave)
        code.load("A", self._runs)
        code.op(_ICONST_0)
        code.op(_ICONST_1)
        code.op(_IASTORE)
        code.load("A", self._runs)
        code.op(_ICONST_1)
        code.op(_DUP2)
        code.op(_IALOAD)
        code.op(_ICONST_1)
        code.op(_IADD)
        code.op(_IASTORE)

    def release(self) -> None:
        """The check does not run any more."""
        self._code.load("A", self._runs)
        self._code.op(_ICONST_0)
        self._code.op(_ICONST_0)
        self._code.op(_IASTORE)

    def _get(self) -> None:
        self._code.field(_GETSTATIC, self._class_name, "guard", f"L{THREAD_LOCAL};")
