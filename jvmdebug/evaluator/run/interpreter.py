# SPDX-License-Identifier: Apache-2.0
"""The interpreter: runs a bound tree in a frame.

A Run is one evaluation: it has the frame, the variables read from it (in one round trip), and the
objects to pin. Strings that the expression creates exist only here (`NewString`) until the debuggee
needs them. The functions per node class are in the other modules; `dispatch` has their table.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from jvmdebug.classfile.descriptors import java_name
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.bind.bound import Bound, BoundNode
from jvmdebug.evaluator.bind.bound_statements import ForEach, Loop, Statement
from jvmdebug.evaluator.errors import ReadOnlyError
from jvmdebug.evaluator.reading.arrays import ReadArray
from jvmdebug.evaluator.reading.errors import NotReadError
from jvmdebug.evaluator.run.exceptions import JavaThrowsError
from jvmdebug.evaluator.run.interned_strings import interned
from jvmdebug.evaluator.run.invoker import Invoker
from jvmdebug.evaluator.symbols.hierarchy import Hierarchy
from jvmdebug.model.made_reference import MadeReference
from jvmdebug.model.text_of_reading import TextOfReading
from jvmdebug.model.values import (
    VOID,
    NullValue,
    ObjectReference,
    PrimitiveValue,
    StringReference,
    UnavailableValue,
    Value,
)

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.bound import Variable
    from jvmdebug.evaluator.parse.syntax import Span
    from jvmdebug.evaluator.reading.objects import ReadObject
    from jvmdebug.evaluator.reading.reader import Reader
    from jvmdebug.evaluator.run.deadline import Deadline
    from jvmdebug.evaluator.symbols.loaded_types import LoadedTypes
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.variable import LocalVariable


@dataclass(frozen=True, slots=True)
class NewString:
    """A string that the expression created and that does not exist in the debuggee yet.

    Each is an object of its own; a constant is the one of that text (JLS 3.10.5).
    """

    text: str
    is_constant: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class MadeObject:
    """An object or array that a computed call has made (see `reading`): it exists here only."""

    found: ReadObject | ReadArray

    @property
    def class_name(self) -> str:
        """`java.util.HashMap$KeySet`, `int[]`"""
        found = self.found
        if isinstance(found, ReadArray):
            return java_name(found.descriptor)
        return "java.lang.Object" if found.of_class is None else found.of_class.java_name

    @property
    def class_names(self) -> tuple[str, ...]:
        """The names of an object's class, and of all above it."""
        of_class = None if isinstance(self.found, ReadArray) else self.found.of_class
        return () if of_class is None else tuple(each.java_name for each in of_class.supers)


RunValue: TypeAlias = Value | NewString | MadeObject
# Each function takes the node class of its key, which the type of the table cannot express.
RunFunction: TypeAlias = Callable[["Run", Any], Awaitable[RunValue]]
RunTable: TypeAlias = Mapping[type[Bound], RunFunction]


@dataclass(frozen=True, slots=True)
class AbruptCompletion:
    """Abrupt completion of a statement (JLS 14.1), except by an exception.

    `word` is break, continue, return or yield; `number` is that of the yield.
    """

    word: str
    label: str | None = None
    value: RunValue = VOID
    number: int = 0

    @property
    def breaks_nearest(self) -> bool:
        return self.word == "break" and self.label is None

    def continues(self, labels: tuple[str, ...]) -> bool:
        """Whether a loop with these labels continues with its next iteration."""
        return self.word == "continue" and (self.label is None or self.label in labels)


Execute: TypeAlias = Callable[["Run", Any], Awaitable[AbruptCompletion | None]]
ExecuteTable: TypeAlias = Mapping[type[Statement], Execute]

INVOKING = (
    bound.StaticCall,
    bound.InstanceCall,
    bound.NewObject,
    bound.Boxing,
    bound.Concatenation,
)


