# SPDX-License-Identifier: Apache-2.0
"""One evaluation: the frame, what has been read from it, what must be kept alive.

A Run evaluates a bound tree once. Variables are read in one round trip, `this` when it is needed.
Strings that the expression makes stay here (`NewString`) until the debuggee has to see them. The
functions per bound node are in the modules beside this one; `dispatch` has their table.
"""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.bind.bound import Bound, BoundNode
from jvmdebug.evaluator.bind.bound_statements import ForEach, Loop, Statement
from jvmdebug.evaluator.run.exceptions import JavaThrowsError
from jvmdebug.evaluator.run.invoker import Invoker
from jvmdebug.evaluator.symbols.hierarchy import Hierarchy
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
    from jvmdebug.evaluator.symbols.loaded_types import LoadedTypes
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.variable import LocalVariable


@dataclass(frozen=True, slots=True)
class NewString:
    """A string that the expression has made and the debuggee has not seen. A new object each."""

    text: str


RunValue: TypeAlias = Value | NewString
# The functions take the node class of their table entry, which the table's type cannot express.
RunFunction: TypeAlias = Callable[["Run", Any], Awaitable[RunValue]]
RunTable: TypeAlias = Mapping[type[Bound], RunFunction]


@dataclass(frozen=True, slots=True)
class Leaving:
    """How a statement was left that did not end by itself: `word` is break, continue, return or
    yield; `number` is that of the yield.
    """

    word: str
    label: str | None = None
    value: RunValue = VOID
    number: int = 0

    @property
    def breaks_nearest(self) -> bool:
        return self.word == "break" and self.label is None

    def continues(self, labels: tuple[str, ...]) -> bool:
        """Whether a loop with these labels goes on with its next round."""
        return self.word == "continue" and (self.label is None or self.label in labels)


Execute: TypeAlias = Callable[["Run", Any], Awaitable[Leaving | None]]
ExecuteTable: TypeAlias = Mapping[type[Statement], Execute]

INVOKING = (
    bound.StaticCall,
    bound.InstanceCall,
    bound.Create,
    bound.Boxing,
    bound.Concatenation,
)


@dataclass(frozen=True, slots=True)
class Plan:
    """A bound tree and what is known of it before it runs; made once for many runs."""

    root: BoundNode
    variables: tuple[LocalVariable, ...]
    """Those it names: they are read in one round trip."""
    invokes_often: bool
    """More than once, as far as can be told: what one call returns must outlive the next."""

    @classmethod
    def of(cls, root: BoundNode) -> Plan:
        """Look through the whole tree."""
        nodes = list(_walk(root))
        variables = dict.fromkeys(each.variable for each in nodes if isinstance(each, bound.Local))
        invoking = sum(isinstance(node, INVOKING) for node in nodes)
        repeats = any(isinstance(node, Loop) for node in nodes)
        iterates = any(isinstance(node, ForEach) for node in nodes)  # calls hasNext() and next()
        return cls(root, tuple(variables), iterates or invoking > (0 if repeats else 1))


