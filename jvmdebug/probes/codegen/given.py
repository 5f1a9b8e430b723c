# SPDX-License-Identifier: Apache-2.0
"""What the class of a check is given by the agent, as the code of an expression asks for it: method
handles, and classes. See `handles`, which writes the fields.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.declarations import FieldDeclaration

if TYPE_CHECKING:
    from jvmdebug.evaluator.symbols.declarations import MethodDeclaration
    from jvmdebug.model.reference_type import ReferenceType

OBJECT: Final = "java/lang/Object"
HANDLE: Final = "Ljava/lang/invoke/MethodHandle;"
CLASS: Final = "Ljava/lang/Class;"
CLEARED: Final = "cleared"
"""Begins the names of fields that the agent can fill and clear."""
REFERENCE: Final = "Ljava/lang/ref/WeakReference;"


class GivenKind(IntEnum):
    """What the class of a check is given, as native/protocol/probes.toml numbers it."""

    READ = 1
    WRITE = 2
    CALL = 3
    CALL_SUPER = 4
    """Exactly this method, as a class calls it by `super`."""
    NEW = 5
    TYPE = 6
    WEAK = 7
    """A WeakReference to an object."""


@dataclass(frozen=True, slots=True)
class Given:
    """Something that the class of a check is given, and keeps in a static field."""

    name: str
    kind: GivenKind
    type: ReferenceType | None
    """The class, or that which declares the member."""
    member: FieldDeclaration | MethodDeclaration | None = None
    caller: ReferenceType | None = None
    """Of CALL_SUPER: the class that calls."""
    descriptor: str = ""
    """Of a method handle, with what the code knows of its types."""
    object_id: int = 0
    """Of WEAK."""
    is_final: bool = True
    """Whether the field may keep it for as long as there is the class of the check."""

    @property
    def field_type(self) -> str:
        """The descriptor of the static field."""
        if not self.is_final:
            return f"L{OBJECT};"
        return self.object_type

    @property
    def object_type(self) -> str:
        """The descriptor of what is given."""
        kinds = {GivenKind.TYPE: CLASS, GivenKind.WEAK: REFERENCE}
        return kinds.get(self.kind, HANDLE)


def handle_descriptor(
    kind: GivenKind, member: FieldDeclaration | MethodDeclaration, owner: str
) -> str:
    """The descriptor of a handle: with the object, if the member has one."""
    of = "" if member.is_static or kind is GivenKind.NEW else f"L{owner};"
    if isinstance(member, FieldDeclaration):
        value = types.erasure(member.type).descriptor
        return f"({of}){value}" if kind is GivenKind.READ else f"({of}{value})V"
    if kind is GivenKind.NEW:
        return f"{member.descriptor[:-1]}L{owner};"
    return f"({of}{member.descriptor[1:]}"
