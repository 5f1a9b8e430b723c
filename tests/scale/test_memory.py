# SPDX-License-Identifier: Apache-2.0
"""Ids do not keep objects alive, and the memory of ids and threads is released."""

from __future__ import annotations

import struct
import time
from typing import TYPE_CHECKING, Final

import pytest

from tests.scale import vm as orders

if TYPE_CHECKING:
    from tests.scale.conftest import StartScale
    from tests.scale.vm import ScaleVm
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_PIECE: Final = 50_000
_FIXED_HEAP: Final = ("-Xms300m", "-Xmx300m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC")
"""So that what the process grows by is not the heap."""
_THREAD_START: Final = 6  # EventKind
_BREAKPOINT: Final = 2
_CONTENDED: Final = 43
_INVOKE_SINGLE_THREADED: Final = 1


def _ids(vm: ScaleVm, size: int) -> list[bytes]:
    """The ids of all objects that the program holds."""
    held = struct.pack(">q", vm.get("held"))
    pieces = [
        held + struct.pack(">ii", start, min(_PIECE, size - start))
        for start in range(0, size, _PIECE)
    ]
    found: list[bytes] = []
    for code, reply in vm.wire.all("ArrayReference.GetValues", pieces):
        assert code == 0
        found += [reply[start + 1 : start + 9] for start in range(5, len(reply), 9)]
    return found


def _dispose(vm: ScaleVm, ids: list[bytes]) -> None:
    body = struct.pack(">i", len(ids)) + b"".join(each + struct.pack(">i", 1) for each in ids)
    assert vm.wire.all("VirtualMachine.DisposeObjects", [body]) == [(0, b"")]


def _codes(vm: ScaleVm, ids: list[bytes]) -> set[int]:
    return {code for code, _ in vm.wire.all("ObjectReference.ReferenceType", ids)}


def test_objects_that_were_shown_are_collected(start_scale: StartScale) -> None:
    vm = start_scale()
    vm.order(orders.OBJECTS, 1000)
    ids = _ids(vm, 1000)
    assert _codes(vm, ids) == {0}
    assert vm.order(orders.DROP_OBJECTS) == 0, "an id kept its object alive"
    assert _codes(vm, ids) == {20}, "INVALID_OBJECT"


def test_disable_collection_pins_and_enable_lets_go(start_scale: StartScale) -> None:
    vm = start_scale()
    vm.order(orders.OBJECTS, 10)
    ids = _ids(vm, 10)
    assert vm.wire.all("ObjectReference.DisableCollection", ids[:2]) == [(0, b"")] * 2
    assert vm.order(orders.DROP_OBJECTS) == 2
    assert _codes(vm, ids[:2]) == {0}
    assert vm.wire.all("ObjectReference.EnableCollection", ids[:1]) == [(0, b"")]
    assert vm.order(orders.DROP_OBJECTS) == 1
    assert _codes(vm, ids[1:2]) == {0}


def test_disposed_ids_are_unknown_and_their_objects_collected(
    start_scale: StartScale, agent_kind: AgentKind
) -> None:
    vm = start_scale()
    vm.order(orders.OBJECTS, 100)
    ids = _ids(vm, 100)
    assert vm.wire.all("ObjectReference.DisableCollection", ids[:1]) == [(0, b"")]
    _dispose(vm, ids)
    assert _codes(vm, ids) == {20}
    if agent_kind == "jvmdebug":  # libjdwp keeps what was pinned for as long as the VM lives
        assert vm.order(orders.DROP_OBJECTS) == 0


def test_the_end_of_the_connection_releases_everything(start_scale: StartScale) -> None:
    vm = start_scale()
    vm.order(orders.OBJECTS, 100)
    ids = _ids(vm, 100)
    assert vm.wire.all("ObjectReference.DisableCollection", ids) == [(0, b"")] * 100
    vm.wire.abort()
    vm.reconnect()
    assert _codes(vm, ids) == {20}, "ids of the connection before"
    assert vm.order(orders.DROP_OBJECTS) == 0


