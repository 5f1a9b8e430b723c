# SPDX-License-Identifier: Apache-2.0
"""A method, and its code once it was read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jvmdebug.classfile import Code as CodeAttribute
from jvmdebug.classfile import exception_entries
from jvmdebug.classfile.access import Access
from jvmdebug.classfile.descriptors import parse_method_descriptor, slot_count
from jvmdebug.evaluator.reading.errors import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug.evaluator.reading.instructions import Step
    from jvmdebug.evaluator.reading.read_class import ReadClass


class MethodCode:
    """A method of a class, and its decoded code."""

    def __init__(
        self,
        of_class: ReadClass,
        signature: tuple[str, str],
        modifiers: int,
        read: Callable[[], Awaitable[bytes]],
    ) -> None:
        """`signature`: name and descriptor. `read` gives the bytes of the code."""
        self.of_class = of_class
        self.name, self.descriptor = signature
        self.parameters, self.result = parse_method_descriptor(self.descriptor)
        self.read = read
        self.is_static = bool(modifiers & Access.STATIC)
        self.is_private = bool(modifiers & Access.PRIVATE)
        self.is_native = bool(modifiers & Access.NATIVE)
        self.is_abstract = bool(modifiers & Access.ABSTRACT)
        self.key = f"{of_class.name}.{self.name}"
        """`java/util/HashMap.get`"""
        self.slots = sum(map(slot_count, self.parameters)) + (not self.is_static)
        """What the arguments take on a stack."""
        self.code = b""
        self.steps: list[Step] | None = None
        """The decoded instructions; None until they are read."""
        self.positions: dict[int, int] = {}
        """Code index → position in `steps`."""
        self.locals = 0
        """The slots of a frame's variables."""
        self.sites: dict[int, Any] = {}
        """What the constants that instructions name were found to mean."""
        self.handlers: tuple[tuple[int, int, int, str | None], ...] | None = None
        """Positions of start, end and handler, and the class that is caught; None: not read."""

    @property
    def label(self) -> str:
        """`java.util.HashMap.get()`, for messages."""
        return f"{self.of_class.java_name}.{self.name}()"

    def name_at(self, position: int) -> str | None:
        """The name of the method or field that the instruction at a position uses, if it does."""
        steps, pool = self.steps or [], self.of_class.pool
        operand = steps[position][1] if 0 <= position < len(steps) else None
        member = (
            pool.find_member(operand) if pool is not None and isinstance(operand, int) else None
        )
        return None if member is None else member.name

    async def read_handlers(self) -> None:
        """Read the exception handlers. UnreadableError if they cannot be known."""
        if not exception_entries(self.code):
            self.handlers = ()
            return
        file = await self.of_class.class_file(f"whether {self.label} catches an exception")
        member = file.method(self.name, self.descriptor)
        attribute = None if member is None else member.attribute("Code")
        if attribute is None:
            raise UnreadableError(f"the class file of {self.of_class.java_name} lacks {self.label}")
        found = CodeAttribute.read(attribute.content, file.constants)
        end = len(self.steps or ())
        self.handlers = tuple(
            (
                self.positions.get(each.start, end),
                self.positions.get(each.end, end),
                self.positions[each.handler],
                file.constants.class_name(each.catch_type) if each.catch_type else None,
            )
            for each in found.handlers
        )
