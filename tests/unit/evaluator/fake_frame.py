# SPDX-License-Identifier: Apache-2.0
"""A frame without a VM, for the interpreter: its variables are a dictionary."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

from jvmdebug.evaluator.bind.dispatch import binder_for
from jvmdebug.evaluator.parse import parser, syntax
from jvmdebug.evaluator.run.deadline import Deadline
from jvmdebug.evaluator.run.dispatch import run_in
from jvmdebug.evaluator.run.interpreter import Plan
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.text_of_reading import TextOfReading
from jvmdebug.model.values import VOID, Value
from jvmdebug.model.version import VmVersion
from tests.unit.evaluator.fake_types import FakeTypes, scope_in

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.evaluator.bind.bound import BoundNode
    from jvmdebug.evaluator.run.interpreter import Run
    from jvmdebug.model.variable import LocalVariable


@dataclass(eq=False)
class FakeString:
    """A string that was created in the VM; `pins` counts how often its collection is disabled."""

    text: str
    pins: int = 0

    async def disable_collection(self) -> None:
        self.pins += 1

    async def enable_collection(self) -> None:
        self.pins -= 1


@dataclass
class FakeFrame:
    """The frame, its thread and its VM in one. `reads` has the names of each round trip."""

    variables: dict[str, Value] = field(default_factory=dict)
    reads: list[set[str]] = field(default_factory=list)
    strings: list[FakeString] = field(default_factory=list)

    @property
    def thread(self) -> FakeFrame:
        return self

    @property
    def vm(self) -> FakeFrame:
        return self

    @property
    def version(self) -> VmVersion:
        return VmVersion("a fake", (25, 0), "25.0.1", "Fake VM", 25)

    async def values(self, variables: Iterable[LocalVariable]) -> list[Value]:
        names = [each.name for each in variables]
        if names:
            self.reads.append(set(names))
        return [self.variables[name] for name in names]

    async def set_value(self, variable: LocalVariable, value: Value) -> None:
        self.variables[variable.name] = value

    async def create_string(self, text: str) -> FakeString:
        self.strings.append(FakeString(text))
        return self.strings[-1]

    def run(self, *, is_read_only: bool = False, deadline_s: float | None = None) -> Run:
        return run_in(
            cast("Any", self),
            cast("Any", FakeTypes()),
            extra={},
            deadline=Deadline(deadline_s),
            is_read_only=is_read_only,
        )

    async def evaluate(self, text: str, *, is_read_only: bool = False) -> object:
        """Parse, bind and run; a Python value, None for void."""
        run = self.run(is_read_only=is_read_only)
        try:
            value: object = await run.run(Plan.of(await self.bind(text)))
        finally:
            await run.unpin_all()
        if isinstance(value, FakeString):
            return value.text
        if isinstance(value, TextOfReading):
            return await value.as_text()
        if value is VOID:
            return None
        return value.value if isinstance(value, PrimitiveValue) else value

    async def bind(self, text: str) -> BoundNode:
        binder = binder_for(scope_in("shop.Cart", is_static=False, **_SIGNATURES), FakeTypes())
        root = parser.parse_code(text)
        if isinstance(root, syntax.Block):
            return await binder.statement(root)
        return await binder.bind(root)


_SIGNATURES = {
    "i": "I",
    "l": "J",
    "b": "B",
    "c": "C",
    "d": "D",
    "flag": "Z",
    "text": "Ljava/lang/String;",
    "object": "Ljava/lang/Object;",
    "box": "Ljava/lang/Integer;",
    "numbers": "[I",
}


def integer(value: int) -> PrimitiveValue:
    return PrimitiveValue(PrimitiveKind.INT, value)
