# SPDX-License-Identifier: Apache-2.0
"""The code that counts the hits of a check, and the hits that are reported in a second.

    static final AtomicLong hits, began, reported, since, written;

Called by `check`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.opcodes import Op
from jvmdebug.classfile.writer import Label

if TYPE_CHECKING:
    from jvmdebug.classfile.writer import CodeWriter
    from jvmdebug.probes.count_test import CountTest

FULL: Final = 2
"""The outcome of a hit after which no more are reported in this second; reported once a second."""
REPORTED: Final = "began", "reported"
WRITTEN: Final = "since", "written"
"""The counters of the beginning of a second, and of the lines written in it."""
COUNTER: Final = "java/util/concurrent/atomic/AtomicLong"

_SECOND_NS: Final = 1_000_000_000
_UNLESS: Final = {
    "==": Op.IFNE,
    "!=": Op.IFEQ,
    ">=": Op.IFLT,
    ">": Op.IFLE,
    "<=": Op.IFGT,
    "<": Op.IFGE,
    "%": Op.IFNE,
}
"""The jump that leaves the check if the number of hits does not fit."""


def push_now(code: CodeWriter) -> None:
    """Push System.nanoTime()."""
    code.invoke(Op.INVOKESTATIC, "java/lang/System", "nanoTime", "()J")


@dataclass(frozen=True, slots=True)
class Counters:
    """Code that works on the counters of a class."""

    code: CodeWriter
    class_name: str

    def call(self, counter: str, method: str, descriptor: str, *arguments: int) -> None:
        """Call a method of a counter; `arguments` are local variables with a long."""
        self.code.field(Op.GETSTATIC, self.class_name, counter, f"L{COUNTER};")
        for each in arguments:
            self.code.load("J", each)
        self.code.invoke(Op.INVOKEVIRTUAL, COUNTER, method, descriptor)

    def count(self, test: CountTest, hits: int, fails: Label) -> None:
        """Count one more hit, with its number in a local variable. Leave if the number does not
        fit.
        """
        code = self.code
        self.call("hits", "incrementAndGet", "()J")
        code.store("J", hits)
        code.load("J", hits)
        code.push_long(test.number)
        if test.comparison == "%":
            code.op(Op.LREM)
            code.op(Op.LCONST_0)
        code.op(Op.LCMP)
        code.jump(_UNLESS[test.comparison], fails)

    def limit(
        self,
        most: int,
        fails: Label,
        outcome: int | None = None,
        *,
        names: tuple[str, str] = REPORTED,
    ) -> None:
        """Leave if there were more hits than `most` since `began`, at most a second ago. `outcome`:
        the variable that becomes FULL for the first hit over the limit, which is reported. `names`:
        the two counters.
        """
        began_at, number = names
        code = self.code
        now, began, same, fits = code.new_slot("J"), code.new_slot("J"), Label(), Label()
        push_now(code)
        code.store("J", now)
        self.call(began_at, "get", "()J")
        code.store("J", began)
        code.load("J", now)
        code.load("J", began)
        code.op(Op.LSUB)
        code.push_long(_SECOND_NS)
        code.op(Op.LCMP)
        code.jump(_UNLESS[">="], same)
        self.call(began_at, "compareAndSet", "(JJ)Z", began, now)
        code.jump(Op.IFEQ, same)
        code.field(Op.GETSTATIC, self.class_name, number, f"L{COUNTER};")
        code.op(Op.LCONST_0)
        code.invoke(Op.INVOKEVIRTUAL, COUNTER, "set", "(J)V")
        code.place(same)
        self.call(number, "incrementAndGet", "()J")
        code.store("J", now)
        code.load("J", now)
        code.push_long(most if outcome is None else most + 1)
        code.op(Op.LCMP)
        code.jump(_UNLESS["<="], fails)
        if outcome is None:
            return
        code.load("J", now)
        code.push_long(most)
        code.op(Op.LCMP)
        code.jump(_UNLESS[">"], fits)
        code.push_int(FULL)
        code.store("I", outcome)
        code.place(fits)
