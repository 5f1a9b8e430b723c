# SPDX-License-Identifier: Apache-2.0
"""The scopes of a frame: the variables visible at its location, in groups.

Locals with the arguments first and `this`; the statics of the class; at the topmost frame of a stop
the thrown exception, and the result of the method that just returned. Made by FrameHandle.
"""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Final

from jvmdebug import display
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.values import ObjectReference
from jvmdebug.session.line_values import in_lines
from jvmdebug.session.variable import Variable, VariableKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.session.frame_handle import FrameHandle

_MAX_CAUSES: Final = 20


class ScopeKind(StrEnum):
    """What a scope holds."""

    LOCALS = "locals"
    STATICS = "statics"
    EXCEPTION = "exception"
    RETURNED = "returned"


class Scope:
    """Some variables of a frame, read when they are asked for."""

    def __init__(self, frame: FrameHandle, kind: ScopeKind, name: str) -> None:
        self.frame = frame
        self.kind = kind
        self.name = name
        """For display: `Locals`, `Static fields of Cart`."""

    async def variables(self) -> list[Variable]:
        """All of them, in the order in which they are shown."""
        match self.kind:
            case ScopeKind.LOCALS:
                return await self.frame.locals()
            case ScopeKind.STATICS:
                return await _statics(self.frame)
            case ScopeKind.EXCEPTION:
                return await _exceptions(self.frame)
            case ScopeKind.RETURNED:
                returned = self.frame.stop.returned
                return [] if returned is None else [returned]

    async def in_lines(self, mentions: Iterable[tuple[str, int]]) -> list[Variable | None]:
        """The variable of the frame, of any scope, that each name in a line of its source means.

        None where the name is not in scope: in code that the frame's method does not have, outside
        of the range of a local variable, or for a name of a lambda in that line. `this.total` and
        `total` may be fields; of a hidden one only the first.
        """
        return await in_lines(self.frame, mentions)

    def __repr__(self) -> str:
        return f"Scope({self.name}, {self.frame.location})"


async def scopes_of(frame: FrameHandle) -> list[Scope]:
    """The scopes that are not empty; Locals always, and first."""
    found = [Scope(frame, ScopeKind.LOCALS, "Locals")]
    stop = frame.stop
    if frame.depth == 0 and frame.thread == stop.thread:
        if stop.returned is not None:
            found.append(Scope(frame, ScopeKind.RETURNED, "Return value"))
        if stop.exception is not None:
            found.append(Scope(frame, ScopeKind.EXCEPTION, "Exception"))
    fields = await frame.declaring_type.fields()
    if any(each.is_static and not each.is_synthetic for each in fields):
        name = f"Static fields of {frame.declaring_type.simple_name}"
        found.append(Scope(frame, ScopeKind.STATICS, name))
    return found


async def _statics(frame: FrameHandle) -> list[Variable]:
    """The static fields; their simple names evaluate them unless a local variable hides one."""
    can_tell = frame.declaring_type.vm.agent_can(AgentCapability.LOCAL_VARIABLES)
    taken = {each.name for each in await frame.locals()} if can_tell else set()
    return [
        Variable(
            frame,
            child.name,
            child.value,
            child.declared_type,
            child.evaluate_name if child.name in taken else child.name,
            kind=VariableKind.FIELD,
            field=child.field,
        )
        for child in await display.statics_of(frame.declaring_type)
    ]


async def _exceptions(frame: FrameHandle) -> list[Variable]:
    """`$exception`, and below it what caused it, `$exception.cause` and so on."""
    thrown = frame.stop.exception
    found = [] if thrown is None else [thrown]
    while found and len(found) <= _MAX_CAUSES:
        last = found[-1]
        inside = {each.name: each for each in await last.children()}
        cause = inside.get("cause")
        if cause is None or not isinstance(cause.value, ObjectReference):
            break
        name = f"{last.name}.cause"
        found.append(
            Variable(
                frame,
                name,
                cause.value,
                cause.declared_type,
                name,
                kind=VariableKind.EXCEPTION,
            )
        )
    return found
