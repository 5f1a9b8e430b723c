# SPDX-License-Identifier: Apache-2.0
"""The debuggee's VM: the root of the model, where all mirrors are made and cached.

Owns the VM's version and capabilities, the caches, and the VM-wide commands. It neither
suspends nor resumes: `jvmdebug.events` does.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import defaultdict
from typing import TYPE_CHECKING, Final, Protocol, TypeVar, cast
from weakref import WeakValueDictionary

from jvmdebug.errors import (
    FullModeNeeded,
    NotImplementedByVmError,
    StateError,
    UnsupportedError,
    VmError,
    WireError,
)
from jvmdebug.jdwp.deadlines import DEFAULT_TIMEOUT
from jvmdebug.jdwp.generated import object_reference, reference_type, virtual_machine
from jvmdebug.jdwp.generated.constants import Tag, TypeTag
from jvmdebug.model import conversion
from jvmdebug.model.agent import (
    AgentCapability,
    AgentDescription,
    fetch_description,
    is_ours,
    is_possible,
    purpose_of,
    require_known,
)
from jvmdebug.model.invocation import Invocations
from jvmdebug.model.lifetimes import Memo
from jvmdebug.model.location import Location
from jvmdebug.model.reference_table import ReferenceTable
from jvmdebug.model.reference_type import ArrayType, ClassType, InterfaceType, ReferenceType
from jvmdebug.model.thread import Thread
from jvmdebug.model.values import (
    ClassLoaderReference,
    ClassObjectReference,
    ObjectReference,
    StringReference,
    ThreadGroupReference,
)
from jvmdebug.model.version import VmVersion, feature_release

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence

    from jvmdebug.jdwp.command import Command
    from jvmdebug.jdwp.connection import Connection
    from jvmdebug.jdwp.deadlines import Timeout
    from jvmdebug.jdwp.ids import (
        ArrayRegion,
        ClassLoaderId,
        ClassObjectId,
        ObjectId,
        ReferenceTypeId,
        ThreadGroupId,
        ThreadId,
    )
    from jvmdebug.jdwp.ids import Location as WireLocation
    from jvmdebug.jdwp.ids import Value as WireValue
    from jvmdebug.model.field import Field
    from jvmdebug.model.values import Value

R = TypeVar("R")
CompanionT = TypeVar("CompanionT", bound="Companion")
ReferenceT = TypeVar("ReferenceT", bound=ObjectReference)

_TYPE_CLASSES: Final[Mapping[TypeTag, type[ReferenceType]]] = {
    TypeTag.CLASS: ClassType,
    TypeTag.INTERFACE: InterfaceType,
    TypeTag.ARRAY: ArrayType,
}

Capabilities = virtual_machine.CapabilitiesNewReply


class Companion(Protocol):
    """An object that a layer above the model keeps for one VM, until the connection is closed."""

    async def close(self) -> None:
        """The connection is closed."""


class VirtualMachine:
    """The VM behind one connection. Call `initialize` before anything else."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.invocations = Invocations(self)
        self.is_disposed = False
        """Whether the VM runs without this debugger, or is about to: answers are errors that mean
        nothing then."""
        self.id_epoch = 0
        self.threads_with_state: set[Thread] = set()
        """Threads with cached answers that a resume invalidates."""
        self._version: VmVersion | None = None
        self._capabilities: Capabilities | None = None
        self.agent: AgentDescription | None = None
        """Our agent's description; None for another agent, or before it was requested."""
        self._facts = Memo()
        self._types = Memo()
        self._types_named: defaultdict[str, list[ReferenceTypeId]] = defaultdict(list)
        """The ids of the types that have mirrors, by signature."""
        self._object_types = Memo()
        self._references = ReferenceTable(self)
        self._tasks: set[asyncio.Task[None]] = set()
        self._threads: WeakValueDictionary[ThreadId, Thread] = WeakValueDictionary()
        self._companions: dict[type[object], Companion] = {}
        self.is_still: Callable[[], bool] = lambda: False
        """Whether no thread runs, so that what was read stays true; `events` sets it."""
        self.redefinitions = 0
        """How often classes were redefined: members that were read before are stale."""

    async def initialize(self) -> None:
        """Asks for version and capabilities. One round trip."""
        version, capabilities = await asyncio.gather(
            self.connection.request(virtual_machine.Version()),
            self.connection.request(virtual_machine.CapabilitiesNew()),
        )
        self._version = VmVersion(
            description=version.description,
            jdwp=(version.jdwp_major, version.jdwp_minor),
            vm_version=version.vm_version,
            vm_name=version.vm_name,
            feature_release=feature_release(version.vm_version),
        )
        self._capabilities = capabilities

    async def describe_agent(self) -> None:
        """Requests our agent's capabilities, and the class path, which its first stop needs; no
        round trip with another agent.
        """
        if is_ours(self.version.description):
            self.agent, _ = await asyncio.gather(
                fetch_description(self.connection), self.class_paths()
            )

    @property
    def version(self) -> VmVersion:
        """Version of the VM."""
        if self._version is None:
            raise StateError("the VM's version is not known yet: await vm.initialize() first")
        return self._version

    @property
    def capabilities(self) -> Capabilities:
        """What the VM and its agent can do, a bool for each capability of JDWP."""
        if self._capabilities is None:
            raise StateError("the capabilities are not known yet: await vm.initialize() first")
        return self._capabilities

    async def request(self, command: Command[R], *, timeout_s: Timeout = DEFAULT_TIMEOUT) -> R:
        """Sends a command after checking that the VM has the capability it needs.

        Raises UnsupportedError without it, else as Connection.request.
        """
        require_known(self.agent, command)
        if command.CAPABILITY is not None:
            self.require(command.CAPABILITY, command.NAME)
        try:
            return await self.connection.request(command, timeout_s=timeout_s)
        except NotImplementedByVmError:
            if self.agent is not None and self.agent.is_late:
                self.require_of_agent(AgentCapability.LOCAL_VARIABLES, purpose_of(command.NAME))
            raise

    def require(self, capability: str, purpose: str) -> None:
        """Raises UnsupportedError, naming the purpose, unless the VM has the capability."""
        if getattr(self.capabilities, capability):
            return
        if self.agent is not None and self.agent.is_late:
            self.require_of_agent(AgentCapability.LOCAL_VARIABLES, purpose_of(purpose))
        raise UnsupportedError(
            f"{purpose} is not possible with {self.version.vm_name} {self.version.vm_version} as it"
            f" was started: it lacks the capability {capability}; start it with the jvmdebug agent"
            " (`jvmdebug agent --option` prints the option), or with a VM that has the capability"
        )

    def agent_can(self, capability: AgentCapability) -> bool:
        """Whether the agent in the VM has the capability."""
        return is_possible(self.agent, capability)

    def require_of_agent(self, capability: AgentCapability, purpose: str) -> None:
        """Raises UnsupportedError, naming the purpose and the reason, unless the agent can."""
        if self.agent_can(capability):
            return
        if self.agent is None:
            raise UnsupportedError(
                f"{purpose} needs jvmdebug's own agent in the VM"
                " (`jvmdebug agent --option` prints the option that loads it)"
            )
        kind = FullModeNeeded if self.agent.mode == "fast" else UnsupportedError
        verb = "is not possible" if self.agent.is_late else "is off"
        raise kind(f"{purpose} {verb}: {self.agent.why_off(capability)}")

    # Types

    async def reference_type(self, tag: TypeTag, type_id: ReferenceTypeId) -> ReferenceType:
        """The mirror of a type; one round trip when it is new."""

        async def fetch() -> ReferenceType:
            reply = await self.request(reference_type.SignatureWithGeneric(type_id))
            self._types_named[reply.signature].append(type_id)
            return _TYPE_CLASSES[tag](self, type_id, reply.signature, reply.generic_signature)

        return await self._types.get(type_id, fetch)

    def known_type(
        self, tag: TypeTag, type_id: ReferenceTypeId, signature: str, generic: str | None = None
    ) -> ReferenceType:
        """The mirror of a type whose signature came with its id. No round trip."""
        known = self._types.peek(type_id)
        if isinstance(known, ReferenceType):
            return known
        self._types_named[signature].append(type_id)
        made = _TYPE_CLASSES[tag](self, type_id, signature, generic)
        self._types.put(type_id, made)
        return made

    async def classes_by_signature(self, signature: str) -> list[ReferenceType]:
        """The loaded types with this descriptor, one for each loader that defined one."""
        reply = await self.request(virtual_machine.ClassesBySignature(signature))
        return [self.known_type(each.type_tag, each.type_id, signature) for each in reply.classes]

    async def all_classes(self) -> list[ReferenceType]:
        """All loaded types, arrays included. One round trip, but a large reply."""
        reply = await self.request(virtual_machine.AllClassesWithGeneric())
        return [
            self.known_type(each.type_tag, each.type_id, each.signature, each.generic_signature)
            for each in reply.classes
        ]

    def forget_types(self, signature: str) -> None:
        """A type with this descriptor was unloaded; others of the name get a new mirror."""
        for type_id in self._types_named.pop(signature, ()):
            self._types.drop(type_id)

    async def location(self, wire: WireLocation) -> Location:
        """The location of a wire location; a round trip for a new type and one for its methods."""
        declaring = await self.reference_type(wire.tag, wire.type_id)
        return Location(await declaring.method(wire.method_id), wire.index)

    async def locations(self, wires: Sequence[WireLocation]) -> list[Location]:
        """Several locations; unknown types and methods are requested concurrently."""
        new = {wire.type_id: wire for wire in wires if self._types.peek(wire.type_id) is None}
        if new:
            await asyncio.gather(*(self.location(wire) for wire in new.values()))
        return [await self.location(wire) for wire in wires]

    async def static_values(self, fields: Sequence[Field]) -> dict[Field, Value]:
        """Values of static fields of any types: one round trip, a command for each type."""
        by_type: dict[ReferenceType, list[Field]] = {}
        for field in fields:
            by_type.setdefault(field.declaring_type, []).append(field)
        found = await asyncio.gather(
            *(declaring.static_values(mine) for declaring, mine in by_type.items())
        )
        return {
            field: value
            for mine, values in zip(by_type.values(), found, strict=True)
            for field, value in zip(mine, values, strict=True)
        }

    async def redefine_classes(self, class_files: Mapping[ReferenceType, bytes]) -> None:
        """Replaces the code of classes, all or none; what is allowed depends on the VM."""
        commands = tuple(
            virtual_machine.RedefineClasses.Class(each.id, content)
            for each, content in class_files.items()
        )
        await self.request(virtual_machine.RedefineClasses(commands))
        self.redefinitions += 1
        for each in class_files:
            each.forget_members()
        self.invalidate_suspended_state()

    # Threads

    async def all_threads(self) -> list[Thread]:
        """All live platform threads, and virtual ones if the agent lists them."""
        reply = await self.request(virtual_machine.AllThreads())
        return [self.thread(each) for each in reply.threads]

    def thread(self, thread_id: ThreadId) -> Thread:
        """The mirror of a thread. No round trip."""
        found = self._threads.get(thread_id)
        if found is None:
            found = self._threads[thread_id] = Thread(self, thread_id)
        return found

    async def top_level_thread_groups(self) -> list[ThreadGroupReference]:
        """The thread groups that have no parent."""
        reply = await self.request(virtual_machine.TopLevelThreadGroups())
        return [self.thread_group(each) for each in reply.groups]

    def invalidate_suspended_state(self, *, but: Collection[Thread] = ()) -> None:
        """Threads run or will run: their frames are stale. `but`: threads that stay suspended."""
        for thread in list(self.threads_with_state):
            if thread not in but:
                thread.invalidate()
        if not but:
            self._object_types.forget()
            self._dispose_dead_ids()

    def frame_ids_changed(self) -> None:
        """An invocation let all threads run: frames that did not move have new ids."""
        self.id_epoch += 1

    # Values and objects

    def value(self, wire: WireValue) -> Value:
        """A value from the wire."""
        return conversion.value(self, wire)

    def region_values(self, wire: ArrayRegion) -> tuple[Value, ...]:
        """Elements of an array from the wire."""
        return conversion.region(self, wire)

    def reference(self, tag: Tag, object_id: ObjectId) -> ObjectReference:
        """The reference for an object id that has just come over the wire. The id is not 0."""
        if self._references.is_large:
            self._object_types.forget()
            self._dispose_dead_ids()
        return self._references.received(tag, object_id)

    def thread_group(self, group_id: ThreadGroupId) -> ThreadGroupReference:
        """The reference for a thread group's id that has just come."""
        return _of(ThreadGroupReference, self.reference(Tag.THREAD_GROUP, group_id))

    def class_loader(self, loader_id: ClassLoaderId) -> ClassLoaderReference:
        """The reference for a class loader's id that has just come."""
        return _of(ClassLoaderReference, self.reference(Tag.CLASS_LOADER, loader_id))

    def class_object(self, class_object_id: ClassObjectId) -> ClassObjectReference:
        """The reference for a java.lang.Class object's id that has just come."""
        return _of(ClassObjectReference, self.reference(Tag.CLASS_OBJECT, class_object_id))

    async def type_of_object(self, object_id: ObjectId) -> ReferenceType:
        """The run-time type of an object; cached while nothing runs."""

        async def fetch() -> ReferenceType:
            reply = await self.request(object_reference.ReferenceType(object_id))
            return await self.reference_type(reply.type_tag, reply.type_id)

        return await self._object_types.get(object_id, fetch)

    async def create_string(self, text: str) -> StringReference:
        """Makes a java.lang.String. It can be collected as soon as the VM runs, unless held."""
        reply = await self.request(virtual_machine.CreateString(text))
        return _of(StringReference, self.reference(Tag.STRING, reply.string))

    async def instance_counts(self, types: Sequence[ReferenceType]) -> list[int]:
        """How many reachable instances each type has, subtypes not counted."""
        reply = await self.request(virtual_machine.InstanceCounts(tuple(each.id for each in types)))
        return list(reply.counts)

    async def class_paths(self) -> virtual_machine.ClassPathsReply:
        """Class path and boot class path, relative to a base directory."""
        return await self._facts.get(
            "class paths", lambda: self.request(virtual_machine.ClassPaths())
        )

    # The end

    def companion(self, class_: type[CompanionT]) -> CompanionT:
        """The companion of that class for this VM; created at the first call."""
        made = self._companions.get(class_)
        if made is None:
            made = self._companions[class_] = class_()
        return cast("CompanionT", made)

    async def exit(self, exit_code: int) -> None:
        """Ends the VM as System.exit does, without running shutdown code on VMs that skip it."""
        await self.request(virtual_machine.Exit(exit_code))

    async def dispose(self) -> None:
        """Clears all requests and suspensions and lets the VM run without a debugger."""
        self.is_disposed = True
        self.invalidate_suspended_state()
        await self.request(virtual_machine.Dispose())

    async def close(self) -> None:
        """Closes the connection and ends pending requests. Does not raise when it is lost."""
        await self.connection.close()
        await self.invocations.close()
        await asyncio.gather(*self._tasks, *(each.close() for each in self._companions.values()))
        self.invalidate_suspended_state()

    def _dispose_dead_ids(self) -> None:
        dead = self._references.pop_dead()
        if dead is not None and self.connection.is_open:
            task = asyncio.create_task(self._dispose(dead), name="dispose of object ids")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _dispose(self, dead: virtual_machine.DisposeObjects) -> None:
        # What fails here is an id that the agent has disposed of itself, or a VM that has ended.
        with contextlib.suppress(VmError, WireError):
            await self.request(dead)

    def __repr__(self) -> str:
        return f"VirtualMachine({self.connection})"


def _of(reference_class: type[ReferenceT], found: ObjectReference) -> ReferenceT:
    if not isinstance(found, reference_class):
        raise WireError(f"{found!r} is not a {reference_class.__name__}")
    return found
