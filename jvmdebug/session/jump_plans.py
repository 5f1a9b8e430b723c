# SPDX-License-Identifier: Apache-2.0
"""Plans a jump: to which instruction a line leads, and what each local variable holds there.

Raises UnsupportedError with the reason, in words for the user, where no jump is possible. Asks the
VM, and changes nothing. Called by `jumping`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import Code
from jvmdebug.classfile.verified_types import NEW, NULL, Verified, VerifiedTypes
from jvmdebug.errors import ClassFileError, UnsupportedError
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.class_files import parsed_class_file

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.classfile.verified_types import Verified
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.method import LocalVariableSlot, Method
    from jvmdebug.session.frame_handle import FrameHandle

_PRIMITIVES: Final = frozenset("IJFD")
_PUBLIC_OR_PROTECTED: Final = 0x0005


@dataclass(frozen=True, slots=True)
class PlannedLocal:
    """A local variable at the target."""

    slot: int
    type: str
    """See `classfile.verified_types`."""
    is_parameter: bool = False
    """It has this type from the beginning of the method on, and stays as it is."""
    variable: LocalVariableSlot | None = None
    """The variable of the source whose value it keeps."""
    is_hidden: bool = False
    """It keeps its value, but is none of the variables of the source."""


@dataclass(frozen=True, slots=True)
class JumpPlan:
    """A jump that is possible as far as class file and stack tell."""

    frame: Frame
    index: int
    locals: tuple[PlannedLocal, ...]
    unassigned: tuple[str, ...]
    """The variables that the code from the target on may read before it assigns them: they become
    0, false or null."""


async def plan_jump(handle: FrameHandle, line: int) -> JumpPlan:
    """The jump of the topmost frame's thread to the beginning of a line of its method."""
    frame = await handle.frame()
    method = handle.method
    await _check_frame(handle, frame, method)
    types = await _verified(method)
    here = _known_at(types, frame.location.index)
    if here is None:
        raise UnsupportedError(f"cannot jump: nothing is known about {method.name} where it is now")
    if here.stack:
        raise UnsupportedError(
            "cannot jump from the middle of a statement: values that it has computed already would "
            "be lost; step over the statement first"
        )
    owned = await frame.thread.owned_monitors_with_depth() if types.has_monitors else []
    if any(depth == 0 for _, depth in owned):
        raise UnsupportedError(
            "cannot jump inside a synchronized block: the lock would be released on the way"
        )
    method_plan = _MethodPlan(frame, method, types, here, await method.variable_table())
    return await method_plan.best(await _candidates(method, line), line)


async def _check_frame(handle: FrameHandle, frame: Frame, method: Method) -> None:
    vm = handle.stop.vm
    vm.require_of_agent(AgentCapability.JUMP, "jumping to a line")
    if handle.depth != 0:
        raise UnsupportedError(
            "cannot jump: only the topmost frame can go on at another line; pop the frames above "
            "it first"
        )
    reason = None
    if method.is_native:
        reason = "is native"
    elif method.is_obsolete:
        reason = "is in old code, which was replaced while it ran; restart the frame first"
    elif method.is_static_initializer:
        reason = "is a static initializer, which the VM runs once"
    elif method.is_constructor:
        reason = "is a constructor, and only the object's creation can call it again"
    elif method.is_synchronized:
        reason = "is synchronized, and would release its lock on the way"
    if reason is not None:
        raise UnsupportedError(f"cannot jump: {method.name} {reason}")
    callers = await frame.thread.frames(1, 1)
    if not callers or callers[0].is_native:
        who = f"{callers[0].location.method.name}, which is native" if callers else "the VM itself"
        raise UnsupportedError(
            f"cannot jump: {method.name} was called by {who}, and a jump needs a caller in Java "
            "that calls the method again; jumps work in the methods that it calls"
        )


def _known_at(types: VerifiedTypes, index: int) -> Verified | None:
    """What is known at an instruction. Raises UnsupportedError for code that cannot be followed."""
    try:
        return types.at(index)
    except ClassFileError as error:
        raise UnsupportedError(f"cannot jump: {error}") from error


async def _verified(method: Method) -> VerifiedTypes:
    async def read() -> VerifiedTypes | None:
        file = await parsed_class_file(method.declaring_type)
        member = None if file is None else file.method(method.name, method.signature)
        content = None if member is None else member.attribute("Code")
        if file is None or content is None:
            return None
        try:
            code = Code.read(content.content, file.constants)
            types = VerifiedTypes(
                code, file.constants, file.name, method.signature, is_static=method.is_static
            )
        except ClassFileError:
            return None
        return types if code.code == await method.bytecodes() else None

    found = await method.derived("verified types", read)
    if found is None:
        raise UnsupportedError(
            f"cannot jump: the class file of {method.declaring_type.name} is not known"
        )
    return found


