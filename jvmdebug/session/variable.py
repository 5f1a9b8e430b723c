# SPDX-License-Identifier: Apache-2.0
"""A named value as the public API shows it; belongs to a Stop and is refused after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug import display
from jvmdebug.errors import StateError
from jvmdebug.session import definitions
from jvmdebug.session.data_target import target_in

if TYPE_CHECKING:
    from jvmdebug.model.values import Value
    from jvmdebug.session.data_target import DataTarget
    from jvmdebug.session.definitions import Definition
    from jvmdebug.session.frame_handle import FrameHandle
    from jvmdebug.session.stop import Stop


class Variable:
    """A local, argument, field, element or result, with its value at the time it was fetched."""

    def __init__(
        self,
        frame: FrameHandle,
        name: str,
        value: Value,
        declared_type: str,
        evaluate_name: str | None,
        *,
        is_argument: bool = False,
    ) -> None:
        self.frame = frame
        self.name = name
        self._value = value
        self.declared_type = declared_type
        """The declared type's Java name, `int`, `java.util.List`, `int[]`."""
        self.evaluate_name = evaluate_name
        """An expression that gives this value in `frame`; None if there is none."""
        self.is_argument = is_argument
        """Whether this is a parameter of the frame's method."""

    @property
    def stop(self) -> Stop:
        """The stop that this variable belongs to."""
        return self.frame.stop

    @property
    def value(self) -> Value:
        """The value as the model has it."""
        self.frame.require_current()
        return self._value

    async def type_name(self) -> str:
        """The value's own type, more special than or the same as `declared_type`."""
        return await display.type_name(self.value)

    async def text(self, *, max_length: int = display.DEFAULT_MAX_LENGTH) -> str:
        """The value on one line, as Java would write it: `42`, `"abc"`, `Cart@1f {...}`."""
        return await display.render(self.value, max_length=max_length)

    async def full_text(self) -> str:
        """What copying the value gives: a string's whole text, unquoted; else the line uncut."""
        return await display.full_text(self.value)

    async def child_count(self, *, raw: bool = False) -> int:
        """How many children there are; 0 for primitives, null and strings."""
        return await display.child_count(self.value, raw=raw)

    async def is_indexed(self, *, raw: bool = False) -> bool:
        """Whether the children are elements by index, so that paging makes sense."""
        return await display.is_indexed(self.value, raw=raw)

    async def children(
        self, start: int = 0, count: int | None = None, *, raw: bool = False
    ) -> list[Variable]:
        """Fields, elements or entries from `start`; at most `count` of them."""
        found = await display.children(
            self.value, start, count, evaluate_name=self.evaluate_name, raw=raw
        )
        return [
            Variable(self.frame, child.name, child.value, child.declared_type, child.evaluate_name)
            for child in found
        ]

    async def data_target(self, name: str) -> DataTarget | None:
        """The field `name` of this object, for `session.watch`; None if it has no such field."""
        return await target_in(self.value, name)

    @property
    def may_be_declared(self) -> bool:
        """Whether `declaration` is likely to find something; asks nobody."""
        return definitions.may_be_declared(self.evaluate_name, self.name)

    async def declaration(self) -> Definition | None:
        """Where the local variable, parameter or field is declared, if its source is found."""
        if self.evaluate_name is None:
            return None
        return await definitions.declaration(self.frame, self.evaluate_name)

    async def has_definition(self) -> bool:
        """Whether the value is code or a class that `definition` can find."""
        return await definitions.has_definition(self.value)

    async def definition(self) -> Definition | None:
        """Where the value is written down: the code of a lambda, the class of a Class object."""
        return await definitions.definition(self.stop, self.value)

    async def set(self, text: str) -> Variable:
        """Assign the value of the expression `text`; the variable with its new value.

        Raises StateError for a result that is no variable.
        """
        if self.evaluate_name is None:
            raise StateError(f"{self.name} cannot be assigned to: no expression denotes it")
        value = await self.frame.assign(self.evaluate_name, text)
        return Variable(
            self.frame,
            self.name,
            value,
            self.declared_type,
            self.evaluate_name,
            is_argument=self.is_argument,
        )

    def __repr__(self) -> str:
        return f"Variable({self.name}: {self.declared_type})"
