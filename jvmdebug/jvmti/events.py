# SPDX-License-Identifier: Apache-2.0
"""Events of JVM TI that JDWP has not, as an observation: the agent records them, and they are
taken from it a few times a second while somebody observes them.

Made by `functions`. What limits memory is the capacity, here and in the agent.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.arguments import require_text
from jvmdebug.classfile.descriptors import java_name
from jvmdebug.errors import StateError, UnsupportedError, VmError, WireError
from jvmdebug.jdwp.generated import jvmti as jvmti_set
from jvmdebug.jvmti.calling import error_text, require
from jvmdebug.jvmti.error_code import JvmtiErrorCode
from jvmdebug.model.thread_names import name_of_ended
from jvmdebug.observing.observation import Observation
from jvmdebug.observing.observed import ObservedEvent, now
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.jvmti.calling import JvmtiProgram
    from jvmdebug.observing.observation import Limits

_PAUSE_S: Final = 0.1
_AT_ONCE: Final = 5_000
_MOST_KEPT: Final = 100_000
EVENTS: Final = (
    *("ClassLoad", "CompiledMethodLoad", "CompiledMethodUnload", "DataDumpRequest"),
    *("DynamicCodeGenerated", "GarbageCollectionFinish", "GarbageCollectionStart"),
    *("NativeMethodBind", "ResourceExhausted", "VMObjectAlloc"),
    *("VirtualThreadEnd", "VirtualThreadStart"),
)
"""The events that our agent records."""
ELSEWHERE: Final = {
    "Breakpoint": "session.break_at",
    "ClassFileLoadHook": "session.classes.class_file",
    "ClassPrepare": "session.break_at",
    "Exception": "session.break_on_exception",
    "FieldAccess": "session.watch",
    "FieldModification": "session.watch and session.who_sets",
    "FramePop": "stop.step_out",
    "MethodEntry": "session.break_at and session.trace",
    "MethodExit": "session.trace",
    "MonitorContendedEnter": "session.contention",
    "MonitorContendedEntered": "session.contention",
    "MonitorWait": "session.contention",
    "MonitorWaited": "session.contention",
    "ObjectFree": "session.heap.mark",
    "SampledObjectAlloc": "session.allocations",
    "SingleStep": "stop.step_into and stop.step_over",
    "ThreadEnd": "session.subscribe",
    "ThreadStart": "session.subscribe",
    "VMDeath": "session.wait",
    "VMInit": "session.start",
}
"""Events that are not recorded → the calls that they are behind."""
_FOR_NOBODY: Final = ("ExceptionCatch", "VMStart")


@dataclass(frozen=True, slots=True, kw_only=True)
class JvmtiEvent(ObservedEvent):
    """One event; `str(event)` is one line. What an event has not is empty, or 0."""

    name: str
    """`CompiledMethodLoad`, or the id of an extension."""
    class_name: str
    """`shop.Cart`"""
    method: str
    """`add`"""
    descriptor: str
    """`(I)V`"""
    address: int
    """Where the code is. What is unloaded is the code that was loaded at this address."""
    size: int
    """Bytes, of the code or the object; of ResourceExhausted the flags."""
    text: str
    """The name of generated code, the library of a native method, what is exhausted."""
    inlined: tuple[str, ...]
    """Methods that were compiled into this one: `java/util/ArrayList.add`, 32 at most."""
    vm_time: int
    """The VM's timer, in nanoseconds: `session.jvmti.get_time`."""

    def __str__(self) -> str:
        words = [self.name]
        if self.method:
            words.append(f"{self.class_name}.{self.method}{self.descriptor}")
        elif self.class_name:
            words.append(self.class_name)
        words += [each for each in (self.text, self.thread and f'by "{self.thread}"') if each]
        if self.address:
            words.append(f"at {self.address:#x}")
        if self.size:
            words.append(f"({self.size} bytes)" if self.name != "ResourceExhausted" else "")
        return " ".join(filter(None, words))


def most(capacity: int) -> int:
    """What the agent keeps at most of a capacity; a wrong one is refused later."""
    return min(capacity, _MOST_KEPT)


