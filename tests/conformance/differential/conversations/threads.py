# SPDX-License-Identifier: Apache-2.0
"""What the agents say about threads in every state, thread groups, loaders and modules."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.finds import Finds
from tests.conformance.differential.registry import conversation, conversations_over
from tests.conformance.differential.scene import TYPES

if TYPE_CHECKING:
    from tests.conformance.differential.talk import Talk
    from tests.support.wire_reading import Message

_NAMES = ("main", "contender", "listener", "lingerer", "sleeper", "parker", "Reference Handler")
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


def _described(talk: Talk, thread: int) -> None:
    for command in _READING:
        talk.ask(f"ThreadReference.{command}", thread=thread)
    talk.ask("ThreadReference.Frames", thread=thread, start_frame=0, length=-1)
    if talk.version >= 21:
        talk.ask("ThreadReference.IsVirtual", thread=thread)


@conversations_over({name.replace(" ", "_"): name for name in _NAMES}, TYPES)
def described(talk: Talk, name: str) -> None:
    """A live thread, suspended with all others."""
    _described(talk, Finds(talk).named_thread(name))


@conversations_over({name: name for name in _FIELDS}, TYPES)
def described_without_life(talk: Talk, name: str) -> None:
    """A thread that has ended, or has not begun."""
    _described(talk, Finds(talk).object(name))
    talk.ask("ThreadReference.Interrupt", thread=Finds(talk).object(name))


@conversations_over({name: name for name in _FIELDS}, TYPES, fresh=True)
def counted_without_life(talk: Talk, name: str) -> None:
    """Suspends and resumes of a thread that does not run."""
    thread = Finds(talk).object(name)
    for command in ("Resume", "Suspend", "Suspend", "Resume", "Resume", "Resume"):
        talk.ask("ThreadReference.SuspendCount", thread=thread)
        talk.ask(f"ThreadReference.{command}", thread=thread)
    talk.ask("ThreadReference.SuspendCount", thread=thread)
    talk.ask("ThreadReference.Status", thread=thread)


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
def frames(talk: Talk, part: tuple[int, int]) -> None:
    """Parts of a stack."""
    start, length = part
    talk.ask("ThreadReference.Frames", thread=Finds(talk).thread, start_frame=start, length=length)


@conversation(TYPES)
def frames_at_the_end(talk: Talk) -> None:
    """The bounds of a stack, exactly."""
    thread = Finds(talk).thread
    count = talk.ask("ThreadReference.FrameCount", thread=thread)["frame_count"]
    for start, length in ((count, 0), (count, -1), (count, 1), (count - 1, 1), (0, count)):
        talk.ask("ThreadReference.Frames", thread=thread, start_frame=start, length=length)
    talk.ask("ThreadReference.Frames", thread=thread, start_frame=0, length=count + 1)


@conversation(TYPES)
def suspended_twice(talk: Talk) -> None:
    """Counts go up and down, and not below what the VM has."""
    find = Finds(talk)
    for name in ("main", "sleeper"):
        thread = find.named_thread(name)
        for command in ("Suspend", "SuspendCount", "Status", "Resume", "SuspendCount", "Status"):
            talk.ask(f"ThreadReference.{command}", thread=thread)


@conversation(TYPES)
def running(talk: Talk) -> None:
    """One thread that runs while all others stand: what needs a suspended one."""
    find = Finds(talk)
    thread = find.named_thread("sleeper")
    talk.ask("ThreadReference.Resume", thread=thread)
    _described(talk, thread)
    talk.ask("ThreadReference.Resume", thread=thread)
    frame = find.frame()["frame_id"]
    talk.ask("StackFrame.ThisObject", thread=thread, frame=frame)
    value = {"tag": ord("V"), "value": None}
    talk.ask("ThreadReference.ForceEarlyReturn", thread=thread, value=value)
    talk.ask("StackFrame.PopFrames", thread=thread, frame=frame)
    talk.ask("ThreadReference.Suspend", thread=thread)
    talk.ask("ThreadReference.SuspendCount", thread=thread)


# --- groups, loaders, modules ---------------------------------------------------------------------


@conversations_over({name: name for name in ("group", "child")}, TYPES)
def groups(talk: Talk, name: str) -> None:
    group = Finds(talk).object(name)
    for command in ("Name", "Parent", "Children"):
        talk.ask(f"ThreadGroupReference.{command}", group=group)


@conversation(TYPES)
def groups_from_the_top(talk: Talk) -> None:
    """Down from the groups without parent."""
    groups = talk.ask("VirtualMachine.TopLevelThreadGroups")["groups"]
    while groups:
        group = groups.pop()
        for command in ("Name", "Parent"):
            talk.ask(f"ThreadGroupReference.{command}", group=group)
        groups += talk.ask("ThreadGroupReference.Children", group=group)["groups"]


@conversation(TYPES)
def visible_classes(talk: Talk) -> None:
    """All of a loader that nobody else uses; of the others, the program's own."""
    find = Finds(talk)
    talk.ask("ClassLoaderReference.VisibleClasses", class_loader=find.object("definer"))
    listed = talk.vm.ask("VirtualMachine.AllClasses")["classes"]
    own = {one["type_id"] for one in listed if one["signature"].startswith("Ltypes/")}

    def only_own(reply: Message) -> Message:
        return {"classes": [one for one in reply["classes"] if one["type_id"] in own]}

    for loader in (find.object("loader"), find.object("platform"), 0):
        talk.ask("ClassLoaderReference.VisibleClasses", only=only_own, class_loader=loader)


@conversations_over({name: name for name in ("named", "unnamed")}, TYPES)
def modules(talk: Talk, name: str) -> None:
    module = Finds(talk).object(name)
    talk.ask("ModuleReference.Name", module=module)
    talk.ask("ModuleReference.ClassLoader", module=module)


@conversation(TYPES)
def every_module(talk: Talk) -> None:
    """Name and loader of each."""
    listed = talk.vm.ask("VirtualMachine.AllModules")["modules"]
    named = {talk.vm.ask("ModuleReference.Name", module=one)["name"]: one for one in listed}
    for name in sorted(named):
        talk.ask("ModuleReference.Name", module=named[name])
        talk.ask("ModuleReference.ClassLoader", module=named[name])


@conversation(TYPES)
def class_objects(talk: Talk) -> None:
    """From types to class objects and back."""
    find = Finds(talk)
    for signature in ("", "Ltypes/Types$Shape;", "[[I", "Ljava/lang/Object;"):
        made = talk.ask("ReferenceType.ClassObject", type_id=find.type(signature))
        found = talk.ask("ClassObjectReference.ReflectedType", class_object=made["class_object"])
        talk.ask("ObjectReference.ReferenceType", object=found["type_id"])
