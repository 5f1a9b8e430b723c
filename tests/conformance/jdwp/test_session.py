# SPDX-License-Identifier: Apache-2.0
"""The life of connections: options, handshake, loss, dispose, exit."""

from __future__ import annotations

import contextlib
import shutil
import socket
import struct
import subprocess
import time
from typing import TYPE_CHECKING

import pytest

from tests.support import process
from tests.support.jdwp_client import ConnectionLostError, EventSetClient
from tests.support.jdwp_session import (
    BREAKPOINT,
    LISTENING,
    NONE,
    OPTIONS,
    SINGLE_THREADED,
    TIMEOUT_S,
    VM_START,
    count,
    launched,
    listening_port,
    session_of,
)

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

HANDSHAKE = b"JDWP-Handshake"


def ours(options: str) -> str:
    """The VM argument for our agent."""
    return process.agent_argument("jvmdebug", options)


def outcome(jdk: Jdk, options: str) -> tuple[int, str]:
    """Exit code and stderr of a VM that should not start."""
    with launched(jdk, ours(options), "none") as jvm:
        _, errors = jvm.communicate(timeout=TIMEOUT_S)
        return jvm.returncode, errors


def hangs_up(peer: socket.socket) -> bool:
    """Whether the agent closes the connection without a word."""
    try:
        return peer.recv(14) == b""
    except ConnectionResetError:  # it did not even read what was sent
        return True


# --- the options ----------------------------------------------------------------------------------


@pytest.mark.agent
@pytest.mark.parametrize(
    ("options", "words"),
    [
        ("transport=,server=y", ("option transport=", "dt_socket")),
        ("transport=dt_socket,server=maybe", ("server=maybe", "y or n")),
        ("transport=dt_socket,server=y,suspend=1", ("suspend=1", "y or n")),
        ("transport=dt_socket,server=y,address=a:b", ("address=a:b", "port")),
        ("transport=dt_socket,server=y,address=70000", ("address=70000", "65535")),
        ("transport=dt_socket,server=y,timeout=soon", ("timeout=soon", "milliseconds")),
        ("transport=dt_socket,server=y,allow=nobody", ("allow=nobody", "192.168.0.0/16")),
        ("transport=dt_socket,server=y,mode=slow", ("mode=slow", "full or fast")),
        ("transport=dt_socket,server=y,colour=red", ("colour=red", "accepted are transport")),
        ("transport=dt_socket,server=y,quiet", ("quiet", "needs a value")),
        ("server=y", ("transport", "must be given")),
        ("transport=dt_socket", ("address", "server=y to listen")),
        ("transport=dt_socket,server=y,onthrow=x", ("launch", "onthrow")),
    ],
)
def test_a_bad_option_is_named_and_the_vm_does_not_start(
    jdk: Jdk, options: str, words: tuple[str, ...]
) -> None:
    code, errors = outcome(jdk, options)
    assert code != 0
    warning = next(line for line in errors.splitlines() if line.startswith("jvmdebug: option"))
    for word in words:
        assert word in warning


@pytest.mark.agent
def test_help(jdk: Jdk) -> None:
    with launched(jdk, ours("help"), "none") as jvm:
        output, _ = jvm.communicate(timeout=TIMEOUT_S)
    assert jvm.returncode == 0
    assert "includevirtualthreads" in output
    assert "done" not in output