def test_objects_shown_at_a_stop_are_kept_until_it_is_resumed(
    start_scale: StartScale, jdk: Jdk, agent_kind: AgentKind
) -> None:
    if agent_kind == "stock" and jdk.version < 17:
        pytest.skip("the agent of JDK 11 does not hold ids in a stop")
    vm = start_scale()
    wire = vm.wire
    location = {"tag": 1, "type_id": vm.type_id, "method_id": vm.method("visit"), "index": 0}
    wire.ask(
        "EventRequest.Set",
        event_kind=_BREAKPOINT,
        suspend_policy=2,
        modifiers=[{"kind": 7, "location": location}],
    )
    vm.begin(orders.VISIT, 1)
    thread = wire.wait_event(_BREAKPOINT)["events"][0]["thread"]
    text = wire.ask("VirtualMachine.CreateString", text="made in a stop")["string"]
    system = wire.ask("VirtualMachine.ClassesBySignature", signature="Ljava/lang/System;")
    system_id = system["classes"][0]["type_id"]
    methods = wire.ask("ReferenceType.Methods", type_id=system_id)["methods"]
    collect = next(each["method_id"] for each in methods if each["name"] == "gc")
    payload = struct.pack(">qqqii", system_id, thread, collect, 0, _INVOKE_SINGLE_THREADED)
    ((code, _),) = wire.all("ClassType.InvokeMethod", [payload])
    assert code == 0
    assert wire.ask("StringReference.Value", string=text)["text"] == "made in a stop"
    wire.ask("VirtualMachine.Resume")
    vm.finish()
    vm.order(orders.DROP_OBJECTS)
    assert wire.all("StringReference.Value", [struct.pack(">q", text)])[0][0] == 20


@pytest.mark.parametrize(
    "count", [20_000, pytest.param(1_000_000, marks=[pytest.mark.slow, pytest.mark.timeout(300)])]
)
def test_dead_ids_give_their_memory_back(start_ours: StartScale, count: int) -> None:
    """The agent reuses it for other ids: the VM keeps its own table of tags at the largest size."""
    vm = start_ours(vm_args=_FIXED_HEAP)

    def round_of_ids() -> int:
        vm.order(orders.OBJECTS, count)
        assert len(set(_ids(vm, count))) == count
        assert vm.order(orders.DROP_OBJECTS) == 0
        return vm.resident_kib()

    sizes = [round_of_ids() for _ in range(6)]
    kept_per_id = (sizes[5] - sizes[1]) * 1024 / (4 * count)
    assert kept_per_id < 60, f"{kept_per_id:.0f} bytes per dead id were kept"


@pytest.mark.parametrize("policy", [0, 1], ids=["none", "event thread"])
def test_ended_threads_are_forgotten(start_scale: StartScale, policy: int) -> None:
    vm = start_scale()
    vm.wire.ask("EventRequest.Set", event_kind=_THREAD_START, suspend_policy=policy, modifiers=[])
    vm.begin(orders.SHORT_THREADS, 50)
    _resume_each(vm, _THREAD_START, "short", 50 if policy else 0)
    vm.finish()
    _wait_until_forgotten(vm, 0)


@pytest.mark.parametrize("policy", [0, 1], ids=["none", "event thread"])
def test_threads_with_an_event_after_their_last_are_forgotten(
    start_ours: StartScale, policy: int
) -> None:
    """The VM posts a contended monitor of a thread after the ThreadEnd of that thread."""
    vm = start_ours()
    vm.wire.ask("EventRequest.Set", event_kind=_CONTENDED, suspend_policy=policy, modifiers=[])
    vm.begin(orders.LINGERING_THREADS, 50)
    _resume_each(vm, _CONTENDED, "lingers", 50 if policy else 0)
    vm.finish()
    _wait_until_forgotten(vm, 1)  # one more such thread, and it goes


def test_threads_that_are_named_when_they_have_ended_are_forgotten(start_ours: StartScale) -> None:
    vm = start_ours()
    vm.wire.ask("EventRequest.Set", event_kind=_THREAD_START, suspend_policy=0, modifiers=[])
    count = 300
    vm.order(orders.SHORT_THREADS, count)
    threads = [
        struct.pack(">q", vm.wire.wait_event(_THREAD_START)["events"][0]["thread"])
        for _ in range(count)
    ]
    for name in ("ThreadReference.Suspend", "ThreadReference.Resume"):
        vm.wire.all(name, threads)
    _wait_until_forgotten(vm, 0)


def _wait_until_forgotten(vm: ScaleVm, at_most: int) -> None:
    """A record holds its thread's object, and the last event may be under way yet."""
    deadline = time.monotonic() + 10
    while (kept := vm.order(orders.DROP_OBJECTS)) > at_most:
        assert time.monotonic() < deadline, f"records of {kept} threads that have ended"


def _resume_each(vm: ScaleVm, kind: int, name: str, count: int) -> None:
    """The program's own threads are counted: the VM may start one of its own meanwhile."""
    while count:
        (event,) = vm.wire.wait_event(kind)["events"]
        thread = event["thread"]
        count -= vm.wire.ask("ThreadReference.Name", thread=thread)["name"] == name
        assert vm.wire.all("ThreadReference.Resume", [struct.pack(">q", thread)]) == [(0, b"")]