class Run:
    """One evaluation in one frame. `loop_deadline` is in the event loop's time; None: none."""

    def __init__(
        self,
        frame: Frame,
        source: LoadedTypes,
        table: RunTable,
        statements: ExecuteTable,
        *,
        given: Mapping[str, Value],
        loop_deadline: float | None,
        is_read_only: bool,
    ) -> None:
        self.frame = frame
        self.vm = frame.thread.vm
        self.source = source
        self.hierarchy = Hierarchy(source)
        self.given: dict[str, RunValue] = dict(given)
        self.is_read_only = is_read_only
        self.held: dict[bound.Held, RunValue] = {}
        self.own: dict[Variable, RunValue] = {}
        """The variables that the text declares itself."""
        self.last_value: RunValue = VOID
        """Of the expression statement that ran last."""
        self._table = table
        self._statements = statements
        self._loop_deadline = loop_deadline
        self._locals: dict[LocalVariable, Value] = {}
        self._kept: list[ObjectReference] = []
        self.keeps = False

    async def run(self, plan: Plan) -> Value:
        """The value of the whole expression."""
        # What one invocation returns must outlive the next one, which may collect garbage.
        self.keeps = plan.invokes_often
        return await self.seen(await self._step(plan))

    async def step(self, root: Bound) -> RunValue:
        """The value of a part of the expression; what `run` does, for those who go on."""
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

    async def execute(self, node: Statement) -> Leaving | None:
        """Run a statement; how it was left, None when it ended by itself."""
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
        """The object that a node refers to; Java's NullPointerException when there is none."""
        found = await self.value(node)
        if isinstance(found, NullValue):
            raise JavaThrowsError(
                "java.lang.NullPointerException", f"cannot {purpose}: null", node.span
            )
        reference = await self.seen(found)
        if not isinstance(reference, ObjectReference):
            raise EvaluationError(f"expected an object, the VM gave {found}", node.span.column)
        return reference

    async def seen(self, value: RunValue) -> Value:
        """The value as the debuggee has it: a new string is made there."""
        if isinstance(value, NewString):
            return await self.kept(await self.vm.create_string(value.text))
        return value

    async def seen_node(self, node: Bound) -> Value:
        return await self.seen(await self.value(node))

    async def text(self, value: RunValue) -> str | None:
        """The characters of a string; None when the value is no string."""
        if isinstance(value, NewString):
            return value.text
        return await value.text() if isinstance(value, StringReference) else None

    # --- variables -------------------------------------------------------------------------------

    def own_local(self, node: bound.OwnLocal) -> RunValue:
        found = self.own.get(node.variable)
        if found is None:
            raise EvaluationError(f"{node.variable.name} has no value yet", node.span.column)
        return found

    def local(self, node: bound.Local) -> Value:
        found = self._locals[node.variable]
        if isinstance(found, UnavailableValue):
            raise EvaluationError(f"{node.variable.name} is {found.reason}", node.span.column)
        return found

    async def set_local(self, node: bound.Local, value: Value) -> None:
        await self.frame.set_value(node.variable, value)
        self._locals[node.variable] = value

    # --- invocations -----------------------------------------------------------------------------

    def remaining_s(self) -> float | None:
        """What is left of the deadline, in seconds."""
        if self._loop_deadline is None:
            return None
        return max(self._loop_deadline - asyncio.get_running_loop().time(), 0.001)

    def allow_invocation(self, what: str, span: Span) -> None:
        """Refuse what only turns out at run time to need code of the debuggee."""
        if self.is_read_only:
            raise EvaluationError(
                f"{what} would run code of the program, and only reading is allowed here",
                span.column,
            )

    async def invoked(self, invocation: Coroutine[Any, Any, Value]) -> Value:
        """The result of a model invocation; a method that is given up is made to end."""
        result = await self.vm.companion(Invoker).result(self.frame.thread, invocation)
        return await self.kept(result) if isinstance(result, ObjectReference) else result

    async def kept(self, reference: ObjectReference) -> ObjectReference:
        """Keep a new object alive until the evaluation ends, if more code is going to run."""
        if self.keeps:
            await reference.disable_collection()
            self._kept.append(reference)
        return reference

    async def let_go(self) -> None:
        """The evaluation is over: objects may be collected again."""
        kept, self._kept = self._kept, []
        # An object that the debuggee has let go of in the meantime, or a lost connection, must not
        # hide the outcome of the evaluation.
        await asyncio.gather(
            *(reference.enable_collection() for reference in kept), return_exceptions=True
        )


def _walk(node: BoundNode) -> Iterator[BoundNode]:
    yield node
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        parts = value if isinstance(value, tuple) else (value,)
        for part in parts:
            if isinstance(part, BoundNode):
                yield from _walk(part)
