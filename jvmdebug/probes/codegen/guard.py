# SPDX-License-Identifier: Apache-2.0
"""The guard of checks: what a check calls may reach its line again, or that of another check.

All checks of a VM share it; the agent makes it (native/agent/probes/check_guard.h). It is an array
for each thread, which a check that calls methods keeps in its first local variable behind the
arguments. The first element tells whether the thread runs such a check, or runs something for the
debugger; the second counts the runs. The agent finds the array by the thread, and tells runs apart
by the second element (Probes.State). Called by `check`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.opcodes import Op
from jvmdebug.classfile.writer import Label

if TYPE_CHECKING:
    from jvmdebug.classfile.writer import CodeWriter

_GUARD: Final = "java/lang/JvmdebugCheckGuard"
_THREAD_LOCAL: Final = "java/lang/ThreadLocal"
_INTS, _OF_INTS = "[I", 10


def leave_if_called(code: CodeWriter, leave: Label) -> None:
    """Go to `leave` if this thread runs a check that calls methods, or runs something for the
    debugger. For checks that call nothing themselves.
    """
    runs, go_on = code.new_slot("A"), Label()
    code.field(Op.GETSTATIC, _GUARD, "calling", "I")
    code.jump(Op.IFEQ, go_on)
    _push_runs(code)
    code.store("A", runs)
    code.load("A", runs)
    code.jump(Op.IFNULL, go_on)
    code.load("A", runs)
    code.op(Op.ICONST_0)
    code.op(Op.IALOAD)
    code.jump(Op.IFNE, leave)
    code.place(go_on)


def _push_runs(code: CodeWriter) -> None:
    """Push the array of this thread; null if it has none yet."""
    _push_thread_local(code)
    code.invoke(Op.INVOKEVIRTUAL, _THREAD_LOCAL, "get", "()Ljava/lang/Object;")
    code.op_index(Op.CHECKCAST, code.pool.class_(_INTS))


def _push_thread_local(code: CodeWriter) -> None:
    code.field(Op.GETSTATIC, _GUARD, "running", f"L{_THREAD_LOCAL};")


class Guard:
    """The guard in the code of a check that calls methods."""

    def __init__(self, code: CodeWriter) -> None:
        """Reserve a local variable. It is the first one behind the arguments, so call this before
        any other variable is made.
        """
        self._code = code
        self._runs = code.new_slot("A")

    def enter(self, leave: Label) -> None:
        """Go to `leave` if the thread is in a check already."""
        code = self._code
        self._mark(leave)
        code.op(Op.ICONST_1)
        code.op(Op.DUP2)
        code.op(Op.IALOAD)
        code.op(Op.ICONST_1)
        code.op(Op.IADD)
        code.op(Op.IASTORE)

    def _mark(self, leave: Label) -> None:
        """Go to `leave` if the thread is in a check; else note that it is, and push its array."""
        code = self._code
        self._find(leave)
        code.load("A", self._runs)
        code.op(Op.ICONST_0)
        code.op(Op.ICONST_1)
        code.op(Op.IASTORE)
        code.load("A", self._runs)

    def count_call(self, leave: Label) -> None:
        """Go to `leave` if the thread is in a check. Else push the number, an int, of this call or
        return among those that traces record for the thread.
        """
        code = self._code
        self._mark(leave)
        code.op(Op.ICONST_2)
        code.op(Op.DUP2)
        code.op(Op.IALOAD)
        code.op(Op.ICONST_1)
        code.op(Op.IADD)
        code.op(Op.DUP_X2)
        code.op(Op.IASTORE)

    def _find(self, leave: Label) -> None:
        code, known = self._code, Label()
        _push_runs(code)
        code.op(Op.DUP)
        code.store("A", self._runs)
        code.jump(Op.IFNONNULL, known)
        code.op(Op.ICONST_3)
        code.op(Op.NEWARRAY, _OF_INTS)
        code.store("A", self._runs)
        _push_thread_local(code)
        code.load("A", self._runs)
        code.invoke(Op.INVOKEVIRTUAL, _THREAD_LOCAL, "set", "(Ljava/lang/Object;)V")
        code.place(known)
        code.load("A", self._runs)
        code.op(Op.ICONST_0)
        code.op(Op.IALOAD)
        code.jump(Op.IFNE, leave)

    def release(self) -> None:
        """Note that the check has ended."""
        self._code.load("A", self._runs)
        self._code.op(Op.ICONST_0)
        self._code.op(Op.ICONST_0)
        self._code.op(Op.IASTORE)