async def _candidates(method: Method, line: int) -> tuple[int, ...]:
    table = await method.line_table()
    found = tuple(sorted(table.indexes_of(line)))
    if not found:
        lines = sorted({each for _, each in table.lines})
        where = f"its code is on lines {lines[0]} to {lines[-1]}" if lines else "it has no lines"
        raise UnsupportedError(
            f"cannot jump to line {line}: no code of {method.name} begins there; {where}"
        )
    return found


class _MethodPlan:
    """What is known of the frame, to plan for each of the places where a line begins."""

    def __init__(
        self,
        frame: Frame,
        method: Method,
        types: VerifiedTypes,
        here: Verified,
        table: tuple[LocalVariableSlot, ...] | None,
    ) -> None:
        self._frame = frame
        self._method = method
        self._types = types
        self._here = here
        self._table = table
        self._index = frame.location.index
        self._named = self._named_at(self._index)

    def _named_at(self, index: int) -> Mapping[int, LocalVariableSlot]:
        return {each.slot: each for each in self._table or () if each.is_visible_at(index)}

    async def best(self, indexes: tuple[int, ...], line: int) -> JumpPlan:
        """The plan for the first place that can be reached; the compiler may have copied the line,
        as it does in `finally`, and the copy is preferred that keeps as much as this place does.
        """
        plans: list[JumpPlan] = []
        reason = f"cannot jump to line {line}: it begins in the middle of a statement"
        for index in indexes:
            try:
                target = _known_at(self._types, index)
                if target is None or target.stack:
                    continue
                plans.append(await self._plan(index, target, line))
            except UnsupportedError as error:
                reason = str(error)
        if not plans:
            raise UnsupportedError(reason)
        kept = {each.slot for each in self._planned_hidden(self._index)}
        return min(
            plans, key=lambda each: len(kept ^ {one.slot for one in each.locals if one.is_hidden})
        )

    def _planned_hidden(self, index: int) -> list[PlannedLocal]:
        return [
            PlannedLocal(slot, type_, is_hidden=True)
            for slot, type_ in self._here.locals.items()
            if slot not in self._named
            and slot not in self._types.parameters
            and self._types.is_live(slot, index)
        ]

    async def _plan(self, index: int, target: Verified, line: int) -> JumpPlan:
        named = self._named_at(index)
        planned: list[PlannedLocal] = []
        unassigned: list[str] = []
        for slot, type_ in target.locals.items():
            if type_.startswith(NEW):
                raise UnsupportedError(f"cannot jump to line {line}: an object is being made there")
            at_start = self._types.parameters.get(slot)
            if at_start is not None:
                planned.append(self._parameter(slot, at_start, type_, line))
                continue
            variable = named.get(slot)
            declared = type_ if variable is None or type_ in _PRIMITIVES else variable.signature
            local = await self._kept(slot, declared, variable)
            if local is None:
                local = PlannedLocal(slot, declared)
                if not self._types.is_live(slot, index):
                    pass  # nothing reads it
                elif variable is None:
                    raise UnsupportedError(
                        f"cannot jump to line {line}: it is inside a loop, a switch, a finally or "
                        "a synchronized block that keeps a value of its own, which only its "
                        "beginning makes; jump there"
                    )
                else:
                    unassigned.append(variable.name)
            planned.append(local)
        return JumpPlan(self._frame, index, tuple(planned), tuple(unassigned))

    def _parameter(self, slot: int, at_start: str, type_: str, line: int) -> PlannedLocal:
        here = self._here.locals.get(slot)
        is_same = all(
            each == at_start or (each not in _PRIMITIVES and at_start not in _PRIMITIVES)
            for each in (type_, here)
            if each is not None
        )
        if here is None or not is_same:
            raise UnsupportedError(
                f"cannot jump to line {line}: the place of a parameter holds something else by now"
            )
        return PlannedLocal(slot, at_start, is_parameter=True)

    async def _kept(
        self, slot: int, type_: str, variable: LocalVariableSlot | None
    ) -> PlannedLocal | None:
        """The local that keeps its value; None if it has none that fits."""
        here, named = self._here.locals.get(slot), self._named.get(slot)
        if here is None or (here != type_ and {here, type_} & _PRIMITIVES):
            return None
        is_reference = type_ not in _PRIMITIVES
        if is_reference:
            await self._check_access(type_)
        if named is not None:
            if (
                variable is None
                or variable.name != named.name
                or (is_reference and variable.signature != named.signature)
            ):
                return None
            return PlannedLocal(slot, type_, variable=named)
        if variable is not None and self._table is not None:
            return None  # it has no value yet
        if is_reference and here not in (type_, NULL):
            return None
        return PlannedLocal(slot, type_, is_hidden=True)

    async def _check_access(self, type_: str) -> None:
        """The VM checks the type of a value that is put back, by the name of its class."""
        own = self._method.declaring_type
        package = type_[1:].rpartition("/")[0].replace("/", ".")
        if not type_.startswith("L") or package == own.package_name:
            return
        for found in await own.vm.classes_by_signature(type_):
            if not await found.modifiers() & _PUBLIC_OR_PROTECTED:
                raise UnsupportedError(
                    f"cannot jump: a variable has the class {found.name}, which "
                    f"{own.name} may not name"
                )
