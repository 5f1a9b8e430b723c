# SPDX-License-Identifier: Apache-2.0
"""What the names in an expression may refer to: a place in the program, without values.

A FrameScope is made from a frame once per location (`frame_scope`), or by tests. The binder reads
it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.evaluator.types import TypeVariable, ValueType
    from jvmdebug.model.variable import LocalVariable


@dataclass(frozen=True, slots=True)
class LocalInScope:
    variable: LocalVariable
    type: ValueType


@dataclass(frozen=True, slots=True)
class FrameScope:
    """`declaring_type` is the binary name of the class whose method runs; `type_variables` are
    those of the method, its class and the enclosing ones. `given` are further names and their
    types. `imports` are `java.util.List` and `java.util.*`, as the source file has them.
    """

    declaring_type: str
    is_static: bool
    locals: tuple[LocalInScope, ...] = ()
    type_variables: Mapping[str, TypeVariable] = field(default_factory=dict)
    given: Mapping[str, ValueType] = field(default_factory=dict)
    imports: tuple[str, ...] = ()

    def local(self, name: str) -> LocalInScope | None:
        """The variable of that name; the one declared last where scopes nest (not in Java)."""
        return next((each for each in reversed(self.locals) if each.variable.name == name), None)

    @property
    def names(self) -> tuple[str, ...]:
        """All simple names of variables, for messages."""
        own = [each.variable.name for each in self.locals]
        return (*own, *self.given, *(() if self.is_static else ("this",)))
