# SPDX-License-Identifier: Apache-2.0
"""Tells where a method ends, and with what: the value before a return instruction, where that is
known.

The operand stack of a thread cannot be read. But code mostly loads what it returns right before: a
variable, a field, a constant; such a value is read from where it was loaded. What was computed is
known only to a method exit event. Called by `trace`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile import ConstantTag, instructions
from jvmdebug.errors import ClassFileError, VmError
from jvmdebug.events import RESUME
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import ClassMatchModifier
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.values import NULL, ObjectReference
from jvmdebug.model.variable import LocalVariable
from jvmdebug.sources import constant_pool

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug.breakpoints.location_checker import LocationChecker
    from jvmdebug.classfile import ConstantPool, Instruction
    from jvmdebug.events import (
        BreakpointOccurrence,
        ExceptionOccurrence,
        MethodExitWithValueOccurrence,
        RequestHandle,
        Router,
        Verdict,
    )
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.location import Location
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value
    from jvmdebug.model.virtual_machine import VirtualMachine

_RETURNS: Final = frozenset({"ireturn", "lreturn", "freturn", "dreturn", "areturn", "return"})
_THIS: Final = 0
_FRAMES_AT_ONCE: Final = 50


async def frames_that_stay(occurrence: ExceptionOccurrence) -> int:
    """How many frames the thread has in the handler of the exception; 0 if there is none."""
    if occurrence.catch_location is None:
        return 0
    thread, method = occurrence.thread, occurrence.catch_location.method
    count = await thread.frame_count()
    for start in range(0, count, _FRAMES_AT_ONCE):
        for frame in await thread.frames(start, min(_FRAMES_AT_ONCE, count - start)):
            if frame.location.method is method:
                return count - frame.depth
    return count


class ReturnRequests:
    """Requests at the return instructions of methods whose calls stop."""

    def __init__(self, reaction: Callable[[BreakpointOccurrence], Awaitable[Verdict]]) -> None:
        self._reaction = reaction
        self._checker: LocationChecker | None = None
        self._known: dict[Method, MethodReturns] = {}
        self._requests: dict[Method, list[RequestHandle]] = {}
        """Each is in its list as soon as the VM has it."""
        self._arming: dict[Method, asyncio.Lock] = {}

    def open(self, checker: LocationChecker) -> None:
        """Some may be armed from now on, by this checker."""
        self._checker = checker

    def get(self, method: Method) -> MethodReturns | None:
        """The returns of a method that was entered before."""
        return self._known.get(method)

    async def armed(self, entry: Location) -> MethodReturns:
        """The returns of a method, armed when it is entered first. Its thread is suspended.

        Not at its first instruction: an empty method returns where it is entered.
        """
        method = entry.method
        known = self._known.get(method)
        if known is not None and method not in self._arming:
            return known
        # Of several threads that enter it, one arms, and the others wait.
        async with self._arming.setdefault(method, asyncio.Lock()):
            known = self._known.get(method)
            if known is None:
                known = self._known[method] = await MethodReturns.of(method)
                made = self._requests[method] = []
                indexes = [each for each in known.indexes if each != entry.index]
                places = [method.location(each) for each in indexes]
                await asyncio.gather(*(self._request(each, made) for each in places))
            self._arming.pop(method, None)
        return known

    async def _request(self, location: Location, made: list[RequestHandle]) -> None:
        checker = self._checker
        if checker is None:
            return
        request, _ = await checker.arm_own(location, self._reaction)
        made.append(request)
        if self._checker is None or self._requests.get(location.method) is not made:
            await request.clear()  # they were cleared meanwhile

    async def forget(self, method: Method) -> None:
        """Forgets a method: its calls stop no more."""
        self._known.pop(method, None)
        requests = self._requests.pop(method, [])
        await asyncio.gather(*(each.clear() for each in requests))

    async def clear(self) -> None:
        """All of them, also those that are just being armed."""
        self._checker = None
        await asyncio.gather(*(self.forget(each) for each in list(self._known)))


class MethodReturns:
    """The return instructions of one method."""

    def __init__(self, method: Method, code: list[Instruction]) -> None:
        self._method = method
        self._code = code
        self._targets = {target for each in code for target in each.targets}
        self._constants: ConstantPool | None = None

    @classmethod
    async def of(cls, method: Method) -> MethodReturns:
        """Requested once by the model."""
        return cls(method, list(instructions(await method.bytecodes())))

    @property
    def indexes(self) -> tuple[int, ...]:
        """The code indexes of its return instructions."""
        return tuple(each.index for each in self._code if each.mnemonic in _RETURNS)

    def is_jumped_to(self, index: int) -> bool:
        """Whether a loop comes back to this instruction."""
        return index in self._targets

    async def value_at(self, index: int, frame: Frame) -> Value | str | None:
        """What the return instruction at `index` is about to return; None if it is not known.

        A str for a string that is a constant of the class.
        """
        at = next((i for i, each in enumerate(self._code) if each.index == index), 0)
        loads: list[Instruction] = []
        while at > 0 and self._code[at].index not in self._targets:
            at -= 1
            each = self._code[at]
            if each.mnemonic == "checkcast":
                continue
            loads.append(each)
            if each.mnemonic != "getfield":
                break
        if not loads or loads[-1].mnemonic == "getfield" or len(loads) > 2:
            return None
        try:
            return await self._loaded(loads, frame)
        except (VmError, ClassFileError, ValueError):
            return None

    async def _loaded(self, loads: list[Instruction], frame: Frame) -> Value | str | None:
        first = loads[-1]
        if len(loads) == 2:
            held = await self._local(first, frame, "Ljava/lang/Object;")
            return await self._field(loads[0], held) if held is not None else None
        if first.mnemonic == "getstatic":
            return await self._field(first, None)
        if first.mnemonic.startswith("ldc"):
            return await self._constant_of_class(first)
        constant = _constant(first, self._method.return_type)
        return constant or await self._local(first, frame, self._method.return_type)

    async def _local(self, load: Instruction, frame: Frame, signature: str) -> Value | None:
        if "load" not in load.mnemonic or load.local is None:
            return None
        if load.local == _THIS and not self._method.is_static:
            return await frame.this_object()
        slot = LocalVariable("", signature, None, load.local, is_argument=False)
        return await frame.value(slot)

    async def _constant_pool(self) -> ConstantPool | None:
        if self._constants is None:
            self._constants = await constant_pool(self._method.declaring_type)
        return self._constants

    async def _constant_of_class(self, load: Instruction) -> Value | str | None:
        constants = await self._constant_pool()
        if constants is None or load.constant is None:
            return None
        match constants.tag(load.constant):
            case ConstantTag.STRING:
                return constants.string(load.constant)
            case ConstantTag.INTEGER | ConstantTag.FLOAT | ConstantTag.LONG | ConstantTag.DOUBLE:
                kind = PrimitiveKind(self._method.return_type)
                return PrimitiveValue(kind, constants.number(load.constant))
            case _:
                return None

    async def _field(self, load: Instruction, held: Value | None) -> Value | None:
        constants = await self._constant_pool()
        if constants is None or load.constant is None:
            return None
        member = constants.member(load.constant)
        if isinstance(held, ObjectReference):
            type_: ReferenceType = await held.type()
        elif held is None and member.owner == _internal(self._method.declaring_type):
            type_ = self._method.declaring_type
        else:
            return None
        found = [each for each in await type_.all_fields() if each.name == member.name]
        found = [each for each in found if each.signature == member.descriptor]
        if not found:
            return None
        if isinstance(held, ObjectReference):
            named = [each for each in found if _internal(each.declaring_type) == member.owner]
            return (await held.get_values((named or found)[:1]))[0]
        return (await type_.static_values(found[:1]))[0] if found[0].is_static else None


def _internal(type_: ReferenceType) -> str:
    return type_.name.replace(".", "/")


def _constant(load: Instruction, descriptor: str) -> Value | None:
    """What an instruction pushes by itself; None for any other."""
    name, _, tail = load.mnemonic.partition("_")
    if name == "aconst":
        return NULL
    if name in ("iconst", "lconst", "fconst", "dconst"):
        number = -1 if tail == "m1" else int(tail)
    elif load.mnemonic in ("bipush", "sipush") and load.number is not None:
        number = load.number
    else:
        return None
    kind = PrimitiveKind(descriptor)
    if kind is PrimitiveKind.BOOLEAN:
        return PrimitiveValue(kind, bool(number))
    return PrimitiveValue(kind, float(number) if name in ("fconst", "dconst") else number)


async def prepare_exits(vm: VirtualMachine, router: Router) -> None:
    """Have the agent load what it reads results with, before a thread is held in a call. JDK 17
    makes a thread for that, and waits while one that is held has the lock of java.lang.Thread.
    """
    if vm.agent is None or vm.agent_can(AgentCapability.METHOD_EXIT_EVENTS):
        return
    if not vm.agent_can(AgentCapability.METHOD_EXITS):
        return

    async def on_exit(_: MethodExitWithValueOccurrence) -> Verdict:
        return RESUME

    nowhere = (ClassMatchModifier("no.such.Class"),)
    kind = EventKind.METHOD_EXIT_WITH_RETURN_VALUE
    request = await router.arm(kind, nowhere, SuspendPolicy.EVENT_THREAD, on_exit)
    await request.clear()
