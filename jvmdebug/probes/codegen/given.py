# SPDX-License-Identifier: Apache-2.0
"""The objects that the agent gives the class of a check because the code of an expression uses
them: method handles, classes and weak references. `handles` writes their fields.
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
"""The beginning of the names of fields that the agent can fill and clear."""
REFERENCE: Final = "Ljava/lang/ref/WeakReference;"


class GivenKind(IntEnum):
    """The kinds of given objects, with the numbers of native/protocol/probes.toml."""

    READ = 1
    WRITE = 2
    CALL = 3
    CALL_SUPER = 4
    """A handle that calls exactly this method, as a class does by `super`."""
    NEW = 5
    TYPE = 6
    WEAK = 7
    """A WeakReference to an object."""


@dataclass(frozen=True, slots=True)
class Given:
    """An object that the class of a check is given, and keeps in a static field."""

    name: str
    kind: GivenKind
    type: ReferenceType | None
    """The class, or the class that declares the member."""
    member: FieldDeclaration | MethodDeclaration | None = None
    caller: ReferenceType | None = None
    """The class that calls, for CALL_SUPER."""
    descriptor: str = ""
    """The descriptor of a method handle, with those types that the code can name."""
    object_id: int = 0
    """The object, for WEAK."""
    is_final: bool = True
    """Whether the field may keep the object as long as the class of the check lives."""

    @property
    def field_type(self) -> str:
        """The descriptor of its static field."""
        if not self.is_final:
            return f"L{OBJECT};"
        return self.object_type

    @property
    def object_type(self) -> str:
        """The descriptor of the object."""
        kinds = {GivenKind.TYPE: CLASS, GivenKind.WEAK: REFERENCE}
        return kinds.get(self.kind, HANDLE)


def handle_descriptor(
    kind: GivenKind, member: FieldDeclaration | MethodDeclaration, owner: str
) -> str:
    """The descriptor of a handle, with the object as first parameter if the member is not
    static.
    """
    of = "" if member.is_static or kind is GivenKind.NEW else f"L{owner};"
    if isinstance(member, FieldDeclaration):
        value = types.erasure(member.type).descriptor
        return f"({of}){value}" if kind is GivenKind.READ else f"({of}{value})V"
    if kind is GivenKind.NEW:
        return f"{member.descriptor[:-1]}L{owner};"
    return f"({of}{member.descriptor[1:]}"
