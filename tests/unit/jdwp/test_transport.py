# SPDX-License-Identifier: Apache-2.0
"""Connecting and listening, and the messages of failures."""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING

import pytest

from jvmdebug.errors import ConnectionFailed, HandshakeFailed, WireError
from jvmdebug.jdwp import transport
from jvmdebug.jdwp.generated import virtual_machine
from jvmdebug.jdwp.peer import process_of, user_of
from tests.support.fake_vm import FakeVm
from tests.support.listening import free_port
from tests.support.wire_reading import Sizes

if TYPE_CHECKING:
    from pathlib import Path


async def test_refused_at_once_without_retry() -> None:
    port = free_port()
    with pytest.raises(ConnectionFailed, match=f"nothing listens at 127.0.0.1:{port}.*agentlib"):
        await transport.connect("127.0.0.1", port, retry=False)


async def test_refused_until_the_time_is_over() -> None:
    with pytest.raises(ConnectionFailed, match=r"tried for 0\.1 s"):
        await transport.connect("127.0.0.1", free_port(), timeout_s=0.1)


async def test_a_name_with_several_addresses_is_refused_as_clearly() -> None:
    with pytest.raises(ConnectionFailed, match="nothing listens at localhost"):
        await transport.connect("localhost", free_port(), retry=False)


async def test_an_unknown_host_is_named() -> None:
    with pytest.raises(ConnectionFailed, match=r"cannot connect to no-such-host\.invalid:1"):
        await transport.connect("no-such-host.invalid", 1, timeout_s=5)


async def test_connects_once_the_agent_listens() -> None:
    port = free_port()
    connecting = asyncio.create_task(transport.connect("127.0.0.1", port, timeout_s=5))
    fake = FakeVm()

    async def listening() -> asyncio.Server:
        return await asyncio.start_server(fake._serve, "127.0.0.1", port)

    server = await listening()
    connection = await connecting
    await connection.request(virtual_machine.Suspend())
    await connection.close()
    server.close()


async def test_a_peer_that_is_no_agent() -> None:
    async with FakeVm(handshake=b"220 mail.example ESMTP") as fake:
        with pytest.raises(HandshakeFailed, match=r"220 mail\.example"):
            await transport.connect(fake.host, fake.port, timeout_s=5)


async def test_a_peer_that_sends_nothing() -> None:
    async with FakeVm(handshake=b"") as fake:
        with pytest.raises(HandshakeFailed, match="another debugger may be connected"):
            await transport.connect(fake.host, fake.port, timeout_s=0.2)


async def test_an_agent_that_hangs_after_the_handshake() -> None:
    async with FakeVm() as fake:
        fake.hold("VirtualMachine.IDSizes")
        with pytest.raises(HandshakeFailed, match="not even the first command"):
            await transport.connect(fake.host, fake.port, timeout_s=0.2)


async def test_a_peer_that_hangs_up() -> None:
    async def hang_up(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.close()

    server = await asyncio.start_server(hang_up, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    with pytest.raises(HandshakeFailed, match="closed the connection before"):
        await transport.connect("127.0.0.1", port, timeout_s=5)
    server.close()


async def test_ids_of_four_bytes() -> None:
    sizes = Sizes(field=4, method=4, object=4, reference_type=4, frame=4)
    async with FakeVm(sizes=sizes) as fake:
        connection = await transport.connect(fake.host, fake.port, timeout_s=5)
        fake.on("VirtualMachine.AllThreads", {"threads": [1, 2**31]})
        assert (await connection.request(virtual_machine.AllThreads())).threads == (1, 2**31)
        await connection.close()


async def test_ids_of_a_size_that_no_agent_has() -> None:
    async with FakeVm() as fake:
        sizes = dict.fromkeys(
            ("field_id_size", "method_id_size", "object_id_size", "reference_type_id_size"), 8
        )
        fake.on("VirtualMachine.IDSizes", {**sizes, "frame_id_size": 3})
        with pytest.raises(WireError, match="ids that cannot be read"):
            await transport.connect(fake.host, fake.port, timeout_s=5)


async def test_an_agent_connects_to_a_listener() -> None:
    with transport.listen() as listener:
        accepting = asyncio.create_task(listener.accept(timeout_s=5))
        reader, writer = await asyncio.open_connection(listener.address.host, listener.address.port)
        fake = FakeVm()
        serving = asyncio.create_task(fake._serve(reader, writer))
        connection = await accepting
        await connection.request(virtual_machine.Suspend())
        await connection.close()
        await serving
    first = ["VirtualMachine.IDSizes", "VirtualMachine.Version", "VirtualMachine.CapabilitiesNew"]
    assert fake.names() == [*first, "VirtualMachine.Suspend"]


async def test_a_listener_without_a_connection_times_out() -> None:
    with transport.listen() as listener, pytest.raises(ConnectionFailed, match="server=n"):
        await listener.accept(timeout_s=0.05)


async def test_an_address_that_is_taken() -> None:
    with transport.listen() as first, pytest.raises(ConnectionFailed, match="cannot listen at"):
        transport.listen(port=first.address.port)


async def silent(listener: transport.Listener) -> asyncio.StreamWriter:
    """A peer that connects and says nothing."""
    _, writer = await asyncio.open_connection(listener.address.host, listener.address.port)
    return writer


async def served(listener: transport.Listener, fake: FakeVm) -> asyncio.Task[None]:
    """An agent that connects."""
    reader, writer = await asyncio.open_connection(listener.address.host, listener.address.port)
    return asyncio.create_task(fake._serve(reader, writer))


async def test_silent_and_wrong_peers_do_not_keep_an_agent_out() -> None:
    with transport.listen() as listener:
        peers = [await silent(listener) for _ in range(10)]
        peers[3].write(b"GET / HTTP/1.1\r\n\r\n")
        peers[4].close()
        serving = await served(listener, FakeVm())
        connection = await listener.accept(timeout_s=5)
        await connection.close()
        await serving
        for peer in peers:
            peer.close()


async def test_a_process_of_another_user_is_not_the_vm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jvmdebug.jdwp.accepting.user_of", lambda _: 12345)
    with transport.listen() as listener:
        serving = await served(listener, FakeVm())
        with pytest.raises(ConnectionFailed, match="belongs to another user, 12345"):
            await listener.accept(timeout_s=0.2, of_this_user=True)
        await serving


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
async def test_who_has_connected(host: str) -> None:
    with transport.listen(host) as listener:
        writer = await asyncio.open_connection(host, listener.address.port)
        accepted, _ = await listener.next_peer()
        with accepted:
            assert user_of(accepted) == os.geteuid()
            assert process_of(accepted) == os.getpid()
        writer[1].close()


async def test_who_has_connected_to_a_file(tmp_path: Path) -> None:
    address = f"unix:{tmp_path / 'socket'}"
    with transport.listen(address) as listener:
        _, writer = await asyncio.open_unix_connection(tmp_path / "socket")
        accepted, _ = await listener.next_peer()
        with accepted:
            assert (user_of(accepted), process_of(accepted)) == (os.geteuid(), os.getpid())
        writer.close()
