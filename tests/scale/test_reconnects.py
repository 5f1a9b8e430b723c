# SPDX-License-Identifier: Apache-2.0
"""Debuggers connect and disconnect: no memory, descriptor or thread of theirs is left.

A session does what leaves things behind: event requests, ids, pinned objects, a thread stopped in
a breakpoint, a step and an invocation under way, all threads suspended. It ends properly, by
hanging up, or by a reset, in turn. The program goes on each time.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Final

import pytest

from tests.scale import vm as orders

if TYPE_CHECKING:
    from tests.scale.conftest import StartScale
    from tests.scale.vm import ScaleVm

_FIXED_HEAP: Final = ("-Xms128m", "-Xmx128m", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC")
_BREAKPOINT: Final = 2
_STEP: Final = 1
_KEPT_BYTES: Final = {100: 30_000, 1000: 3_000}
"""Per session at most, by how many there are: in a short run most of it is the VM's own, compiled
code and tables that grow by doubling. The ids of one session alone would be 100,000."""


def _rich_session(vm: ScaleVm, number: int) -> None:
    """Everything that a debugger can leave behind."""
    wire = vm.wire
    held = struct.pack(">qii", vm.get("held"), 0, -1)
    ((code, reply),) = wire.all("ArrayReference.GetValues", [held])
    assert code == 0
    ids = [reply[start + 1 : start + 9] for start in range(5, len(reply), 9)]
    wire.all("ObjectReference.DisableCollection", ids[:100])
    wire.ask("VirtualMachine.AllClassesWithGeneric")
    prepared = [{"kind": 5, "pattern": "nowhere.*"}]
    wire.ask("EventRequest.Set", event_kind=8, suspend_policy=2, modifiers=prepared)
    visit = {"tag": 1, "type_id": vm.type_id, "method_id": vm.method("visit"), "index": 0}
    wire.ask(
        "EventRequest.Set",
        event_kind=_BREAKPOINT,
        suspend_policy=2,
        modifiers=[{"kind": 7, "location": visit}],
    )
    vm.begin(orders.VISIT, 10)
    thread = wire.wait_event(_BREAKPOINT)["events"][0]["thread"]
    for each in wire.ask("VirtualMachine.AllThreads")["threads"]:
        wire.all("ThreadReference.Frames", [struct.pack(">qii", each, 0, -1)])
    over = [{"kind": 10, "thread": thread, "size": 1, "depth": 1}]
    if number % 2:
        wire.ask("EventRequest.Set", event_kind=_STEP, suspend_policy=1, modifiers=over)
        wire.ask("VirtualMachine.Resume")
        wire.wait_event(_STEP)
        wire.ask("VirtualMachine.Suspend")
        wire.ask("VirtualMachine.Suspend")
    else:
        wire.ask("EventRequest.Set", event_kind=_STEP, suspend_policy=2, modifiers=over)
        twice = vm.method("twice")
        number_7 = b"I" + struct.pack(">i", 7)
        call = struct.pack(">qqqi", vm.type_id, thread, twice, 1) + number_7 + struct.pack(">i", 1)
        wire.send("ClassType.InvokeMethod", call)  # the result is not awaited


def _leave(vm: ScaleVm, number: int) -> None:
    """Leaves by the three ways there are."""
    if number % 3 == 0:
        vm.wire.send("VirtualMachine.Dispose")
        vm.wire.hang_up()
    elif number % 3 == 1:
        vm.wire.hang_up()
    else:
        vm.wire.abort()


@pytest.mark.agent
@pytest.mark.timeout(120)
@pytest.mark.parametrize(
    "sessions", [100, pytest.param(1000, marks=[pytest.mark.slow, pytest.mark.timeout(900)])]
)
def test_nothing_is_left_of_a_disconnected_debugger(start_ours: StartScale, sessions: int) -> None:
    vm = start_ours(vm_args=_FIXED_HEAP)
    vm.order(orders.OBJECTS, 1000)
    vm.order(orders.THREADS, 10)

    def some(count: int) -> tuple[int, int, int]:
        for number in range(count):
            _rich_session(vm, number)
            _leave(vm, number)
            vm.reconnect()
            vm.finish()  # the program went on
        return vm.resident_kib(), vm.descriptors(), vm.native_threads()

    some(sessions // 2)  # tables of the VM take their size
    memory, descriptors, threads = some(sessions // 10)
    last_memory, last_descriptors, last_threads = some(sessions // 2)
    assert last_descriptors <= descriptors
    assert last_threads <= threads
    kept = (last_memory - memory) * 1024 / (sessions // 2)
    assert kept < _KEPT_BYTES[sessions], f"{kept:.0f} bytes of each session were kept"
