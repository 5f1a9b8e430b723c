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
from jvmdebug.evaluator.symbols.class_reading import (
    method_type_variables,
    own_type_variables,
    type_variables_around,
    value_type,
)
from jvmdebug.model.values import ObjectReference, PrimitiveValue
from jvmdebug.sources import names_elsewhere, source_variables

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.evaluator.symbols.types import TypeVariable, ValueType
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value
    from jvmdebug.model.variable import LocalVariable

_STATIC: Final = "static "
_PLATFORM_LOADER: Final = "jdk.internal.loader.ClassLoaders$PlatformClassLoader"


@dataclass(frozen=True, slots=True)
class LocalInScope:
    variable: LocalVariable
    type: ValueType


@dataclass(frozen=True, slots=True)
class FrameScope:
    """`declaring_type` is the binary name of the class whose method runs; `type_variables` are
    those of the method, its class and the enclosing ones. `extra` are the extra variables that the
    caller defines, and their types. `imports` are as in a source file: `java.util.List`,
    `java.util.*`, `static java.lang.Math.max`. `caller` is asked for what the JDK's code, which
    runs here, does not know. `elsewhere`: see `sources.names_elsewhere`.
    """

    declaring_type: str
    is_static: bool
    locals: tuple[LocalInScope, ...] = ()
    type_variables: Mapping[str, TypeVariable] = field(default_factory=dict)
    extra: Mapping[str, ValueType] = field(default_factory=dict)
    imports: tuple[str, ...] = ()
    caller: CallerOfTheJdk | None = None
    elsewhere: frozenset[str] = frozenset()
    is_dynamic: bool = False
    """Whether the language looks at classes of objects only when it runs: Groovy."""
    is_recording: bool = False
    """Whether the program is a recording, which has no code of the JDK."""
    asks_owner_first: bool = True
    """Whether the class around a closure gives names their meaning: not if its delegate does."""

    def local(self, name: str) -> LocalInScope | None:
        """The variable of that name; the innermost where scopes nest (not in Java)."""
        return next((each for each in reversed(self.locals) if each.variable.name == name), None)

    @property
    def type_imports(self) -> tuple[str, ...]:
        """The imports that are not static."""
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


_DYNAMIC: Final = (".groovy", ".gradle")


class CallerOfTheJdk:
    """What names mean to the code that has called the JDK, for a frame of the JDK.

    An exception of Integer.parseInt is thrown in the JDK, whose loaders have no class of the
    program, but the condition of its breakpoint names some.
    """

    def __init__(self, frame: Frame, imports: tuple[str, ...] | None) -> None:
        self._frame = frame
        self._imports = imports
        self._scope: FrameScope | None = None
        self._home: ReferenceType | None = None
        self.is_consulted = False
        """Whether a name has been looked up there, with or without success."""
        self._is_of_the_jdk = False

    @property
    def gives_names(self) -> bool:
        """Whether names mean what they do to the caller, so that they depend on it."""
        return self.is_consulted and self._is_of_the_jdk

    async def is_caller_of(self, frame: Frame) -> bool:
        """Whether names mean the same in another frame at the same location."""
        if not self.gives_names:
            return True
        calling = await calling_frame(frame)
        return self._home == (None if calling is None else calling.location.type)

    async def home(self) -> ReferenceType | None:
        """See `symbols.loaded_types.Caller`."""
        await self.scope()
        return self._home

    async def scope(self) -> FrameScope | None:
        """Only its class and its imports; None for a frame that is not the JDK's."""
        if not self.is_consulted:
            self.is_consulted = True
            self._is_of_the_jdk = await _is_of_the_jdk(self._frame.location.type)
            frame = await calling_frame(self._frame) if self._is_of_the_jdk else None
            if frame is not None:
                self._home = frame.location.type
                self._scope = await _names_of_types(frame, self._imports)
        return self._scope


async def calling_frame(frame: Frame) -> Frame | None:
    """The nearest frame below that is not the JDK's."""
    if not frame.thread.id:  # of a ClassExpression, which runs in no thread
        return None
    start, length = frame.depth + 1, 8
    while callers := await frame.thread.frames(start, length):
        for each in callers:
            if not await _is_of_the_jdk(each.location.type):
                return each
        start, length = start + length, length * 2
    return None


async def _is_of_the_jdk(type_: ReferenceType) -> bool:
    loader = await type_.class_loader()
    return loader is None or (await loader.type()).name == _PLATFORM_LOADER


async def _names_of_types(frame: Frame, imports: tuple[str, ...] | None) -> FrameScope:
    declaring = frame.location.type
    if imports is None:
        imports = await declaring.vm.companion(Imports).at(frame.location)
    return FrameScope(declaring.name, is_static=True, imports=imports)


async def frame_scope(
    frame: Frame, extra: Mapping[str, ValueType], imports: tuple[str, ...] | None
) -> FrameScope:
    """The scope at the frame's location.

    With `imports` None, those of its source file apply.
    """
    method, declaring = frame.location.method, frame.location.type
    caller = CallerOfTheJdk(frame, imports)
    if imports is None:
        imports = await declaring.vm.companion(Imports).at(frame.location)
    variables, around = await asyncio.gather(
        source_variables(frame), type_variables_around(declaring)
    )
    scope = {**around, **await own_type_variables(declaring, around)}
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
        caller,
        await names_elsewhere(frame),
        (await declaring.source_file() or "").endswith(_DYNAMIC),
        declaring.vm.connection.is_recording,
    )


async def runtime_type(value: Value) -> ValueType:
    """The run-time type of a value: its class, without type arguments."""
    if isinstance(value, PrimitiveValue):
        return types.PRIMITIVES[value.kind.java_name]
    if isinstance(value, ObjectReference):
        return signatures.value_type((await value.type()).signature)
    return types.OBJECT
