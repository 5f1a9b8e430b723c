# SPDX-License-Identifier: Apache-2.0
"""One frame of a suspended thread's stack: its location, variables and `this`.

A frame is a thread and a depth within one stop. It is stale once the thread has resumed: then its
methods raise StateError. The agent's frame id changes when a method is invoked on the thread; the
frame then requests its new id. Made by Thread.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, TypeVar

from jvmdebug.errors import (
    InvalidFrameIdError,
    InvalidSlotError,
    OpaqueFrameError,
    StateError,
    TypeMismatchError,
    VmError,
)
from jvmdebug.jdwp.generated import stack_frame, thread_reference
from jvmdebug.jdwp.generated.constants import Tag
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.lifetimes import Memo
from jvmdebug.model.method import LocalVariableSlot
from jvmdebug.model.stored_slots import stored_slots
from jvmdebug.model.values import (
    ObjectReference,
    UnavailableValue,
    Value,
    assignable,
    wire_value,
)
from jvmdebug.model.variable import LocalVariable
from jvmdebug.model.variables_from_file import verified_slots
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from jvmdebug.jdwp.command import Command
    from jvmdebug.jdwp.ids import FrameId
    from jvmdebug.model.location import Location
    from jvmdebug.model.stored_slots import VerifiedSlots
    from jvmdebug.model.thread import Thread

R = TypeVar("R")


class Frame:
    """One frame; `depth` 0 is the topmost."""

    def __init__(
        self,
        thread: Thread,
        depth: int,
        location: Location,
        frame_id: FrameId | None,
        generation: int,
        id_epoch: tuple[int, int],
    ) -> None:
        self.thread = thread
        self.depth = depth
        self.location = location
        self.id = frame_id
        """The agent's id as last known; invocations on the thread change it. None: not requested
        yet, the frame is known from an event.
        """
        self._generation = generation
        self._id_epoch = id_epoch
        self._memo = Memo()
        self.copy: int | None = None
        """Of the inline functions that are copied in here, the one whose variables are meant (0 is
        the method itself); None: all of them. See `sources.kotlin_variables`."""

    @property
    def is_valid(self) -> bool:
        """False once the thread has resumed or the frame was popped."""
        return self._generation == self.thread.generation

    def in_copy(self, number: int) -> Frame:
        """The same frame, with the variables of one copy only."""
        epoch = self._id_epoch
        made = Frame(self.thread, self.depth, self.location, self.id, self._generation, epoch)
        made.copy = number
        return made

    @property
    def is_native(self) -> bool:
        """Whether it is a native method, which shows no variables."""
        return self.location.method.is_native

    def renew(self, frame_id: FrameId, id_epoch: tuple[int, int]) -> None:
        """The agent has sent the frame's id of this epoch."""
        self.id = frame_id
        self._id_epoch = id_epoch

    async def this_object(self) -> ObjectReference | None:
        """The object `this`; None in a static or native method. Requested once."""
        return await self._memo.get("this", self._fetch_this)

    async def variables(self) -> tuple[LocalVariable, ...]:
        """The variables in scope at this location, `this` left out.

        Without debug information: the arguments by the names that `-parameters` has left, or by
        position, `arg0`, …, and slots by what the code has stored so far, `slot3`, …, marked as
        inferred. Empty in native methods. A round trip for the first frame of a method only.
        """
        method = self.location.method
        if not method.has_code:
            return ()
        table = await method.variable_table()
        inferred = table is None
        slots = await self._inferred() if table is None else table
        return tuple(
            LocalVariable(
                name=each.name,
                signature=each.signature,
                generic=each.generic,
                slot=each.slot,
                is_argument=each.is_argument,
                is_inferred=inferred,
                start=each.start,
            )
            for each in slots
            if each.is_visible_at(self.location.index)
        )

    async def _inferred(self) -> tuple[LocalVariableSlot, ...]:
        """Arguments by position, and other slots by what the bytecode before here stores; exactly
        where the class file is read for the variables anyway.
        """
        method = self.location.method
        arguments = method.slots_by_position(await method.parameter_names())
        taken = {each.slot for each in arguments}
        vm = self.thread.vm
        known: VerifiedSlots | None = None
        stored: Mapping[int, str] = {}
        if not vm.agent_can(AgentCapability.LOCAL_VARIABLES):
            known = await verified_slots(method)
        if known is not None:
            stored = known.before(self.location.index)
        elif vm.capabilities.can_get_bytecodes:
            stored = stored_slots(await method.bytecodes(), self.location.index)
        is_instance = not method.is_static
        others = (
            LocalVariableSlot(
                name=f"slot{slot}",
                signature=signature,
                generic=None,
                slot=slot,
                start=0,
                length=2**31 - 1,
                is_argument=False,
            )
            for slot, signature in stored.items()
            if slot not in taken and not (is_instance and slot == 0)
        )
        return (*arguments, *others)

    async def values(self, variables: Sequence[LocalVariable]) -> tuple[Value, ...]:
        """The values of variables, in their order, in one round trip.

        When the VM refuses one of several (an inferred argument whose slot holds something else by
        now), they are requested one by one, and that one is an UnavailableValue.
        """
        if not variables:
            return ()
        try:
            return await self._fetch_values(variables)
        except (InvalidSlotError, TypeMismatchError):
            found = await asyncio.gather(*(self._value_or_reason(each) for each in variables))
            return tuple(found)

    async def value(self, variable: LocalVariable) -> Value:
        """One value. Raises InvalidSlotError or TypeMismatchError when it cannot be read."""
        return (await self._fetch_values([variable]))[0]

    async def set_value(self, variable: LocalVariable, value: Value) -> None:
        """Writes a variable, after Java's assignment conversion (TypeMismatchError if none)."""
        wire = wire_value(assignable(value, variable.signature, f"variable {variable.name}"))
        slots = (stack_frame.SetValues.Slot(variable.slot, wire),)
        try:
            await self._request(
                lambda frame_id: stack_frame.SetValues(self.thread.id, frame_id, slots)
            )
        except OpaqueFrameError as error:
            if await self.thread.is_virtual() and self.depth > 0:
                raise StateError(
                    f"cannot set {variable.name} in {self}: in a virtual thread, only variables of"
                    " the topmost frame can be set, and only while it is stopped by an event"
                ) from error
            raise

    async def pop(self) -> None:
        """Pops this frame and all above; the caller is then at the call instruction again.

        All frames of the thread are stale afterwards. Raises UnsupportedError, OpaqueFrameError or
        NoMoreFramesError when a frame concerned is native or there is no caller.
        """
        await self._request(lambda frame_id: stack_frame.PopFrames(self.thread.id, frame_id))
        self.thread.invalidate()

    async def _fetch_this(self) -> ObjectReference | None:
        if self.location.method.is_static or self.is_native:
            return None
        reply = await self._request(
            lambda frame_id: stack_frame.ThisObject(self.thread.id, frame_id)
        )
        this = reply.this_object
        return self.thread.vm.reference(this.tag, this.id) if this.id else None

    async def _fetch_values(self, variables: Sequence[LocalVariable]) -> tuple[Value, ...]:
        slots = tuple(
            stack_frame.GetValues.Slot(each.slot, Tag(ord(each.signature[0]))) for each in variables
        )
        known = self.thread.slot_values(self.depth)
        # An invocation on the thread runs above the frame, which keeps its values.
        if not (self.is_valid and all(each in known for each in slots)):
            reply = await self._request(
                lambda frame_id: stack_frame.GetValues(self.thread.id, frame_id, slots)
            )
            # One value for each that the agent has sent: it counts how often it has sent an id.
            known.update(zip(slots, map(self.thread.vm.value, reply.values), strict=True))
        return tuple(known[each] for each in slots)

    async def _value_or_reason(self, variable: LocalVariable) -> Value:
        try:
            return await self.value(variable)
        except (InvalidSlotError, TypeMismatchError) as error:
            if isinstance(error, TypeMismatchError):  # its slot was given to another variable
                return UnavailableValue("not available: it has no value here")
            return UnavailableValue(f"not available: {error.name}")

    async def _request(self, command: Callable[[FrameId], Command[R]]) -> R:
        """Sends the request with the frame's id; again with a new id after an invocation."""
        frame_id = await self._present_id()
        try:
            return await self.thread.vm.request(command(frame_id))
        except InvalidFrameIdError:
            if self.is_valid and self._id_epoch == self.thread.id_epoch:
                raise
        return await self.thread.vm.request(command(await self._present_id()))

    async def _present_id(self) -> FrameId:
        if not self.is_valid:
            raise StateError(f"{self} is gone: its thread has run since, or it was popped")
        epoch = self.thread.id_epoch
        if self.id is not None and self._id_epoch == epoch:
            return self.id
        try:
            reply = await self.thread.vm.request(
                thread_reference.Frames(self.thread.id, self.depth, 1)
            )
        except VmError as error:
            if self.id is None:
                raise
            raise StateError(
                f"{self} cannot be reached after an invocation on its thread: {error}"
            ) from error
        if not reply.frames or reply.frames[0].location != self.location.wire:
            raise StateError(f"{self} is gone: its thread has moved on since")
        frame_id = reply.frames[0].frame_id
        self.renew(frame_id, epoch)
        return frame_id

    def __str__(self) -> str:
        return f"frame {self.depth} ({self.location})"

    def __repr__(self) -> str:
        return one_line(f"Frame({self.thread!r}, {self.depth}, {self.location})")
