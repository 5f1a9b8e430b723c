# SPDX-License-Identifier: Apache-2.0
"""Threads, thread groups and stacks: what can be asked of them, alive, native, dead or running."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.zoo import UNKNOWN_ID

if TYPE_CHECKING:
    from tests.conformance.jdwp.zoo import Zoo

ZOMBIE, RUNNING, SLEEPING, MONITOR, WAIT = range(5)
SUSPENDED = 1


def test_all_threads(zoo: Zoo) -> None:
    threads = zoo.vm.ask("VirtualMachine.AllThreads")["threads"]
    names = [zoo.vm.ask("ThreadReference.Name", thread=thread)["name"] for thread in threads]
    assert {"main", "contender", "listener", "sleeper", "Finalizer"} <= set(names)
    assert not {"dead", "unstarted"} & set(names)
    assert not [name for name in names if "jdwp" in name.lower() or "jvmdebug" in name.lower()]
    assert zoo.thread in threads


def test_names_of_threads_that_do_not_run(zoo: Zoo) -> None:
    for name in ("dead", "unstarted"):
        thread = zoo.object(name)
        assert zoo.vm.ask("ThreadReference.Name", thread=thread)["name"] == name


@pytest.mark.parametrize(
    ("name", "status"),
    [("main", RUNNING), ("contender", MONITOR), ("listener", WAIT), ("sleeper", SLEEPING)],
)
def test_status(zoo: Zoo, name: str, status: int) -> None:
    reply = zoo.vm.ask("ThreadReference.Status", thread=zoo.named_thread(name))
    assert reply == {"thread_status": status, "suspend_status": SUSPENDED}


def test_status_of_a_dead_thread(zoo: Zoo) -> None:
    reply = zoo.vm.ask("ThreadReference.Status", thread=zoo.object("dead"))
    assert reply == {"thread_status": ZOMBIE, "suspend_status": 0}


def test_status_of_an_unstarted_thread(zoo: Zoo) -> None:
    code, payload = zoo.vm.ask_raw(11, 4, zoo.object("unstarted").to_bytes(8, "big"))
    assert code == 0
    assert payload == b"\xff\xff\xff\xff" + b"\0" * 4


def test_thread_group(zoo: Zoo) -> None:
    group = zoo.vm.ask("ThreadReference.ThreadGroup", thread=zoo.thread)["group"]
    assert group == zoo.object("group")
    assert zoo.vm.ask("ThreadReference.ThreadGroup", thread=zoo.object("dead"))["group"] == 0
    assert zoo.vm.ask("ThreadGroupReference.Name", group=group)["name"] == "main"
    system = zoo.vm.ask("ThreadGroupReference.Parent", group=group)["parent"]
    assert zoo.vm.ask("ThreadGroupReference.Name", group=system)["name"] == "system"
    assert zoo.vm.ask("ThreadGroupReference.Parent", group=system)["parent"] == 0


def test_thread_group_children(zoo: Zoo) -> None:
    group = zoo.object("group")
    children = zoo.vm.ask("ThreadGroupReference.Children", group=group)
    wanted = {zoo.named_thread(name) for name in ("main", "contender", "listener", "sleeper")}
    assert wanted <= set(children["threads"])
    system = zoo.vm.ask("ThreadGroupReference.Parent", group=group)["parent"]
    top = zoo.vm.ask("ThreadGroupReference.Children", group=system)
    assert group in top["groups"]
    names = [zoo.vm.ask("ThreadReference.Name", thread=thread)["name"] for thread in top["threads"]]
    assert not [name for name in names if "jdwp" in name.lower() or "jvmdebug" in name.lower()]


def test_thread_groups_that_are_none(zoo: Zoo) -> None:
    for command in ("Name", "Parent", "Children"):
        name = f"ThreadGroupReference.{command}"
        assert zoo.vm.refusal(name, group=UNKNOWN_ID) == "INVALID_OBJECT"
        assert zoo.vm.refusal(name, group=zoo.thread) == "INVALID_THREAD_GROUP"


def test_a_null_thread_group(our_zoo: Zoo) -> None:
    for command in ("Name", "Parent", "Children"):
        refusal = our_zoo.vm.refusal(f"ThreadGroupReference.{command}", group=0)
        assert refusal == "INVALID_THREAD_GROUP"


# --- stacks -------------------------------------------------------------------------------------


def test_frames(zoo: Zoo) -> None:
    frames = zoo.frames()
    assert zoo.vm.ask("ThreadReference.FrameCount", thread=zoo.thread)["frame_count"] == len(frames)
    assert frames[0]["location"] == zoo.stop_location()
    assert len({frame["frame_id"] for frame in frames}) == len(frames)
    main, zoo_type = zoo.frames()[-1]["location"], zoo.type("Lzoo/Zoo;")
    assert main["method_id"] == zoo.method(zoo_type, "main")
    assert [frame["frame_id"] for frame in zoo.frames()] == [frame["frame_id"] for frame in frames]


def test_a_part_of_the_frames(zoo: Zoo) -> None:
    everything = zoo.frames()

    def part(start: int, length: int) -> object:
        request = {"thread": zoo.thread, "start_frame": start, "length": length}
        return zoo.vm.ask("ThreadReference.Frames", **request)["frames"]

    assert part(1, 2) == everything[1:3]
    assert part(1, -1) == everything[1:]
    assert part(0, 0) == []
    assert part(99, 0) == []
    assert part(len(everything), -1) == []


@pytest.mark.parametrize(
    ("start", "length", "refusal"),
    [(-1, 1, "INVALID_INDEX"), (99, 1, "INVALID_INDEX"), (0, 99, "INVALID_LENGTH"),
     (0, -2, "INVALID_LENGTH")],
)  # fmt: skip
def test_frames_outside_the_stack(zoo: Zoo, start: int, length: int, refusal: str) -> None:
    request = {"thread": zoo.thread, "start_frame": start, "length": length}
    assert zoo.vm.refusal("ThreadReference.Frames", **request) == refusal


def test_frames_with_overflowing_numbers(our_zoo: Zoo) -> None:
    for start, length in ((1, 2**31 - 1), (2**31 - 1, 2**31 - 1), (-(2**31), -1)):
        request = {"thread": our_zoo.thread, "start_frame": start, "length": length}
        refusal = our_zoo.vm.refusal("ThreadReference.Frames", **request)
        assert refusal in {"INVALID_INDEX", "INVALID_LENGTH"}


def test_a_native_frame(zoo: Zoo) -> None:
    top = zoo.frames(zoo.named_thread("sleeper"))[0]["location"]
    assert top["index"] == -1
    table = {"type_id": top["type_id"], "method_id": top["method_id"]}
    assert zoo.vm.refusal("Method.LineTable", **table) == "NATIVE_METHOD"


def test_owned_monitors(zoo: Zoo) -> None:
    lock = {"tag": ord("L"), "id": zoo.object("lock")}
    owned = zoo.vm.ask("ThreadReference.OwnedMonitors", thread=zoo.thread)["owned"]
    assert owned == [lock]
    depths = zoo.vm.ask("ThreadReference.OwnedMonitorsStackDepthInfo", thread=zoo.thread)["owned"]
    assert depths == [{"monitor": lock, "stack_depth": len(zoo.frames()) - 1}]
    sleeper = zoo.named_thread("sleeper")
    assert zoo.vm.ask("ThreadReference.OwnedMonitors", thread=sleeper)["owned"] == []


def test_current_contended_monitor(zoo: Zoo) -> None:
    def contended(name: str) -> object:
        thread = zoo.named_thread(name)
        return zoo.vm.ask("ThreadReference.CurrentContendedMonitor", thread=thread)["monitor"]

    assert contended("contender") == {"tag": ord("L"), "id": zoo.object("lock")}
    assert contended("sleeper") == {"tag": ord("L"), "id": 0}


def test_is_virtual(zoo: Zoo) -> None:
    if zoo.jdk.version < 21 and zoo.agent == "stock":
        pytest.skip("the agent of that JDK does not know the command")
    assert not zoo.vm.ask("ThreadReference.IsVirtual", thread=zoo.thread)["is_virtual"]


NAMES = ["Name", "Status", "ThreadGroup"]
STACKS = ["FrameCount", "OwnedMonitors", "CurrentContendedMonitor", "OwnedMonitorsStackDepthInfo"]


@pytest.mark.parametrize("command", NAMES + STACKS)
def test_threads_that_are_none(zoo: Zoo, command: str) -> None:
    name = f"ThreadReference.{command}"
    assert zoo.vm.refusal(name, thread=UNKNOWN_ID) == "INVALID_OBJECT"
    assert zoo.vm.refusal(name, thread=zoo.object("dog")) == "INVALID_THREAD"
    assert zoo.vm.refusal(name, thread=zoo.type("Lzoo/Zoo;")) == "INVALID_THREAD"


@pytest.mark.parametrize("command", [*NAMES, *STACKS, "IsVirtual"])
def test_a_null_thread(our_zoo: Zoo, command: str) -> None:
    assert our_zoo.vm.refusal(f"ThreadReference.{command}", thread=0) == "INVALID_THREAD"


@pytest.mark.parametrize("command", STACKS)
@pytest.mark.parametrize("name", ["dead", "unstarted"])
def test_a_thread_without_a_stack(zoo: Zoo, command: str, name: str) -> None:
    refusal = zoo.vm.refusal(f"ThreadReference.{command}", thread=zoo.object(name))
    assert refusal == "THREAD_NOT_SUSPENDED"


def test_a_running_thread(fresh_zoo: Zoo) -> None:
    zoo = fresh_zoo
    sleeper = zoo.named_thread("sleeper")
    zoo.vm.ask("ThreadReference.Resume", thread=sleeper)
    status = zoo.vm.ask("ThreadReference.Status", thread=sleeper)
    assert status == {"thread_status": SLEEPING, "suspend_status": 0}
    for command in STACKS:
        refusal = zoo.vm.refusal(f"ThreadReference.{command}", thread=sleeper)
        assert refusal == "THREAD_NOT_SUSPENDED"
    request = {"thread": sleeper, "start_frame": 0, "length": -1}
    assert zoo.vm.refusal("ThreadReference.Frames", **request) == "THREAD_NOT_SUSPENDED"
