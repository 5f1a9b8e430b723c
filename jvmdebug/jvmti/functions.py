# SPDX-License-Identifier: Apache-2.0
"""`session.jvmti`: functions of JVM TI that have no better place, by their names in snake case.

What JDWP offers is in the session and its handles, what is about classes and modules in
`session.classes`; docs/reference/jvmti.md says for each function of JVM TI where. Needs our agent.
Made by the session's door.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, Literal, Protocol

from jvmdebug.arguments import require_one_of, require_text, require_whole
from jvmdebug.errors import ArgumentError, UnsupportedError
from jvmdebug.heap import HeapError
from jvmdebug.heap.named_objects import object_of
from jvmdebug.jdwp.generated import jvmti as jvmti_set
from jvmdebug.jdwp.ids import ThreadGroupId
from jvmdebug.jvmti.calling import JvmtiError, call, number, require, the_class
from jvmdebug.jvmti.error_code import JvmtiErrorCode
from jvmdebug.jvmti.events import JvmtiEvents, most
from jvmdebug.jvmti.values import (
    CAPABILITIES,
    PARAMETER_KINDS,
    PARAMETER_TYPES,
    PHASES,
    TIMER_KINDS,
    ExtensionParameter,
    JvmtiExtension,
    JvmtiPhase,
    JvmtiVersion,
    RedirectedNative,
    ThreadDetails,
    ThreadGroupDetails,
    ThreadState,
    TimerInfo,
)
from jvmdebug.observing.defaults import DEFAULT_CAPACITY
from jvmdebug.observing.observation import Limits
from jvmdebug.printable import one_line
from jvmdebug.sources import parse_method

if TYPE_CHECKING:
    from jvmdebug.heap.named_objects import NamedObject
    from jvmdebug.jvmti.calling import JvmtiProgram
    from jvmdebug.model.virtual_machine import VirtualMachine

    class HasId(Protocol):
        """A thread of the session."""

        @property
        def id(self) -> int:
            """The VM's id of it."""


VerboseFlag = Literal["gc", "class", "jni", "other"]

_VERBOSE: Final = {"other": 0, "gc": 1, "class": 2, "jni": 4}
_THREADS: Final = "com.sun.hotspot.functions."