@dataclass(frozen=True, slots=True)
class Plan:
    """A bound tree, analyzed once for many runs."""

    root: BoundNode
    variables: tuple[LocalVariable, ...]
    """The variables of the frame that it uses: they are read in one round trip."""
    pins_results: bool
    """Whether it may invoke more than once: results must be pinned between calls."""

    @classmethod
    def of(cls, root: BoundNode) -> Plan:
        """Analyze the tree."""
        nodes = list(_walk(root))
        variables = dict.fromkeys(
            each.variable for each in nodes if isinstance(each, bound.FrameLocal)
        )
        invoking = sum(isinstance(node, INVOKING) for node in nodes)
        repeats = any(isinstance(node, Loop) for node in nodes)
        iterates = any(isinstance(node, ForEach) for node in nodes)  # calls hasNext() and next()
        return cls(root, tuple(variables), iterates or invoking > (0 if repeats else 1))


class Run:
    """One evaluation in one frame."""

    def __init__(
        self,
        frame: Frame,
        source: LoadedTypes,
        table: RunTable,
        statements: ExecuteTable,
        *,
        extra: Mapping[str, Value],
        deadline: Deadline,
        is_read_only: bool,
    ) -> None:
        self.frame = frame
        self.vm = frame.thread.vm
        self.source = source
        self.hierarchy = Hierarchy(source)
        self.extra: dict[str, RunValue] = dict(extra)
        self.is_read_only = is_read_only
        self.temporaries: dict[bound.Temporary, RunValue] = {}
        self.declared: dict[Variable, RunValue] = {}
        """The values of variables that the text declares."""
        self.last_value: RunValue = VOID
        """The value of the last expression statement."""
        self._table = table
        self._statements = statements
        self.deadline = deadline
        self._reader: Reader | None = None
        self._locals: dict[LocalVariable, Value] = {}
        self._pinned: list[ObjectReference] = []
        self.pins_results = False

    async def run(self, plan: Plan) -> Value:
        """The value of the whole expression."""
        # A result must survive the garbage collections during the next invocation.
        self.pins_results = plan.pins_results
        try:
            return await self.result(await self._step(plan))
        except NotReadError as error:
            if error.column is None:
                error.column = plan.root.span.column
            raise

    async def result(self, found: RunValue) -> Value:
        """The value that the evaluation gives."""
        if isinstance(found, NewString):
            # Which object it is matters to no code, so no method is run for it.
            if self.is_read_only:
                return TextOfReading(self.vm, found.text)
            return await self.created(found.text)
        if isinstance(found, MadeObject):
            unboxed = await self.reader.unboxed(found)
            if unboxed is not None:
                return unboxed
            shown = await self.reader.shown(found)
            if shown is not None:
                return shown
        return await self.materialize(found)

    @property
    def reader(self) -> Reader:
        """What computes calls where only reading is allowed."""
        if self._reader is None:
            from jvmdebug.evaluator.reading.reader import Reader  # noqa: PLC0415 - few need it

            self._reader = Reader(self)
        return self._reader

    async def step(self, root: Bound) -> RunValue:
        """The value of a part of the expression, for late binding; `run` is for the whole."""
        return await self._step(Plan.of(root))

    async def _step(self, plan: Plan) -> RunValue:
        root = plan.root
        missing = [each for each in plan.variables if each not in self._locals]
        values = await self.frame.values(missing)
        self._locals |= zip(missing, values, strict=True)
        if isinstance(root, Bound):
            return await self.value(root)
        if not isinstance(root, Statement):
            raise TypeError(f"{type(root).__name__} cannot be run by itself")
        leaving = await self.execute(root)
        return self.last_value if leaving is None else leaving.value

    async def execute(self, node: Statement) -> AbruptCompletion | None:
        """Run a statement; None when it completes normally."""
        return await self._statements[type(node)](self, node)

    async def value(self, node: Bound) -> RunValue:
        """The value of a node."""
        return await self._table[type(node)](self, node)

    async def primitive(self, node: Bound) -> PrimitiveValue:
        """The value of a node of primitive type."""
        found = await self.value(node)
        if not isinstance(found, PrimitiveValue):
            raise EvaluationError(f"expected {node.type}, the VM gave {found}", node.span.column)
        return found

    async def boolean(self, node: Bound) -> bool:
        return bool((await self.primitive(node)).value)

    async def integer(self, node: Bound) -> int:
        return int((await self.primitive(node)).value)

    async def object(self, node: Bound, purpose: str) -> ObjectReference:
        """The object that a node refers to; for null, the NullPointerException that Java throws."""
        return await self.object_of(await self.value(node), node, purpose)

    async def object_of(self, found: RunValue, node: Bound, purpose: str) -> ObjectReference:
        """The same for the value of the node."""
        if isinstance(found, NullValue):
            raise JavaThrowsError(
                "java.lang.NullPointerException", f"cannot {purpose}: null", node.span
            )
        reference = await self.materialize(found)
        if not isinstance(reference, ObjectReference):
            raise EvaluationError(f"expected an object, the VM gave {found}", node.span.column)
        return reference

    async def materialize(self, value: RunValue) -> Value:
        """The value in the debuggee: a NewString is created there."""
        if isinstance(value, MadeObject):
            raise NotReadError(
                f"the value is a new {value.class_name}, which exists here only and not in the "
                "program: ask for a part of it, or for its .toString()"
            )
        if isinstance(value, MadeReference) and not self.is_read_only:
            raise EvaluationError(
                "the value was computed by reading: it exists here only and not in the program"
            )
        if not isinstance(value, NewString):
            return value
        if self.is_read_only:
            return TextOfReading(self.vm, value.text)
        if value.is_constant:
            return await interned(self, value.text)
        return await self.created(value.text)

    async def created(self, text: str) -> StringReference:
        """A new string in the debuggee."""
        made = await self.vm.create_string(text)
        await self.pin(made)
        return made

    async def materialized(self, node: Bound) -> Value:
        return await self.materialize(await self.value(node))

    async def text(self, value: RunValue) -> str | None:
        """The characters of a string; None when the value is not a string."""
        if isinstance(value, NewString):
            return value.text
        return await value.as_text() if isinstance(value, StringReference) else None

    # --- variables -------------------------------------------------------------------------------

    def declared_local(self, node: bound.DeclaredLocal) -> RunValue:
        found = self.declared.get(node.variable)
        if found is None:
            raise EvaluationError(f"{node.variable.name} has no value yet", node.span.column)
        return found

    def local(self, node: bound.FrameLocal) -> Value:
        found = self._locals[node.variable]
        if isinstance(found, UnavailableValue):
            raise EvaluationError(f"{node.variable.name} is {found.reason}", node.span.column)
        return found

    async def set_local(self, node: bound.FrameLocal, value: Value) -> None:
        await self.frame.set_value(node.variable, value)
        self._locals[node.variable] = value

    # --- invocations -----------------------------------------------------------------------------

    def remaining_s(self) -> float | None:
        """The time until the deadline, in seconds."""
        return self.deadline.remaining_s()

    def allow_invocation(self, what: str, span: Span) -> None:
        """Raise EvaluationError in read-only evaluations; for invocations decided at run time."""
        if self.is_read_only:
            raise ReadOnlyError(
                f"{what} would run code of the program, and only reading is allowed here",
                span.column,
            )

    async def invoked(self, invocation: Coroutine[Any, Any, Value]) -> Value:
        """The result of an invocation; a method that is abandoned is stopped (see Invoker)."""
        result = await self.vm.companion(Invoker).result(self.frame.thread, invocation)
        return await self.pin(result) if isinstance(result, ObjectReference) else result

    async def pin(self, reference: ObjectReference) -> ObjectReference:
        """Disable collection of a new object until the evaluation ends, if more code may run."""
        if self.pins_results:
            await reference.disable_collection()
            self._pinned.append(reference)
        return reference

    async def unpin_all(self) -> None:
        """Enable collection of the pinned objects, at the end of the evaluation."""
        pinned, self._pinned = self._pinned, []
        # A collected object or a lost connection must not hide the result of the evaluation.
        await asyncio.gather(
            *(reference.enable_collection() for reference in pinned), return_exceptions=True
        )


def _walk(node: BoundNode) -> Iterator[BoundNode]:
    yield node
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        parts = value if isinstance(value, tuple) else (value,)
        for part in parts:
            if isinstance(part, BoundNode):
                yield from _walk(part)
