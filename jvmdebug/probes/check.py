# SPDX-License-Identifier: Apache-2.0
"""What a breakpoint asks, as the class of a check (native/protocol/probes.toml).

    static void c(Object this_, int count, ...) {
        try {
            if (!(condition) || !(++hits fits) || !(the second has room)) return;
        } catch (Throwable any) {
            JvmdebugProbes.hit(number, FAILED, 0); return;
        }
        JvmdebugProbes.hit(number, HOLDS, hits);  // or FULL
    }

All variables that are visible at the location are arguments, so that another condition needs only
another body. A check that calls methods of the program keeps an array for each thread, in its first
local variable: whether it runs on that thread, and then it does nothing, and how often it has: by
that the agent tells one run from the next (Probes.State).
Called by `probe`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.constant_pool import ConstantTag
from jvmdebug.classfile.writer import ClassWriter, CodeWriter, Label
from jvmdebug.errors import ClassFileError
from jvmdebug.evaluator.symbols import types
from jvmdebug.probes import handing_over
from jvmdebug.probes.code import HANDLE, ExpressionCode, letter_kind
from jvmdebug.probes.handles import write_handles
from jvmdebug.probes.members import Home, NotCompiledError, calls_program, reaches, walk
from jvmdebug.probes.values import unbox
from jvmdebug.probes.writers import WRITERS

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmdebug.evaluator.bind import bound
    from jvmdebug.model.location import Location
    from jvmdebug.model.variable import LocalVariable
    from jvmdebug.probes.count_test import CountTest
    from jvmdebug.probes.members import Reach

HOLDS: Final = 0
FAILED: Final = 1
FULL: Final = 2
"""It holds, but there have been enough in this second; reported once in it."""

_MAX_ARGUMENTS: Final = 100
_PROBES: Final = "java/lang/JvmdebugProbes"
_THREAD_LOCAL: Final = "java/lang/ThreadLocal"
_COUNTER: Final = "java/util/concurrent/atomic/AtomicLong"
_INTS: Final = "[I"
_RETURN, _POP, _DUP, _DUP2 = 177, 87, 89, 92
_ICONST_0, _ICONST_1, _ICONST_2 = 3, 4, 5
_IALOAD, _IASTORE, _IADD = 46, 79, 96
_NEWARRAY, _OF_INTS, _CHECKCAST = 188, 10, 192
_NEW, _INVOKESPECIAL, _INVOKEVIRTUAL, _INVOKESTATIC = 187, 183, 182, 184
_GETSTATIC, _PUTSTATIC = 178, 179
_LCONST_0: Final = 9
_IFEQ, _IFNE, _IFNONNULL, _LCMP, _LREM, _LSUB = 153, 154, 199, 148, 113, 101
_SECOND_NS: Final = 1_000_000_000
_UNLESS: Final = {"==": 154, "!=": 153, ">=": 155, ">": 158, "<=": 157, "<": 156, "%": 154}
"""The jump that leaves when the number of hits does not fit."""


@dataclass(frozen=True, slots=True)
class Load:
    """A variable of the frame that the check takes; `kind` is I J F D A."""

    kind: str
    slot: int


@dataclass(frozen=True, slots=True)
class Check:
    """A class to install."""

    name: str
    number: int
    class_file: bytes
    descriptor: str
    loads: tuple[Load, ...]
    calls_methods: bool
    keeps: frozenset[str] | None
    """The static fields in which it keeps something; None if they are its own. Another that keeps
    the same can take its place, and goes on with it.
    """


@dataclass(frozen=True, slots=True)
class FrameArguments:
    """The variables of a frame as arguments of a method."""

    loads: tuple[Load, ...]
    descriptor: str
    locals: Mapping[int, tuple[int, str]]
    slots: int


def frame_arguments(
    location: Location, variables: Sequence[LocalVariable], *, has_this: bool = True
) -> FrameArguments:
    """`this` and all variables, each slot once."""
    taken: list[tuple[int, int, str]] = []  # key in `locals`, slot in the frame, descriptor
    if has_this and not (location.method.is_static or location.method.is_native):
        taken.append((-1, 0, location.type.signature))
    seen = {0} if taken else set()
    for variable in variables:
        if variable.slot not in seen:
            seen.add(variable.slot)
            taken.append((variable.slot, variable.slot, variable.signature))
    if len(taken) > _MAX_ARGUMENTS:
        raise NotCompiledError("there are too many variables")
    at, loads, letters = 0, [], []
    found: dict[int, tuple[int, str]] = {}
    for key, slot, descriptor in taken:
        kind = letter_kind(descriptor[0])
        found[key] = (at, descriptor)
        loads.append(Load(kind, slot))
        letters.append("Ljava/lang/Object;" if kind == "A" else kind)
        at += 2 if kind in "JD" else 1
    return FrameArguments(tuple(loads), f"({''.join(letters)})V", found, at)


async def compile_check(
    number: int,
    name: str,
    location: Location,
    variables: Sequence[LocalVariable],
    condition: bound.Bound | None,
    count: CountTest | None,
    *,
    has_this: bool = True,
    stays: bool = False,
) -> Check:
    """The check of a condition (None: it holds always) at a location; NotCompiledError with the
    reason when it has to be interpreted.

    `has_this`: whether `this` is an argument. `stays`: where it holds it hands its arguments over,
    and the thread stays inside it.
    """
    arguments = frame_arguments(location, variables, has_this=has_this)
    home = Home(location.type, await location.type.class_loader())
    reach: Mapping[int, Reach] = {}
    if condition is not None:
        if condition.type not in (types.BOOLEAN, types.boxed(types.BOOLEAN)):
            raise NotCompiledError(f"it is of type {condition.type}")
        reach = await reaches(condition, home)
    writer = _CheckWriter(number, name, arguments, stays=stays)
    try:
        return writer.written(condition, count, reach)
    except ClassFileError as error:
        raise NotCompiledError(str(error)) from error


class _CheckWriter:
    def __init__(self, number: int, name: str, arguments: FrameArguments, *, stays: bool) -> None:
        self._stays = stays
        self._number = number
        self._name = name
        self._arguments = arguments
        self._class = ClassWriter(name)
        self._has_guard = self._has_counter = self._has_rate = False
        self._runs = 0

    def written(
        self, condition: bound.Bound | None, count: CountTest | None, reach: Mapping[int, Reach]
    ) -> Check:
        nodes = [] if condition is None else list(walk(condition))
        self._has_guard = calls_program(nodes)
        self._has_counter = count is not None
        self._has_rate = count is not None and count.most_per_second is not None
        depth = handing_over.STACK + 16 + 4 * len(nodes)
        code = CodeWriter(self._class.pool, depth, self._arguments.slots)
        expression = ExpressionCode(code, self._name, self._arguments.locals, reach, WRITERS)
        self._body(code, expression, condition, count)
        self._class.static_method("c", self._arguments.descriptor, code)
        has_own = self._has_guard or bool(expression.handles)
        if has_own or self._has_counter:
            self._initializer(expression, 0 if count is None else count.start)
        return Check(
            self._name,
            self._number,
            self._class.written(),
            self._arguments.descriptor,
            self._arguments.loads,
            self._has_guard,
            None if has_own else self._kept(),
        )

    def _kept(self) -> frozenset[str]:
        names = {"hits": self._has_counter, "began": self._has_rate, "reported": self._has_rate}
        return frozenset(name for name, is_there in names.items() if is_there)

    def _body(
        self,
        code: CodeWriter,
        expression: ExpressionCode,
        condition: bound.Bound | None,
        count: CountTest | None,
    ) -> None:
        start, end, failed, fails, leave = Label(), Label(), Label(), Label(), Label()
        if self._has_guard:
            self._enter(code, leave)
        hits, outcome = code.new_slot("J"), code.new_slot("I")
        code.op(_LCONST_0)
        code.store("J", hits)
        code.push_int(HOLDS)
        code.store("I", outcome)
        code.place(start)
        if condition is not None:
            if condition.type != types.BOOLEAN:
                expression.value(condition)
                unbox(expression, types.BOOLEAN)
                code.jump(_IFEQ, fails)
            else:
                expression.branch(condition, fails, when=False)
        if count is not None:
            self._count(code, count, hits, fails)
            if count.most_per_second is not None:
                self._limit(code, count.most_per_second, outcome, fails)
        code.place(end)
        self._release(code)
        code.push_int(self._number)
        code.load("I", outcome)
        code.load("J", hits)
        self._hit(code)
        code.place(fails)
        self._release(code)
        code.place(leave)
        code.op(_RETURN)
        if condition is None and count is None:
            return  # nothing fails
        code.place(failed)
        code.op(_POP)
        self._release(code)
        code.push_int(self._number)
        code.push_int(FAILED)
        code.op(_LCONST_0)
        self._hit(code)
        code.catch_all(start, end, failed)

    def _count(self, code: CodeWriter, count: CountTest, hits: int, fails: Label) -> None:
        self._static(code, _GETSTATIC, "hits", _COUNTER)
        self._virtual(code, _COUNTER, "incrementAndGet", "()J")
        code.store("J", hits)
        code.load("J", hits)
        code.push_long(count.number)
        if count.comparison == "%":
            code.op(_LREM)
            code.op(_LCONST_0)
        code.op(_LCMP)
        code.jump(_UNLESS[count.comparison], fails)

    def _limit(self, code: CodeWriter, most: int, outcome: int, fails: Label) -> None:
        """Leave when there were more than so many since `began`, a second ago at most."""
        now, began, same, fits = code.new_slot("J"), code.new_slot("J"), Label(), Label()
        self._now(code)
        code.store("J", now)
        self._static(code, _GETSTATIC, "began", _COUNTER)
        self._virtual(code, _COUNTER, "get", "()J")
        code.store("J", began)
        code.load("J", now)
        code.load("J", began)
        code.op(_LSUB)
        code.push_long(_SECOND_NS)
        code.op(_LCMP)
        code.jump(_UNLESS[">="], same)
        self._static(code, _GETSTATIC, "began", _COUNTER)
        code.load("J", began)
        code.load("J", now)
        self._virtual(code, _COUNTER, "compareAndSet", "(JJ)Z")
        code.jump(_IFEQ, same)
        self._static(code, _GETSTATIC, "reported", _COUNTER)
        code.op(_LCONST_0)
        self._virtual(code, _COUNTER, "set", "(J)V")
        code.place(same)
        self._static(code, _GETSTATIC, "reported", _COUNTER)
        self._virtual(code, _COUNTER, "incrementAndGet", "()J")
        code.store("J", now)
        code.load("J", now)
        code.push_long(most + 1)
        code.op(_LCMP)
        code.jump(_UNLESS["<="], fails)
        code.load("J", now)
        code.push_long(most)
        code.op(_LCMP)
        code.jump(_UNLESS[">"], fits)
        code.push_int(FULL)
        code.store("I", outcome)
        code.place(fits)

    def _enter(self, code: CodeWriter, leave: Label) -> None:
        """The thread's array: `{runs, how often}`. The agent finds it behind the arguments."""
        known = Label()
        self._runs = code.new_slot("A")
        self._static(code, _GETSTATIC, "guard", _THREAD_LOCAL)
        self._virtual(code, _THREAD_LOCAL, "get", "()Ljava/lang/Object;")
        code.op_index(_CHECKCAST, self._class.pool.class_(_INTS))
        code.op(_DUP)
        code.store("A", self._runs)
        code.jump(_IFNONNULL, known)
        code.op(_ICONST_2)
        code.op(_NEWARRAY, _OF_INTS)
        code.store("A", self._runs)
        self._static(code, _GETSTATIC, "guard", _THREAD_LOCAL)
        code.load("A", self._runs)
        self._virtual(code, _THREAD_LOCAL, "set", "(Ljava/lang/Object;)V")
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

    def _release(self, code: CodeWriter) -> None:
        if self._has_guard:
            code.load("A", self._runs)
            code.op(_ICONST_0)
            code.op(_ICONST_0)
            code.op(_IASTORE)

    def _hit(self, code: CodeWriter) -> None:
        called = "hit", "(IIJ)V"
        if self._stays:
            handing_over.push_arguments(code, [each.kind for each in self._arguments.loads])
            called = handing_over.STOP
        hit = self._class.pool.member(ConstantTag.METHOD_REFERENCE, _PROBES, *called)
        code.op_index(_INVOKESTATIC, hit)
        code.op(_RETURN)

    def _initializer(self, expression: ExpressionCode, start: int) -> None:
        code = CodeWriter(self._class.pool, 12)
        for wanted, name, type_, constructor in (
            (self._has_guard, "guard", _THREAD_LOCAL, "()V"),
            (self._has_counter, "hits", _COUNTER, "(J)V"),
            (self._has_rate, "began", _COUNTER, "(J)V"),
            (self._has_rate, "reported", _COUNTER, "()V"),
        ):
            if wanted:
                self._class.static_final(name, f"L{type_};")
                code.op_index(_NEW, self._class.pool.class_(type_))
                code.op(_DUP)
                if name == "hits":
                    code.push_long(start)
                elif name == "began":
                    self._now(code)
                made = self._class.pool.member(
                    ConstantTag.METHOD_REFERENCE, type_, "<init>", constructor
                )
                code.op_index(_INVOKESPECIAL, made)
                self._static(code, _PUTSTATIC, name, type_)
        for handle in expression.handles:
            self._class.static_final(handle.name, HANDLE)
        write_handles(code, self._name, expression.handles)
        code.op(_RETURN)
        self._class.static_method("<clinit>", "()V", code)

    def _now(self, code: CodeWriter) -> None:
        kind, system = ConstantTag.METHOD_REFERENCE, "java/lang/System"
        code.op_index(_INVOKESTATIC, self._class.pool.member(kind, system, "nanoTime", "()J"))

    def _static(self, code: CodeWriter, opcode: int, name: str, type_: str) -> None:
        member = self._class.pool.member(
            ConstantTag.FIELD_REFERENCE, self._name, name, f"L{type_};"
        )
        code.op_index(opcode, member)

    def _virtual(self, code: CodeWriter, owner: str, name: str, descriptor: str) -> None:
        member = self._class.pool.member(ConstantTag.METHOD_REFERENCE, owner, name, descriptor)
        code.op_index(_INVOKEVIRTUAL, member)
