# SPDX-License-Identifier: Apache-2.0
"""The asyncio shell: many requests in flight, timeouts, cancellation, the end."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

import pytest

from jvmdebug.errors import (
    ConnectionLost,
    InvalidThreadError,
    ProgramEnded,
    RequestTimeout,
    WireError,
)
from jvmdebug.jdwp import transport
from jvmdebug.jdwp.generated import thread_reference, virtual_machine
from jvmdebug.jdwp.ids import ObjectId, ThreadId
from jvmdebug.jdwp.trace import Trace
from tests.support.fake_vm import EVENT_THREAD, FakeVm, Refusal, location

if TYPE_CHECKING:
    from jvmdebug.jdwp.connection import Connection
    from jvmdebug.jdwp.generated.event import Composite


def name_of(thread: int) -> thread_reference.Name:
    return thread_reference.Name(ThreadId(ObjectId(thread)))


def breakpoint_at(index: int) -> dict[str, object]:
    return {"kind": 2, "request_id": 1, "thread": 1, "location": location(10, 100, index)}


async def test_many_requests_in_flight_get_their_own_replies(
    fake_vm: FakeVm, connection: Connection
) -> None:
    fake_vm.on("ThreadReference.Name", lambda request: {"name": f"thread {request['thread']}"})
    fake_vm.hold("ThreadReference.Name")
    asked = [asyncio.create_task(connection.request(name_of(each))) for each in range(1, 51)]
    await fake_vm.wait_for("ThreadReference.Name", 50)
    assert connection.in_flight == 50
    fake_vm.release("ThreadReference.Name")
    replies = await asyncio.gather(*asked)
    assert [reply.name for reply in replies] == [f"thread {each}" for each in range(1, 51)]
    assert connection.in_flight == 0


async def test_counts_round_trips_and_bytes(connection: Connection) -> None:
    before = connection.round_trips, connection.bytes_sent, connection.bytes_received
    await connection.request(virtual_machine.Suspend())
    assert connection.round_trips == before[0] + 1
    assert connection.bytes_sent == before[1] + 11
    assert connection.bytes_received == before[2] + 11


async def test_an_error_code_raises_its_class(fake_vm: FakeVm, connection: Connection) -> None:
    fake_vm.on("ThreadReference.Name", Refusal(10))
    with pytest.raises(InvalidThreadError, match=r"ThreadReference\.Name\(thread=3\)"):
        await connection.request(name_of(3))


async def test_a_timeout_names_the_request_and_the_late_reply_is_dropped(
    fake_vm: FakeVm, connection: Connection
) -> None:
    fake_vm.on("ThreadReference.Name", {"name": "main"})
    fake_vm.hold("ThreadReference.Name")
    with pytest.raises(RequestTimeout, match=r"ThreadReference\.Name\(thread=3\).*0\.01 s"):
        await connection.request(name_of(3), timeout_s=0.01)
    fake_vm.release("ThreadReference.Name")
    assert (await connection.request(name_of(4))).name == "main"
    assert connection.late_replies == 1


async def test_the_default_timeout_is_the_connections(fake_vm: FakeVm) -> None:
    connection = await transport.connect(
        fake_vm.host, fake_vm.port, timeout_s=5, request_timeout_s=0.3
    )
    fake_vm.hold("ThreadReference.Name")
    with pytest.raises(RequestTimeout):
        await connection.request(name_of(3))
    # Nothing at all came: the peer is given up a little later.
    lost = await connection.wait_closed()
    assert str(lost).startswith(f"the debuggee at {connection.peer} has not answered for 0.")
    await connection.close()


async def test_a_cancelled_request_leaves_the_connection_usable(
    fake_vm: FakeVm, connection: Connection
) -> None:
    fake_vm.on("ThreadReference.Name", {"name": "main"})
    fake_vm.hold("ThreadReference.Name")
    asked = asyncio.create_task(connection.request(name_of(3)))
    await fake_vm.wait_for("ThreadReference.Name")
    asked.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asked
    assert connection.in_flight == 0
    fake_vm.release("ThreadReference.Name")
    assert (await connection.request(name_of(4))).name == "main"


async def test_a_lost_connection_fails_all_that_wait_and_says_what(
    fake_vm: FakeVm, connection: Connection
) -> None:
    fake_vm.hold("ThreadReference.Name")
    fake_vm.hold("VirtualMachine.Resume")
    asked = [
        asyncio.create_task(connection.request(name_of(3))),
        asyncio.create_task(connection.request(virtual_machine.Resume())),
    ]
    await fake_vm.wait_until(lambda: len(fake_vm.received) >= 3)
    await fake_vm.drop()
    results = await asyncio.gather(*asked, return_exceptions=True)
    assert all(isinstance(each, ConnectionLost) for each in results)
    assert "ThreadReference.Name(thread=3)" in str(results[0])
    assert "VirtualMachine.Resume" in str(results[1])
    assert f"127.0.0.1:{fake_vm.port}" in str(results[0])
    assert isinstance(await connection.wait_closed(), ConnectionLost)
    with pytest.raises(ConnectionLost, match=r"ThreadReference\.Name"):
        await connection.request(name_of(3))


async def test_the_end_of_the_process_explains_that_of_its_connection(
    fake_vm: FakeVm, connection: Connection
) -> None:
    """What the VM has said last may be lost to a reset."""
    process = await asyncio.create_subprocess_exec("sleep", "60")
    connection.process = process.pid
    fake_vm.hold("ThreadReference.Name")
    asked = asyncio.create_task(connection.request(name_of(1)))
    await fake_vm.wait_for("ThreadReference.Name", 1)
    await fake_vm.drop()
    process.kill()
    with pytest.raises(ProgramEnded, match=r"^the program has ended, before it answered"):
        await asked
    assert isinstance(await connection.wait_closed(), ProgramEnded)
    await process.wait()


async def test_closing_fails_what_waits_and_may_be_repeated(
    fake_vm: FakeVm, connection: Connection
) -> None:
    fake_vm.hold("ThreadReference.Name")
    asked = asyncio.create_task(connection.request(name_of(3)))
    await fake_vm.wait_for("ThreadReference.Name")
    await connection.close()
    await connection.close()
    with pytest.raises(ConnectionLost):
        await asked
    assert await connection.wait_closed() is None
    assert not connection.is_open


async def test_garbage_ends_the_connection_with_its_reason(
    fake_vm: FakeVm, connection: Connection
) -> None:
    fake_vm.hold("ThreadReference.Name")
    asked = asyncio.create_task(connection.request(name_of(3)))
    await fake_vm.wait_for("ThreadReference.Name")
    await fake_vm.send_bytes(b"\0\0\0\1 this is not a packet")
    with pytest.raises(ConnectionLost, match="not a JDWP packet"):
        await asked
    assert isinstance(await connection.wait_closed(), WireError)


async def test_events_that_come_before_the_sink_are_kept_in_order(fake_vm: FakeVm) -> None:
    fake_vm.early = [fake_vm.event_packet(EVENT_THREAD, breakpoint_at(index)) for index in (1, 2)]
    connection = await transport.connect(fake_vm.host, fake_vm.port, timeout_s=5)
    seen: list[Composite] = []
    connection.set_event_sink(seen.append)
    await fake_vm.send_events(EVENT_THREAD, breakpoint_at(3))
    await connection.request(virtual_machine.Suspend())
    indexes = [getattr(each.events[0], "location").index for each in seen]  # noqa: B009
    assert indexes == [1, 2, 3]
    assert connection.events_received == 3
    await connection.close()


async def test_what_was_asked_ahead_has_a_deadline(fake_vm: FakeVm) -> None:
    fake_vm.hold("VirtualMachine.Version")
    connection = await transport.connect(
        fake_vm.host, fake_vm.port, timeout_s=5, request_timeout_s=0.3
    )
    with pytest.raises(RequestTimeout, match="Version"):
        await connection.request(virtual_machine.Version())
    fake_vm.release("VirtualMachine.Version")
    await connection.close()


async def test_a_trace_shows_commands_replies_and_events(fake_vm: FakeVm) -> None:
    lines: list[str] = []
    connection = await transport.connect(
        fake_vm.host, fake_vm.port, timeout_s=5, trace=Trace(lines.append)
    )
    fake_vm.on("ThreadReference.Name", Refusal(10))
    with pytest.raises(InvalidThreadError):
        await connection.request(name_of(3))
    await fake_vm.send_events(EVENT_THREAD, breakpoint_at(1))
    await connection.request(virtual_machine.Suspend())
    await connection.close()
    text = "\n".join(lines)
    assert "→ 4 ThreadReference.Name(thread=3)" in text
    assert "← 4 error: ThreadReference.Name(thread=3) failed with INVALID_THREAD" in text
    assert "← event set, EVENT_THREAD: BreakpointEvent(request_id=1, thread=1" in text
    assert lines[-1].endswith("connection closed")