@pytest.mark.agent
def test_an_address_in_use(jdk: Jdk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        code, errors = outcome(jdk, f"transport=dt_socket,server=y,address={address}")
    assert code != 0
    assert f"cannot listen on {address}" in errors


@pytest.mark.agent
def test_beside_the_jdks_own_agent_the_vm_does_not_start(jdk: Jdk) -> None:
    if not jdk.has_jdwp:
        pytest.skip("this VM has no libjdwp")
    stock = process.agent_argument("stock", OPTIONS)
    command = [str(jdk.java), stock, ours(OPTIONS), "-version"]
    finished = subprocess.run(
        command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
    )
    assert finished.returncode != 0
    assert "not both" in finished.stderr


@pytest.mark.agent
def test_only_libc_is_needed() -> None:
    readelf = shutil.which("readelf")
    if readelf is None:
        pytest.skip("no readelf")
    listing = subprocess.run(
        [readelf, "-d", str(process.agent_library())], capture_output=True, text=True, check=True
    ).stdout
    needed = {line.split("[")[1].rstrip("]") for line in listing.splitlines() if "(NEEDED)" in line}
    if any("san.so" in library for library in needed):
        pytest.skip("a sanitizer is built in")
    assert needed <= {"libc.so.6", "libpthread.so.0", "libm.so.6", "ld-linux-x86-64.so.2"}


@pytest.mark.agent
def test_quiet_and_no_debugger(jdk: Jdk) -> None:
    options = "transport=dt_socket,server=y,suspend=n,quiet=y,address=0"
    with launched(jdk, ours(options), "none") as jvm:
        output, errors = jvm.communicate(timeout=TIMEOUT_S)
    assert (output, errors) == ("done 0\n", "")
    assert jvm.returncode == 0


@pytest.mark.agent
def test_no_debugger_in_time(jdk: Jdk) -> None:
    code, errors = outcome(jdk, "transport=dt_socket,server=y,suspend=y,address=0,timeout=200")
    assert code == 0  # as the JDK's own agent
    assert "timeout=200" in errors


@pytest.mark.agent
def test_a_peer_that_is_not_allowed(jdk: Jdk) -> None:
    options = "transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0,allow=10.0.0.0/8"
    with launched(jdk, ours(options), "wait") as jvm:
        port = listening_port(jvm)
        with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_S) as peer:
            peer.sendall(HANDSHAKE)
            assert hangs_up(peer)


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_connecting_out(jdk: Jdk, agent_kind: AgentKind, host: str) -> None:
    is_ipv6 = ":" in host
    if is_ipv6 and not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    family = socket.AF_INET6 if is_ipv6 else socket.AF_INET
    with socket.create_server((host, 0), family=family) as server:
        server.settimeout(TIMEOUT_S)
        address = f"{f'[{host}]' if is_ipv6 else host}:{server.getsockname()[1]}"
        options = f"transport=dt_socket,server=n,suspend=y,address={address}"
        with launched(jdk, process.agent_argument(agent_kind, options), "none") as jvm:
            peer, _ = server.accept()
            with peer:
                peer.settimeout(TIMEOUT_S)
                peer.sendall(HANDSHAKE)
                assert peer.recv(14) == HANDSHAKE
                size = struct.unpack(">I", peer.recv(4))[0]
                rest = peer.recv(size - 4)
                # An event set: from the start of the VM, which suspended all threads.
                assert rest[5:7] == bytes([64, 100])
                assert rest[7] == 2
                assert rest[12] == VM_START
            output, _ = jvm.communicate(timeout=TIMEOUT_S)
    assert output == "done 0\n"


@pytest.mark.agent
def test_connecting_where_no_debugger_listens(jdk: Jdk) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        address = f"127.0.0.1:{gone.getsockname()[1]}"
    code, errors = outcome(jdk, f"transport=dt_socket,server=n,address={address}")
    assert code != 0
    assert f"cannot connect to {address}" in errors


# --- handshake and packets ------------------------------------------------------------------------


def test_the_first_event_is_the_start_of_the_vm(jdk: Jdk, agent_kind: AgentKind) -> None:
    with launched(jdk, process.agent_argument(agent_kind, OPTIONS), "none") as jvm:
        vm = EventSetClient(listening_port(jvm))
        started = vm.next_set()
        assert started["suspend_policy"] == 2
        assert [event["kind"] for event in started["events"]] == [VM_START]
        assert started["events"][0]["request_id"] == 0
        vm.ask("VirtualMachine.Resume")
        vm.drain()
        output, _ = jvm.communicate(timeout=TIMEOUT_S)
    assert output == "done 0\n"


@pytest.mark.agent
@pytest.mark.parametrize("garbage", [b"GET / HTTP/1.1\r\n", b"JDWP-Handshakf", b""])
def test_garbage_instead_of_a_handshake(jdk: Jdk, garbage: bytes) -> None:
    with launched(jdk, ours(OPTIONS), "none") as jvm:
        port = listening_port(jvm)
        with socket.create_connection(("127.0.0.1", port), timeout=TIMEOUT_S) as peer:
            peer.sendall(garbage)
            if not garbage:
                peer.shutdown(socket.SHUT_WR)
            assert hangs_up(peer)
        vm = EventSetClient(port)
        vm.ask("VirtualMachine.Version")
        vm.close()
        assert jvm.wait(TIMEOUT_S) == 0


@pytest.mark.agent
@pytest.mark.parametrize("length", [0, 10, 0x80000000, 0xFFFFFFFF])
def test_an_impossible_length_ends_the_connection_only(jdk: Jdk, length: int) -> None:
    with launched(jdk, ours(OPTIONS), "none") as jvm:
        with socket.create_connection(
            ("127.0.0.1", listening_port(jvm)), timeout=TIMEOUT_S
        ) as peer:
            peer.sendall(HANDSHAKE)
            assert peer.recv(14) == HANDSHAKE
            peer.sendall(struct.pack(">IIBBB", length, 1, 0, 1, 1))
            while peer.recv(4096):
                pass
        assert jvm.wait(TIMEOUT_S) == 0


