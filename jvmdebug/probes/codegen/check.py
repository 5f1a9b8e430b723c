# SPDX-License-Identifier: Apache-2.0
"""Compiles what a breakpoint asks to the class of a check (native/protocol/probes.toml).

    static void c(Object this_, int count, ...) {
        try {
            if (!(condition) || !(++hits fits) || !(the second has room)) return;
        } catch (Throwable any) {
            JvmdebugProbes.hit(number, FAILED, 0); return;
        }
        JvmdebugProbes.hit(number, HOLDS, hits);  // or FULL, or UNASKED
    }

The check of a log point writes a record in place of the last line (`log_code`). Where it cannot, or
an expression of the message throws, the debugger writes the line.

All variables that are visible at the location are arguments, so another condition only needs
another body. What a check calls, and what a thread runs for the debugger, hits no other check
(`guard`). Called by `probe`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.opcodes import Op
from jvmdebug.classfile.writer import ClassWriter, CodeWriter, Label
from jvmdebug.errors import ClassFileError
from jvmdebug.evaluator.symbols import types
from jvmdebug.probes.codegen import handing_over
from jvmdebug.probes.codegen.accessible import Home, names_of
from jvmdebug.probes.codegen.check_form import Check, CheckForm
from jvmdebug.probes.codegen.code import ExpressionCode, letter_kind
from jvmdebug.probes.codegen.counting import COUNTER, REPORTED, WRITTEN, Counters, push_now
from jvmdebug.probes.codegen.filter_code import leave_others
from jvmdebug.probes.codegen.guard import Guard, leave_if_called
from jvmdebug.probes.codegen.handles import given_names, leave_places, write_given
from jvmdebug.probes.codegen.leaves import calls_of
from jvmdebug.probes.codegen.loads import FrameArguments, Load
from jvmdebug.probes.codegen.log_code import write_record, write_values
from jvmdebug.probes.codegen.members import NotCompiledError, reaches, walk
from jvmdebug.probes.codegen.values import unbox
from jvmdebug.probes.codegen.writers import WRITERS
from jvmdebug.probes.codegen.written_code import WRITE, Written
from jvmdebug.probes.question import EVERY_HIT

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmdebug.evaluator.bind import bound
    from jvmdebug.model.location import Location
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.variable import LocalVariable
    from jvmdebug.probes.codegen.accessible import Names
    from jvmdebug.probes.codegen.leaves import Calls
    from jvmdebug.probes.codegen.log_code import BoundLog
    from jvmdebug.probes.codegen.members import Reach
    from jvmdebug.probes.count_test import CountTest

HOLDS: Final = 0
FAILED: Final = 1
UNASKED: Final = 3
"""The outcome of a check that holds, at which the debugger has to look; FULL is 2."""

NEVER: Final = 0
"""Stands for the id of a thread that no thread of Java has."""

_MAX_ARGUMENTS: Final = 100
_CONDITION_TYPES: Final = types.BOOLEAN, types.boxed(types.BOOLEAN)
CALLED_BY_CHECKS: Final = frozenset(
    {
        "java.lang.ThreadLocal",
        "java.lang.ThreadLocal$ThreadLocalMap",
        "java.lang.ThreadLocal$ThreadLocalMap$Entry",
        "java.lang.ref.Reference",
        "java.lang.ref.WeakReference",
        "java.util.concurrent.atomic.AtomicLong",
        "jdk.internal.misc.Unsafe",
    }
)
"""The classes of the guard, the counters and the ring. A check in one of them would reach its own
line again without end.
"""
_PROBES: Final = "java/lang/JvmdebugProbes"


def frame_arguments(
    location: Location, variables: Sequence[LocalVariable], *, has_this: bool = True
) -> FrameArguments:
    """The variables of a frame as arguments: `this` and all variables, each slot once."""
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
    log: BoundLog | None = None,
    form: CheckForm | None = None,
) -> Check:
    """Compile the check of a condition at a location; None for a condition that always holds.
    Raises NotCompiledError with the reason if it has to be interpreted. `log`: the message that it
    writes itself, with a `count` that limits what the debugger writes.
    """
    form = form or CheckForm()
    arguments = frame_arguments(location, variables, has_this=form.has_this)
    old = None
    if form.written is not None:
        arguments = form.written.arguments(arguments)
        old = form.written.old
    home = Home(location.type, await location.type.class_loader())
    if condition is not None and condition.type not in _CONDITION_TYPES:
        raise NotCompiledError(f"it is of type {condition.type}")
    has_log = form.has_log or log is not None
    roots = [*form.later, *(() if log is None else log.values)]
    roots += [each for each in (condition, old) if each is not None]
    nodes = [node for root in roots for node in walk(root)]
    names = await names_of(nodes, home)
    reach = {key: how for root in roots for key, how in (await reaches(root, home, names)).items()}
    calls = await calls_of(nodes, form.is_watched)
    is_simple = count is None and not (has_log or calls.needs_guard or form.only != EVERY_HIT)
    if location.type.name in CALLED_BY_CHECKS and not is_simple:
        raise NotCompiledError(f"checks call methods of {location.type.name} themselves")
    receivers = {each: await home.keeps(each) for each in form.only.receivers}
    writer = _CheckWriter(number, name, arguments, form, receivers, has_log=has_log)
    try:
        return writer.written(condition, count, log, (reach, names), calls, 4 * len(nodes))
    except ClassFileError as error:
        raise NotCompiledError(str(error)) from error


class _CheckWriter:
    def __init__(
        self,
        number: int,
        name: str,
        arguments: FrameArguments,
        form: CheckForm,
        receivers: Mapping[ReferenceType, bool],
        *,
        has_log: bool,
    ) -> None:
        self._receivers, self._form = receivers, form
        self._written = form.written
        self._number, self._name = number, name
        self._arguments = arguments
        self._class = ClassWriter(name)
        self._has_guard = self._has_counter = self._has_rate = self._has_line_rate = False
        self._has_log = has_log
        self._guard: Guard | None = None

    def written(
        self,
        condition: bound.Bound | None,
        count: CountTest | None,
        log: BoundLog | None,
        reach: tuple[Mapping[int, Reach], Names],
        calls: Calls,
        depth: int,
    ) -> Check:
        """Write the class. `depth`: of the stack that the expressions need."""
        self._has_guard = calls.needs_guard
        self._has_counter = count is not None
        self._has_rate = count is not None and count.most_per_second is not None
        self._has_line_rate = (
            self._has_log and count is not None and count.most_lines_per_second is not None
        )
        depth += handing_over.STACK + 16
        code = CodeWriter(self._class.pool, depth, self._arguments.slots)
        old = None if self._written is None else self._written.old
        given = self._arguments.locals, reach[0], WRITERS, reach[1], old
        expression = ExpressionCode(code, self._name, *given)
        self._body(code, expression, condition, count, log)
        self._class.static_method("c", self._arguments.descriptor, code)
        unused = CodeWriter(self._class.pool, depth, self._arguments.slots)
        for each in self._form.later:
            replace(expression, code=unused).value(each)
        own = {name for name, has in self._counters().items() if has}
        self._initializer(expression, 0 if count is None else count.start)
        return Check(
            self._name,
            self._number,
            self._class.written(),
            self._arguments.descriptor,
            self._arguments.loads,
            self._has_guard,
            given_names(expression.given) | own,
            None if log is None else log.format(),
            tuple(expression.given),
            calls.leaves,
        )

    def _counters(self) -> dict[str, bool]:
        """The static fields for counters, and which of them the check has."""
        return {
            "hits": self._has_counter,
            **dict.fromkeys(REPORTED, self._has_rate),
            **dict.fromkeys(WRITTEN, self._has_line_rate),
            "lost": self._has_log,
        }

    def _body(
        self,
        code: CodeWriter,
        expression: ExpressionCode,
        condition: bound.Bound | None,
        count: CountTest | None,
        log: BoundLog | None,
    ) -> None:
        start, end, failed, fails, leave = Label(), Label(), Label(), Label(), Label()
        if self._form.only_thread == NEVER:
            code.op(Op.RETURN)
            return
        self._leave_others(code, leave)
        is_static = self._form.has_this and -1 not in self._arguments.locals
        leave_others(expression, self._form.only, self._receivers, leave, is_static=is_static)
        if self._has_guard:
            self._guard = Guard(code)
            self._guard.enter(leave)
        counters = Counters(code, self._name)
        hits, outcome = code.new_slot("J"), code.new_slot("I")
        code.op(Op.LCONST_0)
        code.store("J", hits)
        code.push_int(UNASKED if self._form.leaves_it_open else HOLDS)
        code.store("I", outcome)
        code.place(start)
        if condition is not None:
            if condition.type != types.BOOLEAN:
                expression.value(condition)
                unbox(expression, types.BOOLEAN)
                code.jump(Op.IFEQ, fails)
            else:
                expression.branch(condition, fails, when=False)
        if self._guard is None and (count is not None or log is not None):
            leave_if_called(code, fails)  # else the agent finds out by the stack
        if count is not None and not self._form.leaves_it_open:
            counters.count(count, hits, fails)
            if count.most_per_second is not None and log is None:
                counters.limit(count.most_per_second, fails, outcome)
        code.place(end)
        if log is not None:
            self._log(expression, log, count, fails)
        self._release()
        code.push_int(self._number)
        code.load("I", outcome)
        code.load("J", hits)
        self._hit(code)
        code.place(fails)
        self._release()
        code.place(leave)
        code.op(Op.RETURN)
        if condition is None and count is None:
            return  # nothing can fail
        code.place(failed)
        code.op(Op.POP)
        self._release()
        code.push_int(self._number)
        code.push_int(FAILED)
        code.op(Op.LCONST_0)
        self._hit(code)
        code.catch_all(start, end, failed)

    def _leave_others(self, code: CodeWriter, leave: Label) -> None:
        if self._written is not None:
            self._written.begin(code, self._arguments.locals, leave)
        if self._form.only_thread is None:
            return
        code.invoke(Op.INVOKESTATIC, "java/lang/Thread", "currentThread", "()Ljava/lang/Thread;")
        code.invoke(Op.INVOKEVIRTUAL, "java/lang/Thread", "getId", "()J")
        code.push_long(self._form.only_thread)
        code.op(Op.LCMP)
        code.jump(Op.IFNE, leave)

    def _log(
        self, expression: ExpressionCode, log: BoundLog, count: CountTest | None, fails: Label
    ) -> None:
        """Write the record and leave. Go on where the debugger has to write the line."""
        if count is None or count.most_per_second is None:
            raise ValueError("what the debugger writes of a log point has no limit")
        code, counters = expression.code, Counters(expression.code, self._name)
        start, end, threw, lost, past, failed = (Label() for _ in range(6))
        code.place(start)
        if count.most_lines_per_second is not None:
            counters.limit(count.most_lines_per_second, lost, names=WRITTEN)
        values = write_values(expression, log)
        code.place(end)
        self._release()
        write_record(code, self._name, log.number, values, lost)
        code.place(past)
        code.op(Op.RETURN)
        code.place(failed)  # for instance because the stack is full: the program goes on
        code.op(Op.POP)
        code.op(Op.RETURN)
        code.place(lost)
        counters.call("lost", "incrementAndGet", "()J")
        code.op(Op.POP2)
        code.jump(Op.GOTO, fails)
        code.place(threw)
        code.op(Op.POP)
        counters.limit(count.most_per_second, lost)
        if values:
            code.catch_all(start, end, threw)
        code.catch_all(end, past, failed)

    def _release(self) -> None:
        if self._guard is not None:
            self._guard.release()

    def _hit(self, code: CodeWriter) -> None:
        called = "hit", "(IIJ)V"
        if self._form.stays:
            own, loads = [], self._arguments.loads
            if isinstance(self._written, Written):
                own, loads = self._written.kinds, loads[1:]
            handing_over.push_arguments(code, [*own, *(each.kind for each in loads)])
            called = handing_over.STOP
        elif isinstance(self._written, Written):
            self._written.push(code)
            called = WRITE
        code.invoke(Op.INVOKESTATIC, _PROBES, *called)
        code.op(Op.RETURN)

    def _initializer(self, expression: ExpressionCode, start: int) -> None:
        code = CodeWriter(self._class.pool, 12)
        for name, wanted in self._counters().items():
            if wanted:
                self._class.static_field(name, f"L{COUNTER};")  # other checks may share it
                code.op_index(Op.NEW, self._class.pool.class_(COUNTER))
                code.op(Op.DUP)
                if name in (REPORTED[0], WRITTEN[0]):
                    push_now(code)
                else:
                    code.push_long(start if name == "hits" else 0)
                code.invoke(Op.INVOKESPECIAL, COUNTER, "<init>", "(J)V")
                code.field(Op.PUTSTATIC, self._name, name, f"L{COUNTER};")
        if self._has_log:
            self._class.static_volatile("fence", "I")
        write_given(self._class, code, expression.given)
        leave_places(self._class, expression.given)
        code.op(Op.RETURN)
        self._class.static_method("<clinit>", "()V", code)
