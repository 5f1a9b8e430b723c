# SPDX-License-Identifier: Apache-2.0
"""The names that a frame brings into an expression: variables, type variables, imports; no values.

A FrameScope is made from a frame once per location (`frame_scope`), or by tests. The binder reads
it; names that the text itself declares are in `block_scopes`.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from jvmdebug.evaluator.bind.imports import Imports
from jvmdebug.evaluator.symbols import signatures, types
from jvmdebug.evaluator.symbols.loaded_types import (
    method_type_variables,
    own_type_variables,
    type_variables_around,
    value_type,
)
from jvmdebug.model.values import ObjectReference, PrimitiveValue

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.evaluator.symbols.types import TypeVariable, ValueType
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value
    from jvmdebug.model.variable import LocalVariable

_STATIC: Final = "static "


@dataclass(frozen=True, slots=True)
class LocalInScope:
    variable: LocalVariable
    type: ValueType


@dataclass(frozen=True, slots=True)
class FrameScope:
    """`declaring_type` is the binary name of the class whose method runs; `type_variables` are
    those of the method, its class and the enclosing ones. `extra` are the extra variables that the
    caller defines, and their types. `imports` are as in a source file: `java.util.List`,
    `java.util.*`, `static java.lang.Math.max`.
    """

    declaring_type: str
    is_static: bool
    locals: tuple[LocalInScope, ...] = ()
    type_variables: Mapping[str, TypeVariable] = field(default_factory=dict)
    extra: Mapping[str, ValueType] = field(default_factory=dict)
    imports: tuple[str, ...] = ()

    def local(self, name: str) -> LocalInScope | None:
        """The variable of that name; the innermost where scopes nest (not in Java)."""
        return next((each for each in reversed(self.locals) if each.variable.name == name), None)

    @property
    def type_imports(self) -> tuple[str, ...]:
        """Those that are not static."""
        return tuple(each for each in self.imports if not each.startswith(_STATIC))

    def static_owners(self, member: str) -> list[str]:
        """Canonical names of the classes whose member of that name may be imported; those of
        single-static imports first.
        """
        imported = [each.removeprefix(_STATIC) for each in self.imports if each.startswith(_STATIC)]
        pairs = [(owner, name) for owner, _, name in (each.rpartition(".") for each in imported)]
        named = [owner for owner, name in pairs if name == member]
        return list(dict.fromkeys([*named, *(owner for owner, name in pairs if name == "*")]))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all variables, for messages."""
        own = [each.variable.name for each in self.locals]
        return (*own, *self.extra, *(() if self.is_static else ("this",)))


async def frame_scope(
    frame: Frame, extra: Mapping[str, ValueType], imports: tuple[str, ...] | None
) -> FrameScope:
    """The scope at the frame's location.

    With `imports` None, those of its source file apply.
    """
    method, declaring = frame.location.method, frame.location.type
    if imports is None:
        imports = await declaring.vm.companion(Imports).at(frame.location)
    variables, scope = await asyncio.gather(frame.variables(), type_variables_around(declaring))
    scope |= await own_type_variables(declaring, scope)
    scope |= method_type_variables(method, scope)
    # JDWP answers null for `this` of a native method.
    return FrameScope(
        declaring.name,
        method.is_static or method.is_native,
        tuple(
            LocalInScope(each, value_type(each.signature, each.generic, scope))
            for each in variables
        ),
        scope,
        extra,
        imports,
    )


async def runtime_type(value: Value) -> ValueType:
    """The run-time type of a value: its class, without type arguments."""
    if isinstance(value, PrimitiveValue):
        return types.PRIMITIVES[value.kind.java_name]
    if isinstance(value, ObjectReference):
        return signatures.value_type((await value.type()).signature)
    return types.OBJECT