class Jvmti:
    """Functions of JVM TI in one debugged program."""

    def __init__(self, program: JvmtiProgram) -> None:
        self._program = program

    @property
    def _vm(self) -> VirtualMachine:
        return self._program.vm

    # The VM

    async def get_phase(self) -> JvmtiPhase:
        """How far the VM is: live, unless it is held at its start or ends."""
        return PHASES[await number(self._vm, "GetPhase")]

    async def get_version_number(self) -> JvmtiVersion:
        """The version of JVM TI."""
        version = await number(self._vm, "GetVersionNumber")
        return JvmtiVersion(version >> 16 & 0xFFF, version >> 8 & 0xFF, version & 0xFF)

    async def get_jlocation_format(self) -> str:
        """What a location in a method is: `bytecode index`, `machine code`, `other`."""
        formats = {1: "bytecode index", 2: "machine code"}
        return formats.get(await number(self._vm, "GetJLocationFormat"), "other")

    async def get_available_processors(self) -> int:
        """How many processors the VM may use now."""
        return await number(self._vm, "GetAvailableProcessors")

    async def get_error_name(self, code: int) -> str:
        """The name of an error code: `JVMTI_ERROR_NOT_AVAILABLE`. JvmtiError if there is none."""
        require_whole("code", code, 0, 2**31 - 1)
        reply = await call(self._vm, "GetErrorName", numbers=(code,), hint=f"no error is {code}")
        return reply.texts[0]

    async def get_capabilities(self) -> frozenset[str]:
        """The capabilities that our agent has: `can_tag_objects`."""
        return _capabilities((await call(self._vm, "GetCapabilities")).numbers)

    async def get_potential_capabilities(self) -> frozenset[str]:
        """The capabilities that it has or could take now; some are to be had at the start of the VM
        only.
        """
        return _capabilities((await call(self._vm, "GetPotentialCapabilities")).numbers)

    async def get_system_properties(self) -> dict[str, str]:
        """The properties that the VM itself knows, `java.class.path`, with their values. The
        program's own (System.getProperties) are more.
        """
        names = (await call(self._vm, "GetSystemProperties")).texts
        values = await asyncio.gather(*map(self.get_system_property, names))
        return {name: value for name, value in zip(names, values, strict=True) if value is not None}

    async def get_system_property(self, name: str) -> str | None:
        """One of them; None if the VM does not know it."""
        require_text("name", name)
        try:
            return (await call(self._vm, "GetSystemProperty", texts=(name,))).texts[0]
        except JvmtiError as error:
            if error.code == JvmtiErrorCode.NOT_AVAILABLE:
                return None
            raise

    async def set_system_property(self, name: str, value: str) -> None:
        """Set one. HotSpot allows that before it has started only, so UnsupportedError says what
        to do instead.
        """
        require_text("name", name)
        require_text("value", value)
        try:
            await call(self._vm, "SetSystemProperty", texts=(name, value), changes=True)
        except JvmtiError as error:
            if error.code != JvmtiErrorCode.WRONG_PHASE:
                raise
            raise UnsupportedError(
                f"the VM's property {name} cannot be set any more: start the program with"
                f" -D{name}=..., or evaluate System.setProperty for the program's own"
            ) from None

    async def set_verbose_flag(self, flag: VerboseFlag, *, on: bool) -> None:
        """Have the VM write of it to the program's output, as -verbose:gc does."""
        require_one_of("flag", flag, _VERBOSE)
        numbers = (_VERBOSE[flag], int(on))
        await call(self._vm, "SetVerboseFlag", numbers=numbers, changes=True)

    # Timers

    async def get_time(self) -> int:
        """The VM's timer in nanoseconds, from any beginning: the time of `events`."""
        return await number(self._vm, "GetTime")

    async def get_timer_info(self) -> TimerInfo:
        """What `get_time` measures."""
        return await _timer(self._vm, "GetTimerInfo")

    async def get_thread_cpu_timer_info(self) -> TimerInfo:
        """What `get_thread_cpu_time` measures."""
        return await _timer(self._vm, "GetThreadCpuTimerInfo")

    async def get_current_thread_cpu_timer_info(self) -> TimerInfo:
        """What `get_current_thread_cpu_time` measures."""
        return await _timer(self._vm, "GetCurrentThreadCpuTimerInfo")

    async def get_thread_cpu_time(self, thread: HasId | int) -> int:
        """How long a thread has used a processor, in nanoseconds. JvmtiError for a virtual one in
        VMs that do not tell.
        """
        return await _of_thread(self._vm, "GetThreadCpuTime", thread)

    async def get_current_thread_cpu_time(self) -> int:
        """The same of the agent's thread that answers."""
        return await number(self._vm, "GetCurrentThreadCpuTime")

    # Threads and objects

    async def get_thread_state(self, thread: HasId | int) -> ThreadState:
        """All that the VM says of a thread's state."""
        return ThreadState(await number(self._vm, "GetThreadState", _thread_id(thread)))

    async def get_thread_info(self, thread: HasId | int) -> ThreadDetails:
        """Name, priority, group, context class loader, and whether the thread is a daemon."""
        id_ = _thread_id(thread)
        vm = self._vm
        try:
            reply = await call(vm, "GetThreadInfo", objects=(id_,))
        except JvmtiError as error:
            raise await _about_thread(vm, error, id_) from None
        priority, is_daemon = reply.numbers
        group, loader = reply.objects
        return ThreadDetails(
            one_line(reply.texts[0]),
            priority,
            bool(is_daemon),
            vm.thread_group(ThreadGroupId(group.id)) if group.id else None,
            vm.reference(loader.tag, loader.id) if loader.id else None,
        )

    async def get_thread_group_info(self, thread_group: HasId | int) -> ThreadGroupDetails:
        """Name, greatest priority and parent of a thread group, such as `get_thread_info` gives."""
        id_ = thread_group if isinstance(thread_group, int) else thread_group.id
        vm = self._vm
        reply = await call(vm, "GetThreadGroupInfo", objects=(id_,))
        priority, is_daemon = reply.numbers
        (parent,) = reply.objects
        return ThreadGroupDetails(
            one_line(reply.texts[0]),
            priority,
            bool(is_daemon),
            vm.thread_group(ThreadGroupId(parent.id)) if parent.id else None,
        )

    async def get_object_size(self, obj: NamedObject) -> int:
        """The bytes of an object alone: of one in a variable of a stop, that `session.heap` has
        found, of a thread, of a class (its java.lang.Class), or of what a static field leads to,
        `"shop.Main.cache"`. JvmtiError for null and numbers.
        """
        return await _of_object(self._vm, "GetObjectSize", obj)

    async def get_object_hash_code(self, obj: NamedObject) -> int:
        """A number that stays with the object; equal ones may be different objects. It takes what
        `get_object_size` takes.
        """
        return await _of_object(self._vm, "GetObjectHashCode", obj)

    # What this VM has beyond JVM TI

    async def get_extension_functions(self) -> tuple[JvmtiExtension, ...]:
        """The functions, with what the VM says of them."""
        return await self._extensions(events=False)

    async def get_extension_events(self) -> tuple[JvmtiExtension, ...]:
        """The events; `events` takes their ids."""
        return await self._extensions(events=True)

    async def is_class_unloading_enabled(self) -> bool:
        """Whether the VM unloads classes (an extension of HotSpot)."""
        function = f"{_THREADS}IsClassUnloadingEnabled"
        reply = await call(self._vm, "CallExtension", texts=(function,), objects=(0,))
        return bool(reply.numbers[0])

    async def get_virtual_thread(self, carrier: HasId | int) -> int | None:
        """The id of the virtual thread that a thread carries now; None if there is none.
        JvmtiError before JDK 21.
        """
        return await self._other_thread("GetVirtualThread", carrier)

    async def get_carrier_thread(self, virtual: HasId | int) -> int | None:
        """The id of the thread that carries a virtual one; None while it is on none. JvmtiError
        before JDK 21.
        """
        return await self._other_thread("GetCarrierThread", virtual)

    # Native code

    async def count_jni_calls(self) -> None:
        """Begin to count the calls of each JNI function, from 0: those that native libraries of the
        program and of the JDK make. Costs each of them some nanoseconds.
        """
        require(self._vm, "counting JNI calls")
        await self._vm.request(jvmti_set.CountJniCalls(is_on=True))

    async def jni_calls(self) -> dict[str, int]:
        """How often each JNI function was called since then, the most frequent first."""
        require(self._vm, "counting JNI calls")
        calls = (await self._vm.request(jvmti_set.JniCalls())).calls
        return {each.function: each.count for each in sorted(calls, key=lambda it: -it.count)}

    async def stop_counting_jni_calls(self) -> dict[str, int]:
        """End that; the last counts."""
        require(self._vm, "counting JNI calls")
        await self._vm.request(jvmti_set.CountJniCalls(is_on=False))
        return await self.jni_calls()

    async def set_native_method_prefix(self, prefix: str | None) -> None:
        """Have the VM look for native methods without this prefix too, for programs whose code is
        rewritten so; None: no more. It ends with the session.
        """
        require_text("prefix", prefix or "")
        await call(self._vm, "SetNativeMethodPrefix", texts=(prefix or "",), changes=True)

    async def set_native_method_prefixes(self, *prefixes: str) -> None:
        """The same for several, in the order in which they were put in front."""
        for each in prefixes:
            require_text("prefix", each)
        await call(self._vm, "SetNativeMethodPrefixes", texts=prefixes, changes=True)

    async def redirect_native(self, method: str, library: str, symbol: str) -> RedirectedNative:
        """Have a native method, `shop.Clock#nanos()`, run a function of a library of the program's
        machine, for tests. It must have the parameters and the result that JNI prescribes for the
        method: nothing can check that, and the VM ends if it has not.

        Undone with the session, where what it ran before is known. JvmtiError says why not.
        """
        return await self._redirect(method, library, symbol)

    async def restore_native(self, method: str) -> None:
        """Have it run again what it ran before. JvmtiError if that is not known."""
        await self._redirect(method, "", "")

    # Events

    def events(
        self,
        *names: str,
        with_present: bool = False,
        limit: int | None = None,
        duration_s: float | None = None,
        capacity: int = DEFAULT_CAPACITY,
    ) -> JvmtiEvents:
        """Events of these names, `CompiledMethodLoad`, while the program runs; those of extensions
        by their id (`get_extension_events`). `with_present`: compiled methods and generated code
        that are there already, too (GenerateEvents).

        Iterate over the result, or arm it with `async with` or `await` first; one at a time in a
        session. Which there are: docs/reference/jvmti.md. UnsupportedError for one that this VM
        does not give. The agent keeps `capacity` of them until they are taken, and counts those
        that do not fit in.
        """
        limits = Limits(limit, duration_s, most(capacity))
        return JvmtiEvents(self._program, names, limits, with_present=with_present)

    async def _extensions(self, *, events: bool) -> tuple[JvmtiExtension, ...]:
        require(self._vm, "asking for extensions")
        reply = await self._vm.request(jvmti_set.Extensions())
        return tuple(
            JvmtiExtension(
                each.id,
                each.description,
                tuple(
                    ExtensionParameter(
                        one.name,
                        PARAMETER_KINDS.get(one.kind, str(one.kind)),
                        PARAMETER_TYPES.get(one.type, str(one.type)),
                        one.may_be_null,
                    )
                    for one in each.parameters
                ),
            )
            for each in reply.extensions
            if each.is_event is events
        )

    async def _other_thread(self, function: str, thread: HasId | int) -> int | None:
        id_ = _thread_id(thread)
        named = f"{_THREADS}{function}"
        try:
            reply = await call(self._vm, "CallExtension", texts=(named,), objects=(id_,))
        except JvmtiError as error:
            if error.code == JvmtiErrorCode.NOT_AVAILABLE:
                hint = "HotSpot has this function from JDK 21 on"
                raise JvmtiError("CallExtension", error.code, hint) from None
            raise await _about_thread(self._vm, error, id_) from None
        return reply.objects[0].id or None

    async def _redirect(self, text: str, library: str, symbol: str) -> RedirectedNative:
        for name, value in (("method", text), ("library", library), ("symbol", symbol)):
            require_text(name, value)
        spec = parse_method(text)
        vm = self._vm
        require(vm, "redirecting a native method")
        type_ = await the_class(vm, spec.type_name)
        native = [each for each in await type_.methods() if each.is_native]
        found = [each for each in native if spec.selects(each.name, each.signature)]
        if len(found) != 1:
            names = ", ".join(sorted({each.name for each in native})) or "none"
            what = "several native methods of that name: add (int,String)" if found else "none"
            raise JvmtiError(
                "RegisterNatives",
                JvmtiErrorCode.NOT_AVAILABLE,
                f"{text}: {what}; native ones are {names}",
            )
        method = found[0]
        reply = await vm.request(
            jvmti_set.RedirectNative(type_.id, method.name, method.signature, library, symbol)
        )
        if reply.reason:
            raise JvmtiError(
                "RegisterNatives", JvmtiErrorCode.NOT_AVAILABLE, f"{text}: {reply.reason}"
            )
        return RedirectedNative(text, reply.can_be_undone)


