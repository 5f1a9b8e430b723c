# SPDX-License-Identifier: Apache-2.0
"""What a JDWP command is to Python: an immutable value that knows its number and its reply.

The classes themselves are generated (jvmdebug.jdwp.generated, from native/protocol). Connections
take a Command[R] and give an R; jvmdebug._native reads LAYOUT to encode and decode any of them.
"""

from __future__ import annotations

from typing import Any, ClassVar, Generic, TypeAlias, TypeVar

# One field is (name, type). A type is the name of a plain one ("int", "threadID"), a class with a
# LAYOUT of its own (a struct), or a tuple whose first item says how to read the others:
#   ("list", type)                     a count and the elements
#   ("enum", "byte" | "int", class)    a number with names
#   ("variant", classes)               a byte, the KIND of one of the classes, and its fields
#   ("raw_values", RawValues, type)    untagged values, see jvmdebug.jdwp.ids
# The value classes of jvmdebug.jdwp.ids use a few more that depend on the field before them.
LayoutType: TypeAlias = str | type | tuple[Any, ...]
Layout: TypeAlias = tuple[tuple[str, LayoutType], ...]

ReplyT_co = TypeVar("ReplyT_co", covariant=True)


set_field = object.__setattr__
"""For the constructors of the generated classes only."""


class Struct:
    """Fields in the order of LAYOUT; equal if of the same class with equal fields."""

    __slots__ = ()

    LAYOUT: ClassVar[Layout]

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return all(getattr(self, name) == getattr(other, name) for name, _ in self.LAYOUT)

    def __hash__(self) -> int:
        return hash((type(self), *(getattr(self, name) for name, _ in self.LAYOUT)))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name, _ in self.LAYOUT)
        return f"{type(self).__qualname__}({fields})"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__qualname__} cannot be changed: {name} = {value!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__qualname__} cannot be changed: del {name}")

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name, _ in self.LAYOUT)


class Command(Struct, Generic[ReplyT_co]):
    """A request to the VM whose reply is a ReplyT_co; Command[None] has an empty reply.

    CAPABILITY names the field of CapabilitiesNewReply that the VM must have for it, if any.
    CHANGES: it may change something in the VM, so that what was read before may be outdated.
    """

    __slots__ = ()

    COMMAND_SET: ClassVar[int]
    NUMBER: ClassVar[int]
    NAME: ClassVar[str]
    REPLY: ClassVar[type[Any] | None]
    CAPABILITY: ClassVar[str | None] = None
    CHANGES: ClassVar[bool] = False