@pytest.mark.agent
def test_truncated_and_unknown_commands_are_refused(jdk: Jdk) -> None:
    with session_of(jdk, "jvmdebug", "none") as session:
        assert session.vm.ask_raw(11, 6, b"\0\0\0\0\0\0\0\1")[0] != 0
        assert session.vm.ask_raw(15, 1, b"\2\2\x7f\xff\xff\xff")[0] != 0
        assert session.vm.ask_raw(200, 1, b"")[0] == 99
        assert session.vm.ask_raw(1, 250, b"")[0] == 99
        assert session.run_out() == "done 0\n"


# --- the end of a connection ----------------------------------------------------------------------


@pytest.mark.parametrize("farewell", ["dispose", "loss"])
def test_everything_runs_on_and_the_next_debugger_may_come(
    jdk: Jdk, agent_kind: AgentKind, farewell: str
) -> None:
    with session_of(jdk, agent_kind, "threads") as session:
        thread = session.run_to("ready")
        session.break_at("workersRun")
        session.vm.ask("VirtualMachine.Suspend")
        session.vm.ask("ThreadReference.Suspend", thread=session.threads()["worker-1"])
        session.vm.ask("ThreadReference.Suspend", thread=thread)
        if farewell == "dispose":
            session.vm.ask("VirtualMachine.Dispose")
            with pytest.raises((ConnectionLostError, ConnectionResetError)):
                session.vm.ask("VirtualMachine.Version")
        session.vm.close()
        session.vm = EventSetClient(listening_port(session.jvm))
        session._types.clear()
        names = session.threads()
        assert session.suspend_count(names["worker-1"]) == 0
        assert session.suspend_count(names["main"]) == 0
        session.vm.ask(
            "ClassType.SetValues",
            type_id=session.type(),
            values={"count": 1, "content": session.field("go").to_bytes(8) + b"\x01"},
        )
        output, _ = session.outcome()  # nothing is left to resume
        assert output == "done 1\n"


@pytest.mark.agent
def test_silent_peers_do_not_keep_a_debugger_out(jdk: Jdk) -> None:
    with launched(jdk, ours(OPTIONS), "none") as jvm, contextlib.ExitStack() as stack:
        port = listening_port(jvm)
        for word in [b""] * 10 + [b"JDWP-", b"GET / HTTP/1.1\r\n\r\n"]:
            peer = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            peer.sendall(word)
        begun = time.monotonic()
        vm = EventSetClient(port)
        assert time.monotonic() - begun < 5, "one after the other would take 2 s for each"
        vm.close()
        assert jvm.wait(TIMEOUT_S) == 0


@pytest.mark.agent
def test_many_debuggers_one_after_the_other(jdk: Jdk) -> None:
    options = OPTIONS.replace("suspend=y", "suspend=n")
    with launched(jdk, ours(options), "wait") as jvm:
        assert jvm.stdout is not None
        port = listening_port(jvm)
        for number in range(20):
            vm = EventSetClient(port)
            vm.ask("VirtualMachine.Suspend")
            vm.ask("VirtualMachine.AllThreads")
            if number % 2:
                vm.ask("VirtualMachine.Dispose")
            vm.close()
            assert LISTENING.match(jvm.stdout.readline())


@pytest.mark.agent
def test_loss_in_the_middle_of_an_invocation(jdk: Jdk) -> None:
    with session_of(jdk, "jvmdebug", "invocations") as session:
        thread = session.run_to("ready")
        session.break_at("waiting", count(1), policy=NONE)
        session.vm.send(
            "ClassType.InvokeMethod",
            type_id=session.type(),
            thread=thread,
            method_id=session.methods()["waitUntilReleased"],
            arguments=[],
            options=SINGLE_THREADED,
        )
        session.next_event(BREAKPOINT)  # it is inside
        session.vm.close()
        session.vm = EventSetClient(listening_port(session.jvm))
        session._types.clear()
        session.vm.ask(
            "ClassType.SetValues",
            type_id=session.type(),
            values={"count": 1, "content": session.field("go").to_bytes(8) + b"\x01"},
        )
        output, _ = session.outcome()
        assert output.startswith("done ")


def test_exit_code(jdk: Jdk, agent_kind: AgentKind) -> None:
    with session_of(jdk, agent_kind, "loop") as session:
        session.run_to("loop")
        session.vm.ask("VirtualMachine.Exit", exit_code=42)
        session.vm.drain()
        assert session.jvm.wait(TIMEOUT_S) == 42