def _capabilities(bits: tuple[int, ...]) -> frozenset[str]:
    return frozenset(
        CAPABILITIES[index] if index < len(CAPABILITIES) else f"capability {index}"
        for index, bit in enumerate(bits)
        if bit
    )


def _thread_id(thread: HasId | int) -> int:
    found = thread if isinstance(thread, int) else getattr(thread, "id", None)
    if not isinstance(found, int) or isinstance(found, bool) or found <= 0:
        raise ArgumentError(f"{thread!r} is no thread: give one of session.threads(), or its id")
    return found


async def _timer(vm: VirtualMachine, function: str) -> TimerInfo:
    found = (await call(vm, function)).numbers
    kind = TIMER_KINDS.get(found[3], f"kind {found[3]}")
    return TimerInfo(kind, found[0] % 2**64, bool(found[1]), bool(found[2]))


async def _of_object(vm: VirtualMachine, function: str, obj: NamedObject) -> int:
    try:
        found = await object_of(vm, obj)
    except HeapError as error:
        raise JvmtiError(function, JvmtiErrorCode.INVALID_OBJECT, str(error)) from None
    return await number(vm, function, found.id)


async def _of_thread(vm: VirtualMachine, function: str, thread: HasId | int) -> int:
    id_ = _thread_id(thread)
    try:
        return await number(vm, function, id_)
    except JvmtiError as error:
        raise await _about_thread(vm, error, id_) from None


async def _about_thread(vm: VirtualMachine, error: JvmtiError, thread: int) -> JvmtiError:
    """The error of a function, which says what has become of the thread if that is why."""
    if error.code not in (JvmtiErrorCode.THREAD_NOT_ALIVE, JvmtiErrorCode.INVALID_THREAD):
        return error
    try:
        state = ThreadState(await number(vm, "GetThreadState", thread))
    except JvmtiError:
        return error
    if ThreadState.TERMINATED in state:
        return JvmtiError(error.function, error.code, "the thread has ended")
    if not state:
        return JvmtiError(error.function, error.code, "the thread has not begun")
    return error