def _why_refused(refused: jvmti_set.StartEventsReply.Refused) -> str:
    if refused.event in ELSEWHERE:
        return f"{refused.event} is not recorded here: it is behind {ELSEWHERE[refused.event]}"
    if refused.event in _FOR_NOBODY:
        return f"{refused.event} is an event of JVM TI that is not given out"
    if refused.error == JvmtiErrorCode.INVALID_EVENT_TYPE and refused.event not in EVENTS:
        choice = ", ".join(EVENTS)
        return f"{refused.event} is none of {choice}, nor the id of an extension event"
    if refused.error == JvmtiErrorCode.INVALID_EVENT_TYPE:
        return f"this VM has no event {refused.event}"
    return f"this VM gives no event {refused.event} now: {error_text(refused.error)[1]}"


class _Recording:
    """Has the events of a VM recorded."""

    def __init__(self) -> None:
        self.by: JvmtiEvents | None = None

    async def close(self) -> None:
        """The connection is gone."""
        self.by = None


class JvmtiEvents(Observation[JvmtiEvent]):
    """The events of some names, as they are taken from the agent."""

    def __init__(
        self,
        program: JvmtiProgram,
        names: Sequence[str],
        limits: Limits,
        *,
        with_present: bool,
    ) -> None:
        super().__init__(program, ", ".join(map(str, names)) or "nothing", JvmtiEvent, limits)
        self._names = tuple(names)
        self._with_present = with_present
        self._taking: asyncio.Task[None] | None = None
        self._clock: tuple[float, int] = (0.0, 0)

    async def _arm(self) -> None:
        vm = self.observations.vm
        require(vm, "observing events of JVM TI")
        for each in self._names:
            require_text("an event", each)
        if not self._names:
            raise UnsupportedError("which events are to be observed? `CompiledMethodLoad`")
        recording = vm.companion(_Recording)
        if recording.by is not None and recording.by.is_open:
            raise StateError(f"one observation of these at a time: close {recording.by!r} first")
        recording.by = self
        reply = await vm.request(
            jvmti_set.StartEvents(self._names, self._limits.capacity, self._with_present),
            timeout_s=None,
        )
        if reply.refused:
            raise UnsupportedError("; ".join(map(_why_refused, reply.refused)))
        time = await vm.request(jvmti_set.Call("GetTime", (), (), ()))
        self._clock = (now(), time.numbers[0])
        self._taking = asyncio.create_task(self._keep_taking(), name=f"taking {self._what}")

    async def close(self) -> None:
        """End it: nothing of it stays in the VM. What was recorded can still be taken."""
        if self.is_open and self._taking is not None:
            self._taking.cancel()
            with contextlib.suppress(WireError, VmError):  # no VM, no events
                await self._take_recorded()
        await super().close()

    async def _disarm(self) -> None:
        if self._taking is not None:
            self._taking.cancel()
        vm = self.observations.vm
        recording = vm.companion(_Recording)
        if recording.by is self:
            recording.by = None
            await vm.request(jvmti_set.StopEvents())

    def _end(self) -> None:
        if not self._is_over:
            self.observations.spawn(self.close(), f"ending {self!r}")

    async def _keep_taking(self) -> None:
        try:
            while not self._is_over:
                await asyncio.sleep(_PAUSE_S)
                await self._take_recorded()
        except (WireError, VmError) as error:
            self._fail(error)

    async def _take_recorded(self) -> None:
        """All that the agent has now."""
        count = _AT_ONCE
        while count == _AT_ONCE and not self._is_over:
            reply = await self.observations.vm.request(jvmti_set.TakeEvents(_AT_ONCE))
            count = len(reply.events)
            self.missed += reply.dropped
            self._unreported += reply.dropped
            for each in reply.events:
                self._put(self._read(each))
                if self._limits.events is not None and self.count >= self._limits.events:
                    super()._end()
                    return

    def _read(self, event: jvmti_set.TakeEventsReply.Event) -> JvmtiEvent:
        seconds, timer = self._clock
        return JvmtiEvent(
            time=seconds + (event.time - timer) / 1e9,
            thread=one_line(event.thread) or _of_ended(event.thread_id),
            thread_id=event.thread_id,
            name=event.event,
            class_name=one_line(java_name(event.class_name)) if event.class_name else "",
            method=one_line(event.method),
            descriptor=one_line(event.descriptor),
            address=event.address % 2**64,
            size=event.size,
            text=one_line(event.text),
            inlined=tuple(map(one_line, event.inlined)),
            vm_time=event.time,
        )


def _of_ended(thread_id: int) -> str:
    return name_of_ended(thread_id) if thread_id else ""
