# SPDX-License-Identifier: Apache-2.0
"""Threads, thread groups and stacks: what can be asked of them, alive, native, dead or running."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.target import UNKNOWN_ID

if TYPE_CHECKING:
    from tests.conformance.jdwp.target import Target

ZOMBIE, RUNNING, SLEEPING, MONITOR, WAIT = range(5)
SUSPENDED = 1


def test_all_threads(target: Target) -> None:
    threads = target.vm.ask("VirtualMachine.AllThreads")["threads"]
    names = [target.vm.ask("ThreadReference.Name", thread=thread)["name"] for thread in threads]
    assert {"main", "contender", "listener", "sleeper", "Finalizer"} <= set(names)
    assert not {"dead", "unstarted"} & set(names)
    assert not [name for name in names if "jdwp" in name.lower() or "jvmdebug" in name.lower()]
    assert target.thread in threads


def test_names_of_threads_that_do_not_run(target: Target) -> None:
    for name in ("dead", "unstarted"):
        thread = target.object(name)
        assert target.vm.ask("ThreadReference.Name", thread=thread)["name"] == name


@pytest.mark.parametrize(
    ("name", "status"),
    [("main", RUNNING), ("contender", MONITOR), ("listener", WAIT), ("sleeper", SLEEPING)],
)
def test_status(target: Target, name: str, status: int) -> None:
    reply = target.vm.ask("ThreadReference.Status", thread=target.named_thread(name))
    assert reply == {"thread_status": status, "suspend_status": SUSPENDED}


def test_status_of_a_dead_thread(target: Target) -> None:
    reply = target.vm.ask("ThreadReference.Status", thread=target.object("dead"))
    assert reply == {"thread_status": ZOMBIE, "suspend_status": 0}


def test_status_of_an_unstarted_thread(target: Target) -> None:
    code, payload = target.vm.ask_raw(11, 4, target.object("unstarted").to_bytes(8, "big"))
    assert code == 0
    assert payload == b"\xff\xff\xff\xff" + b"\0" * 4


def test_thread_group(target: Target) -> None:
    group = target.vm.ask("ThreadReference.ThreadGroup", thread=target.thread)["group"]
    assert group == target.object("group")
    assert target.vm.ask("ThreadReference.ThreadGroup", thread=target.object("dead"))["group"] == 0
    assert target.vm.ask("ThreadGroupReference.Name", group=group)["name"] == "main"
    system = target.vm.ask("ThreadGroupReference.Parent", group=group)["parent"]
    assert target.vm.ask("ThreadGroupReference.Name", group=system)["name"] == "system"
    assert target.vm.ask("ThreadGroupReference.Parent", group=system)["parent"] == 0


def test_thread_group_children(target: Target) -> None:
    group = target.object("group")
    children = target.vm.ask("ThreadGroupReference.Children", group=group)
    wanted = {target.named_thread(name) for name in ("main", "contender", "listener", "sleeper")}
    assert wanted <= set(children["threads"])
    system = target.vm.ask("ThreadGroupReference.Parent", group=group)["parent"]
    top = target.vm.ask("ThreadGroupReference.Children", group=system)
    assert group in top["groups"]
    names = [
        target.vm.ask("ThreadReference.Name", thread=thread)["name"] for thread in top["threads"]
    ]
    assert not [name for name in names if "jdwp" in name.lower() or "jvmdebug" in name.lower()]


def test_thread_groups_that_are_none(target: Target) -> None:
    for command in ("Name", "Parent", "Children"):
        name = f"ThreadGroupReference.{command}"
        assert target.vm.refusal(name, group=UNKNOWN_ID) == "INVALID_OBJECT"
        assert target.vm.refusal(name, group=target.thread) == "INVALID_THREAD_GROUP"


def test_a_null_thread_group(our_target: Target) -> None:
    for command in ("Name", "Parent", "Children"):
        refusal = our_target.vm.refusal(f"ThreadGroupReference.{command}", group=0)
        assert refusal == "INVALID_THREAD_GROUP"


# --- stacks -------------------------------------------------------------------------------------


def test_frames(target: Target) -> None:
    frames = target.frames()
    assert target.vm.ask("ThreadReference.FrameCount", thread=target.thread)["frame_count"] == len(
        frames
    )
    assert frames[0]["location"] == target.stop_location()
    assert len({frame["frame_id"] for frame in frames}) == len(frames)
    main, target_type = target.frames()[-1]["location"], target.type("Ltarget/Target;")
    assert main["method_id"] == target.method(target_type, "main")
    assert [frame["frame_id"] for frame in target.frames()] == [
        frame["frame_id"] for frame in frames
    ]


def test_a_part_of_the_frames(target: Target) -> None:
    everything = target.frames()

    def part(start: int, length: int) -> object:
        request = {"thread": target.thread, "start_frame": start, "length": length}
        return target.vm.ask("ThreadReference.Frames", **request)["frames"]

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
def test_frames_outside_the_stack(target: Target, start: int, length: int, refusal: str) -> None:
    request = {"thread": target.thread, "start_frame": start, "length": length}
    assert target.vm.refusal("ThreadReference.Frames", **request) == refusal


def test_frames_with_overflowing_numbers(our_target: Target) -> None:
    for start, length in ((1, 2**31 - 1), (2**31 - 1, 2**31 - 1), (-(2**31), -1)):
        request = {"thread": our_target.thread, "start_frame": start, "length": length}
        refusal = our_target.vm.refusal("ThreadReference.Frames", **request)
        assert refusal in {"INVALID_INDEX", "INVALID_LENGTH"}


def test_a_native_frame(target: Target) -> None:
    top = target.frames(target.named_thread("sleeper"))[0]["location"]
    assert top["index"] == -1
    table = {"type_id": top["type_id"], "method_id": top["method_id"]}
    assert target.vm.refusal("Method.LineTable", **table) == "NATIVE_METHOD"


def test_owned_monitors(target: Target) -> None:
    lock = {"tag": ord("L"), "id": target.object("lock")}
    owned = target.vm.ask("ThreadReference.OwnedMonitors", thread=target.thread)["owned"]
    assert owned == [lock]
    depths = target.vm.ask("ThreadReference.OwnedMonitorsStackDepthInfo", thread=target.thread)[
        "owned"
    ]
    assert depths == [{"monitor": lock, "stack_depth": len(target.frames()) - 1}]
    sleeper = target.named_thread("sleeper")
    assert target.vm.ask("ThreadReference.OwnedMonitors", thread=sleeper)["owned"] == []


def test_current_contended_monitor(target: Target) -> None:
    def contended(name: str) -> object:
        thread = target.named_thread(name)
        return target.vm.ask("ThreadReference.CurrentContendedMonitor", thread=thread)["monitor"]

    assert contended("contender") == {"tag": ord("L"), "id": target.object("lock")}
    assert contended("sleeper") == {"tag": ord("L"), "id": 0}


def test_is_virtual(target: Target) -> None:
    if target.jdk.version < 21 and target.agent == "stock":
        pytest.skip("the agent of that JDK does not know the command")
    assert not target.vm.ask("ThreadReference.IsVirtual", thread=target.thread)["is_virtual"]


NAMES = ["Name", "Status", "ThreadGroup"]
STACKS = ["FrameCount", "OwnedMonitors", "CurrentContendedMonitor", "OwnedMonitorsStackDepthInfo"]


@pytest.mark.parametrize("command", NAMES + STACKS)
def test_threads_that_are_none(target: Target, command: str) -> None:
    name = f"ThreadReference.{command}"
    assert target.vm.refusal(name, thread=UNKNOWN_ID) == "INVALID_OBJECT"
    assert target.vm.refusal(name, thread=target.object("dog")) == "INVALID_THREAD"
    assert target.vm.refusal(name, thread=target.type("Ltarget/Target;")) == "INVALID_THREAD"


@pytest.mark.parametrize("command", [*NAMES, *STACKS, "IsVirtual"])
def test_a_null_thread(our_target: Target, command: str) -> None:
    assert our_target.vm.refusal(f"ThreadReference.{command}", thread=0) == "INVALID_THREAD"


@pytest.mark.parametrize("command", STACKS)
@pytest.mark.parametrize("name", ["dead", "unstarted"])
def test_a_thread_without_a_stack(target: Target, command: str, name: str) -> None:
    refusal = target.vm.refusal(f"ThreadReference.{command}", thread=target.object(name))
    assert refusal == "THREAD_NOT_SUSPENDED"


def test_a_running_thread(fresh_target: Target) -> None:
    target = fresh_target
    sleeper = target.named_thread("sleeper")
    target.vm.ask("ThreadReference.Resume", thread=sleeper)
    status = target.vm.ask("ThreadReference.Status", thread=sleeper)
    assert status == {"thread_status": SLEEPING, "suspend_status": 0}
    for command in STACKS:
        refusal = target.vm.refusal(f"ThreadReference.{command}", thread=sleeper)
        assert refusal == "THREAD_NOT_SUSPENDED"
    request = {"thread": sleeper, "start_frame": 0, "length": -1}
    assert target.vm.refusal("ThreadReference.Frames", **request) == "THREAD_NOT_SUSPENDED"
