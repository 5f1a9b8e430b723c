# SPDX-License-Identifier: Apache-2.0
"""What the agents say about threads in every state, thread groups, loaders and modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.finds import Finds
from tests.conformance.differential.fixture import TYPES
from tests.conformance.differential.registry import conversation, conversations_over

if TYPE_CHECKING:
    from tests.conformance.differential.recording_client import RecordingClient
    from tests.support.wire_reading import Message

# Not the reference handler: what it does when all are suspended is chance.
_NAMES = ("main", "contender", "listener", "lingerer", "sleeper", "parker", "Signal Dispatcher")
_FIELDS = ("dead", "unstarted")
_READING = (
    "Name",
    "Status",
    "ThreadGroup",
    "FrameCount",
    "OwnedMonitors",
    "CurrentContendedMonitor",
    "SuspendCount",
    "OwnedMonitorsStackDepthInfo",
)


def _described(client: RecordingClient, thread: int) -> None:
    for command in _READING:
        client.ask(f"ThreadReference.{command}", thread=thread)
    client.ask("ThreadReference.Frames", thread=thread, start_frame=0, length=-1)
    if client.version >= 21:
        client.ask("ThreadReference.IsVirtual", thread=thread)


@conversations_over({name.replace(" ", "_"): name for name in _NAMES}, TYPES)
def described(client: RecordingClient, name: str) -> None:
    """A live thread, suspended with all others."""
    _described(client, Finds(client).named_thread(name))


@conversations_over({name: name for name in _FIELDS}, TYPES)
def described_without_life(client: RecordingClient, name: str) -> None:
    """A thread that has ended, or has not begun."""
    _described(client, Finds(client).object(name))
    client.ask("ThreadReference.Interrupt", thread=Finds(client).object(name))


@conversations_over({name: name for name in _FIELDS}, TYPES, fresh=_FIELDS)
def counted_without_life(client: RecordingClient, name: str) -> None:
    """Suspends and resumes of a thread that does not run."""
    thread = Finds(client).object(name)
    for command in ("Resume", "Suspend", "Suspend", "Resume", "Resume", "Resume"):
        client.ask("ThreadReference.SuspendCount", thread=thread)
        client.ask(f"ThreadReference.{command}", thread=thread)
    client.ask("ThreadReference.SuspendCount", thread=thread)
    client.ask("ThreadReference.Status", thread=thread)


@conversations_over(
    {
        "all": (0, -1),
        "first": (0, 1),
        "second": (1, 1),
        "none": (0, 0),
        "from_the_second": (1, -1),
        "too_many": (0, 1000),
        "past_the_end": (1000, 1),
        "past_the_end_all": (1000, -1),
        "past_the_end_none": (1000, 0),
        "negative_start": (-1, 1),
        "negative_start_all": (-1, -1),
        "negative_length": (0, -2),
        "most": (2**31 - 1, 2**31 - 1),
        "sum_of_more_than_an_int": (1, 2**31 - 1),
    },
    TYPES,
)
def frames(client: RecordingClient, part: tuple[int, int]) -> None:
    """Parts of a stack."""
    start, length = part
    client.ask(
        "ThreadReference.Frames", thread=Finds(client).thread, start_frame=start, length=length
    )


@conversation(TYPES)
def frames_at_the_end(client: RecordingClient) -> None:
    """The bounds of a stack, exactly."""
    thread = Finds(client).thread
    count = client.ask("ThreadReference.FrameCount", thread=thread)["frame_count"]
    for start, length in ((count, 0), (count, -1), (count, 1), (count - 1, 1), (0, count)):
        client.ask("ThreadReference.Frames", thread=thread, start_frame=start, length=length)
    client.ask("ThreadReference.Frames", thread=thread, start_frame=0, length=count + 1)


@conversation(TYPES)
def suspended_twice(client: RecordingClient) -> None:
    """Counts go up and down, and not below what the VM has."""
    find = Finds(client)
    for name in ("main", "sleeper"):
        thread = find.named_thread(name)
        for command in ("Suspend", "SuspendCount", "Status", "Resume", "SuspendCount", "Status"):
            client.ask(f"ThreadReference.{command}", thread=thread)


@conversation(TYPES)
def running(client: RecordingClient) -> None:
    """One thread that runs while all others stand: what needs a suspended one."""
    find = Finds(client)
    thread = find.named_thread("sleeper")
    client.ask("ThreadReference.Resume", thread=thread)
    _described(client, thread)
    client.ask("ThreadReference.Resume", thread=thread)
    frame = find.frame()["frame_id"]
    client.ask("StackFrame.ThisObject", thread=thread, frame=frame)
    value = {"tag": ord("V"), "value": None}
    client.ask("ThreadReference.ForceEarlyReturn", thread=thread, value=value)
    client.ask("StackFrame.PopFrames", thread=thread, frame=frame)
    client.ask("ThreadReference.Suspend", thread=thread)
    client.ask("ThreadReference.SuspendCount", thread=thread)


# --- groups, loaders, modules ---------------------------------------------------------------------


@conversations_over({name: name for name in ("group", "child")}, TYPES)
def groups(client: RecordingClient, name: str) -> None:
    group = Finds(client).object(name)
    for command in ("Name", "Parent", "Children"):
        client.ask(f"ThreadGroupReference.{command}", group=group)


@conversation(TYPES)
def groups_from_the_top(client: RecordingClient) -> None:
    """Goes down from the groups without parent."""
    groups = client.ask("VirtualMachine.TopLevelThreadGroups")["groups"]
    while groups:
        group = groups.pop()
        for command in ("Name", "Parent"):
            client.ask(f"ThreadGroupReference.{command}", group=group)
        groups += client.ask("ThreadGroupReference.Children", group=group)["groups"]


@conversation(TYPES)
def visible_classes(client: RecordingClient) -> None:
    """All of a loader of this conversation alone; of other loaders, the program's own."""
    find = Finds(client)
    client.ask("ClassLoaderReference.VisibleClasses", class_loader=find.object("definer"))
    listed = client.vm.ask("VirtualMachine.AllClasses")["classes"]
    own = {one["type_id"] for one in listed if one["signature"].startswith("Ltypes/")}

    def only_own(reply: Message) -> Message:
        return {"classes": [one for one in reply["classes"] if one["type_id"] in own]}

    for loader in (find.object("loader"), find.object("platform"), 0):
        client.ask("ClassLoaderReference.VisibleClasses", only=only_own, class_loader=loader)


@conversations_over({name: name for name in ("named", "unnamed")}, TYPES)
def modules(client: RecordingClient, name: str) -> None:
    module = Finds(client).object(name)
    client.ask("ModuleReference.Name", module=module)
    client.ask("ModuleReference.ClassLoader", module=module)


@conversation(TYPES)
def every_module(client: RecordingClient) -> None:
    """Name and loader of each."""
    listed = client.vm.ask("VirtualMachine.AllModules")["modules"]
    named = {client.vm.ask("ModuleReference.Name", module=one)["name"]: one for one in listed}
    for name in sorted(named):
        client.ask("ModuleReference.Name", module=named[name])
        client.ask("ModuleReference.ClassLoader", module=named[name])


@conversation(TYPES)
def class_objects(client: RecordingClient) -> None:
    """Goes from types to class objects and back."""
    find = Finds(client)
    for signature in ("", "Ltypes/Types$Shape;", "[[I", "Ljava/lang/Object;"):
        made = client.ask("ReferenceType.ClassObject", type_id=find.type(signature))
        found = client.ask("ClassObjectReference.ReflectedType", class_object=made["class_object"])
        client.ask("ObjectReference.ReferenceType", object=found["type_id"])
