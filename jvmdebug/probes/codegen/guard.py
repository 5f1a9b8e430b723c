# SPDX-License-Identifier: Apache-2.0
"""The guard of checks: what one calls may come to its line again, or to that of another.

It is shared by all of a VM, and made by the agent (native/agent/probes/check_guard.h): an array for
each thread, which a check that calls methods keeps in the first local variable behind its
arguments. Its first element says whether such a check runs on that thread, or something for the
debugger, its second counts the runs. The agent finds it by the thread, and by the second tells one
run from the next (Probes.State). Called by `check`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.writer import Label

if TYPE_CHECKING:
    from jvmdebug.classfile.writer import CodeWriter

_GUARD: Final = "java/lang/JvmdebugCheckGuard"
_THREAD_LOCAL: Final = "java/lang/ThreadLocal"
_INTS, _OF_INTS = "[I", 10
_ICONST_0, _ICONST_1, _ICONST_2, _ICONST_3 = 3, 4, 5, 6
_IALOAD, _IASTORE, _IADD, _DUP, _DUP2, _DUP_X2 = 46, 79, 96, 89, 92, 91
_IFEQ, _IFNE, _IFNULL, _IFNONNULL = 153, 154, 198, 199
_GETSTATIC, _INVOKEVIRTUAL = 178, 182
_NEWARRAY, _CHECKCAST = 188, 192


def leave_if_called(code: CodeWriter, leave: Label) -> None:
    """Go to `leave` if a check runs on this thread that calls methods, or the debugger has it run
    something; in the code of a check that calls nothing itself.
    """
    runs, go_on = code.new_slot("A"), Label()
    code.field(_GETSTATIC, _GUARD, "calling", "I")
    code.jump(_IFEQ, go_on)
    _push_runs(code)
    code.store("A", runs)
    code.load("A", runs)
    code.jump(_IFNULL, go_on)
    code.load("A", runs)
    code.op(_ICONST_0)
    code.op(_IALOAD)
    code.jump(_IFNE, leave)
    code.place(go_on)


def _push_runs(code: CodeWriter) -> None:
    """The array of this thread; null if it has none yet."""
    _push_thread_local(code)
    code.invoke(_INVOKEVIRTUAL, _THREAD_LOCAL, "get", "()Ljava/lang/Object;")
    code.op_index(_CHECKCAST, code.pool.class_(_INTS))


def _push_thread_local(code: CodeWriter) -> None:
    code.field(_GETSTATIC, _GUARD, "running", f"L{_THREAD_LOCAL};")


class Guard:
    """The guard in the code of a check that calls methods."""

    def __init__(self, code: CodeWriter) -> None:
        """Before any other local variable is made."""
        self._code = code
        self._runs = code.new_slot("A")

    def enter(self, leave: Label) -> None:
        """Go to `leave` if the thread is in a check already."""
        code = self._code
        self._mark(leave)
        code.op(_ICONST_1)
        code.op(_DUP2)
        code.op(_IALOAD)
        code.op(_ICONST_1)
        code.op(_IADD)
        code.op(_IASTORE)

    def _mark(self, leave: Label) -> None:
        """Go to `leave` if the thread is in a check; else note that it is, and push its array."""
        code = self._code
        self._find(leave)
        code.load("A", self._runs)
        code.op(_ICONST_0)
        code.op(_ICONST_1)
        code.op(_IASTORE)
        code.load("A", self._runs)

    def count_call(self, leave: Label) -> None:
        """Go to `leave` if the thread is in a check; else push how many calls and returns this is
        of those that traces record, an int.
        """
        code = self._code
        self._mark(leave)
        code.op(_ICONST_2)
        code.op(_DUP2)
        code.op(_IALOAD)
        code.op(_ICONST_1)
        code.op(_IADD)
        code.op(_DUP_X2)
        code.op(_IASTORE)

    def _find(self, leave: Label) -> None:
        code, known = self._code, Label()
        _push_runs(code)
        code.op(_DUP)
        code.store("A", self._runs)
        code.jump(_IFNONNULL, known)
        code.op(_ICONST_3)
        code.op(_NEWARRAY, _OF_INTS)
        code.store("A", self._runs)
        _push_thread_local(code)
        code.load("A", self._runs)
        code.invoke(_INVOKEVIRTUAL, _THREAD_LOCAL, "set", "(Ljava/lang/Object;)V")
        code.place(known)
        code.load("A", self._runs)
        code.op(_ICONST_0)
        code.op(_IALOAD)
        code.jump(_IFNE, leave)

    def release(self) -> None:
        """The check does not run any more."""
        self._code.load("A", self._runs)
        self._code.op(_ICONST_0)
        self._code.op(_ICONST_0)
        self._code.op(_IASTORE)
