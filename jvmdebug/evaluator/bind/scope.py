# SPDX-License-Identifier: Apache-2.0
"""What the names in an expression may refer to: a place in the program, without values.

A FrameScope is made from a frame once per location (`frame_scope`), or by tests. The binder reads
it.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.evaluator.symbols.types import TypeVariable, ValueType
    from jvmdebug.model.variable import LocalVariable

_STATIC: Final = "static "


@dataclass(frozen=True, slots=True)
class LocalInScope:
    variable: LocalVariable
    type: ValueType


@dataclass(frozen=True, slots=True)
class FrameScope:
    """`declaring_type` is the binary name of the class whose method runs; `type_variables` are
    those of the method, its class and the enclosing ones. `given` are further names and their
    types. `imports` are `java.util.List`, `java.util.*` and `static java.lang.Math.max`, as the
    source file has them.
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
    def type_imports(self) -> tuple[str, ...]:
        """Those that are not static."""
        return tuple(each for each in self.imports if not each.startswith(_STATIC))

    def static_owners(self, member: str) -> list[str]:
        """Canonical names of the classes from which a static import may take a member of that name;
        those that name it first.
        """
        imported = [each.removeprefix(_STATIC) for each in self.imports if each.startswith(_STATIC)]
        pairs = [(owner, name) for owner, _, name in (each.rpartition(".") for each in imported)]
        named = [owner for owner, name in pairs if name == member]
        return list(dict.fromkeys([*named, *(owner for owner, name in pairs if name == "*")]))

    @property
    def names(self) -> tuple[str, ...]:
        """All simple names of variables, for messages."""
        own = [each.variable.name for each in self.locals]
        return (*own, *self.given, *(() if self.is_static else ("this",)))
