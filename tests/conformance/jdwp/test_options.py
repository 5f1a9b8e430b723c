# SPDX-License-Identifier: Apache-2.0
"""The options of the agent against those of libjdwp: what they do, and how a start fails."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import threading
from typing import TYPE_CHECKING

import pytest

from tests.support import process
from tests.support.jdwp_client import EventSetClient
from tests.support.jdwp_session import (
    EXCEPTION,
    OPTIONS,
    TIMEOUT_S,
    launched,
    listening_port,
    session_of,
    wait_until,
)

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_LISTEN = "transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0"
_EVERYWHERE = "transport=dt_socket,server=y,suspend=n,address=*:0"

# Option strings, and what a VM exits with that gets them.
_OUTCOMES = (
    ("", 1),
    ("bogus=1", 1),
    ("server=y,suspend=n", 1),
    ("transport=dt_socket", 1),
    ("transport=dt_socket,transport=dt_socket,server=y", 1),
    (f"{_LISTEN},quiet", 1),
    (f"{_LISTEN},server=maybe", 1),
    (f"{_LISTEN},onthrow=java.io.IOException", 1),
    (f"{_LISTEN},onuncaught=y", 1),
    (f"{_LISTEN},precrash=y", 1),
    (f"{_LISTEN},help", 1),
    ("transport=dt_socket,server=y,address=nohost.invalid:0", 2),
    ("transport=dt_socket,address=127.0.0.1:1", 2),
    (f"{_LISTEN},", 0),
    (f"{_LISTEN},strict=y,stdalloc=y,coredump=n,errorexit=n,debugflags=0", 0),
    (f"{_LISTEN},allow=127.0.0.1+10.0.0.0/8+::1", 0),
    ("transport=dt_socket,server=y,suspend=n,address=[::ffff:127.0.0.1]:0", 0),
    ("transport=dt_socket,server=y,suspend=n,address=localhost:0", 0),
    (_EVERYWHERE, 0),
    ("transport=dt_socket,server=y,suspend=n,address=[::1%lo]:0", 0),
    ("transport=dt_socket,server=y,suspend=n,address=[::1%1]:0", 0),
    ("transport=dt_socket,server=y,suspend=n,address=[::1%]:0", 0),
    ("transport=dt_socket,server=y,suspend=n,address=[::1%nowhere]:0", 2),
    ("help", 0),
)
_OURS_DIFFERS = (
    f"{_LISTEN},help",  # libjdwp wants it alone
    _EVERYWHERE,  # ours wants a token, or insecure=y: test_tokens.py
)


def run(jdk: Jdk, *vm_args: str, env: dict[str, str] | None = None) -> tuple[int, str]:
    """Exit code and output of `java … -version`."""
    ran = subprocess.run(
        [str(jdk.java), "-XX:TieredStopAtLevel=1", *vm_args, "-version"],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
        env={**os.environ, **(env or {})},
    )
    return ran.returncode, ran.stdout + ran.stderr


def test_a_start_succeeds_or_fails_alike(jdk: Jdk, agent_kind: AgentKind) -> None:
    for options, code in _OUTCOMES:
        if agent_kind == "jvmdebug" and options in _OURS_DIFFERS:
            continue
        got, printed = run(jdk, process.agent_argument(agent_kind, options))
        assert got == code, f"{options}: {printed}"


# Option strings, and the words of libjdwp that tools look for in what a VM prints.
_MESSAGES = (
    ("server=y", "ERROR: JDWP no transport specified"),
    (
        "transport=dt_socket",
        "ERROR: JDWP Non-server transport dt_socket must have a connection address specified",
    ),
    ("transport=nope,server=y", "ERROR: transport library not found: nope"),
    ("bogus=1", "ERROR: JDWP option syntax error: "),
    (f"{_LISTEN},server=maybe", "ERROR: JDWP option syntax error: "),
    (
        f"{_LISTEN},onuncaught=y",
        "ERROR: JDWP Specify launch=<command line> when using onthrow or onuncaught suboption: ",
    ),
    (
        f"{_LISTEN},onthrow=a.B",
        "ERROR: JDWP Specify launch=<command line> when using onthrow or onuncaught suboption: ",
    ),
    ("transport=dt_socket,address=1,onjcmd=y", "ERROR: JDWP Can only use onjcmd with server=y: "),
    ("transport=dt_socket,address=0,onjcmd=y", "ERROR: JDWP Can only use onjcmd with server=y: "),
    (f"{_LISTEN},onjcmd=y,launch=x", "ERROR: JDWP Cannot combine onjcmd and launch suboptions: "),
    (
        "transport=dt_socket,server=y,address=127.0.0.1:70000",
        "ERROR: transport error 103: invalid port number specified",
    ),
    (f"{_LISTEN},allow=x", "ERROR: transport error 103: invalid IP address in allow option"),
    (
        "transport=dt_socket,server=y,address=nohost.invalid:0",
        "ERROR: transport error 202: getaddrinfo: failed to parse address",
    ),
    (
        "transport=dt_socket,server=y,address=192.0.2.1:0",
        "ERROR: transport error 202: bind failed: Cannot assign requested address",
    ),
    (
        "transport=dt_socket,address=127.0.0.1:1",
        "ERROR: transport error 202: connect failed: Connection refused",
    ),
    (f"{_LISTEN},suspend=y,timeout=50", "ERROR: transport error 203: timed out waiting for"),
    (
        "transport=dt_socket,server=y,address=[::1%nowhere]:0",
        "ERROR: transport error 103: failed to parse scope",
    ),
    (
        "transport=dt_socket,server=y,address=127.0.0.1%lo:0",
        "ERROR: transport error 103: IPv4 address cannot contain scope",
    ),
)


def test_errors_have_the_words_that_tools_look_for(jdk: Jdk, agent_kind: AgentKind) -> None:
    for options, words in _MESSAGES:
        if agent_kind == "stock" and "onjcmd" in options and jdk.version > 17:
            continue  # where it was removed it is a syntax error; ours keeps it
        if agent_kind == "jvmdebug" and "address=192.0.2.1" in options:
            options += ",insecure=y"  # noqa: PLW2901 - a network needs a token with ours
        _, printed = run(jdk, process.agent_argument(agent_kind, options))
        assert words in printed, f"{options}: {printed}"


def test_no_debugger_in_time_ends_the_vm(jdk: Jdk, agent_kind: AgentKind) -> None:
    agent = process.agent_argument(agent_kind, f"{_LISTEN},timeout=200")
    with launched(jdk, agent, "wait") as jvm:
        assert jvm.wait(TIMEOUT_S) == 0
        assert jvm.stderr is not None
        assert "time" in jvm.stderr.read()


def test_no_debugger_connects_in_time(jdk: Jdk, agent_kind: AgentKind) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as busy:
        address = busy.getsockname()
        # Who is not accepted fills the queue; the agent's connection waits.
        waiting = [socket.socket() for _ in range(3)]
        for each in waiting:
            each.setblocking(False)  # noqa: FBT003 - the socket module's way
            each.connect_ex(address)
        options = f"transport=dt_socket,address=127.0.0.1:{address[1]},timeout=300"
        assert run(jdk, process.agent_argument(agent_kind, options))[0] == 2
        for each in waiting:
            each.close()


# --- when debugging begins ------------------------------------------------------------------------


class Launched:
    """A command for launch= that writes down what it was given."""

    def __init__(self, folder: Path) -> None:
        self._arguments = folder / "arguments"
        script = folder / "debugger.sh"
        script.write_text('echo "$@" > "$1.part" && mv "$1.part" "$1"\n')
        self.option = f"launch=/bin/sh {script} {self._arguments} a=b"

    def port(self) -> int:
        """The place where the agent listens, as the command was called."""
        wait_until(self._arguments.exists, "the command of launch= to run")
        words = self._arguments.read_text().split()
        assert words[1:3] == ["a=b", "dt_socket"]
        return int(words[3])

    def has_run(self) -> bool:
        """Whether it was started at all."""
        return self._arguments.exists()


def test_the_debugger_is_launched_with_the_vm(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    command = Launched(tmp_path)
    options = f"{OPTIONS},{command.option}"
    with launched(jdk, process.agent_argument(agent_kind, options), "none") as jvm:
        vm = EventSetClient(command.port())
        assert vm.next_set()["suspend_policy"] == 2
        vm.ask("VirtualMachine.Resume")
        vm.drain()
        output, _ = jvm.communicate(timeout=TIMEOUT_S)
        vm.close()
    assert output == "done 0\n"  # and no line that says where it listens


@pytest.mark.parametrize(
    "when", ["onthrow=java.lang.UnsupportedOperationException", "onuncaught=y"]
)
def test_debugging_begins_at_an_exception(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path, when: str
) -> None:
    command = Launched(tmp_path)
    options = f"{OPTIONS},{when},{command.option}"
    with launched(jdk, process.agent_argument(agent_kind, options), "exceptions") as jvm:
        vm = EventSetClient(command.port())
        event_set = vm.next_set()
        assert event_set["suspend_policy"] == 2
        event = event_set["events"][0]
        assert (event["kind"], event["request_id"]) == (EXCEPTION, 0)
        name = vm.ask("ThreadReference.Name", thread=event["thread"])["name"]
        caught = event["catch_location"]["type_id"] != 0
        assert (name, caught) == (("uncaught", False) if "onuncaught" in when else ("main", True))
        assert vm.ask("ThreadReference.Frames", thread=event["thread"], start_frame=0, length=-1)
        vm.ask("VirtualMachine.Resume")
        vm.drain()
        jvm.communicate(timeout=TIMEOUT_S)
        vm.close()
        assert jvm.returncode == 0


def test_an_exception_of_another_class_does_not_count(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    command = Launched(tmp_path)
    # The superclass of what is thrown: the class must be the very same.
    options = f"{OPTIONS},onthrow=java.lang.Throwable,{command.option}"
    with launched(jdk, process.agent_argument(agent_kind, options), "exceptions") as jvm:
        output, _ = jvm.communicate(timeout=TIMEOUT_S)
    assert output.startswith("done ")
    assert not command.has_run()


@pytest.mark.agent
def test_a_command_that_cannot_run_is_reported(jdk: Jdk) -> None:
    agent = process.agent_argument("jvmdebug", f"{_LISTEN},launch=/no/such/debugger -x")
    code, printed = run(jdk, agent)
    assert code == 0
    assert "launch=/no/such/debugger -x: No such file" in printed
    assert "Listening for transport dt_socket" in printed


# --- the other options ----------------------------------------------------------------------------


@pytest.mark.parametrize("modified", [False, True])
def test_strings_of_the_wire(jdk: Jdk, agent_kind: AgentKind, *, modified: bool) -> None:
    text = "nul \0, \u20ac and \U0001f600"
    encoded = text.encode()
    if modified:
        encoded = b"nul \xc0\x80, \xe2\x82\xac and \xed\xa0\xbd\xed\xb8\x80"
    options = f"{OPTIONS},mutf8={'y' if modified else 'n'}"
    with session_of(jdk, agent_kind, "none", options) as session:
        create, value = (session.vm.number(name) for name in _STRING_COMMANDS)
        code, made = session.vm.ask_raw(*create, len(encoded).to_bytes(4) + encoded)
        assert code == 0
        code, reply = session.vm.ask_raw(*value, made)
        assert (code, reply[4:]) == (0, encoded)


_STRING_COMMANDS = ("VirtualMachine.CreateString", "StringReference.Value")


@pytest.mark.parametrize(
    ("address", "host"),
    [("[::1]:0", "::1"), ("*:0", "127.0.0.1"), ("*:0", "::1"), ("localhost:0", "127.0.0.1")],
)
def test_addresses(jdk: Jdk, agent_kind: AgentKind, address: str, host: str) -> None:
    if not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    options = f"transport=dt_socket,server=y,suspend=n,address={address},allow=127.0.0.1+::1"
    options += ",insecure=y" if agent_kind == "jvmdebug" else ""
    with (
        launched(jdk, process.agent_argument(agent_kind, options), "wait") as jvm,
        socket.create_connection((host, listening_port(jvm)), timeout=TIMEOUT_S) as peer,
    ):
        peer.sendall(b"JDWP-Handshake")
        assert peer.recv(14) == b"JDWP-Handshake"


_NOT_ALLOWED = ("127.0.0.4", "127.0.1.1", "127.0.0.8")


@pytest.mark.parametrize("peer", ["127.0.0.3", "127.0.0.9", "::1"])
def test_networks_that_are_allowed(jdk: Jdk, agent_kind: AgentKind, peer: str) -> None:
    if not socket.has_dualstack_ipv6():
        pytest.skip("this machine has no IPv6")
    networks = "10.0.0.0/8+127.0.0.0/30+127.0.0.9+2001:db8::/32+::1"
    options = f"transport=dt_socket,server=y,suspend=n,address=*:0,allow={networks}"
    options += ",insecure=y" if agent_kind == "jvmdebug" else ""
    with launched(jdk, process.agent_argument(agent_kind, options), "wait") as jvm:
        port = listening_port(jvm)
        assert [is_let_in(one, port) for one in (*_NOT_ALLOWED, peer)] == [False] * 3 + [True]


def is_let_in(source: str, port: int) -> bool:
    """Whether the agent accepts a connection from that address."""
    host = "::1" if ":" in source else "127.0.0.1"
    with socket.create_connection((host, port), TIMEOUT_S, source_address=(source, 0)) as peer:
        try:
            peer.sendall(b"JDWP-Handshake")
            return peer.recv(14) == b"JDWP-Handshake"
        except ConnectionError:
            return False


@pytest.mark.agent
def test_every_way_to_give_options(jdk: Jdk) -> None:
    agent = process.agent_argument("jvmdebug", _LISTEN)
    folder = str(process.agent_library().parent)
    listening = re.compile(r"Listening for transport dt_socket at address: \d+")
    ways: list[tuple[tuple[str, ...], dict[str, str]]] = [
        ((), {"JAVA_TOOL_OPTIONS": agent}),
        ((), {"_JAVA_OPTIONS": agent}),
        ((), {"JDK_JAVA_OPTIONS": agent}),
        ((f"-agentlib:jvmdebug={_LISTEN}",), {"LD_LIBRARY_PATH": folder}),
        ((f"-Xrunjvmdebug:{_LISTEN}",), {"LD_LIBRARY_PATH": folder}),
        ((process.agent_argument("jvmdebug", "transport=dt_socket"),),
         {"_JAVA_JDWP_OPTIONS": "server=y,suspend=n"}),
    ]  # fmt: skip
    for vm_args, env in ways:
        code, printed = run(jdk, *vm_args, env=env)
        assert code == 0, (env, printed)
        assert len(listening.findall(printed)) == 1, (env, printed)


@pytest.mark.agent
def test_loaded_twice_and_beside_libjdwp(jdk: Jdk) -> None:
    ours = process.agent_argument("jvmdebug", _LISTEN)
    code, printed = run(jdk, ours, env={"JAVA_TOOL_OPTIONS": ours})
    assert code == 1
    assert "ERROR: Cannot load this JVM TI agent twice, check your java command line" in printed
    assert "this agent is loaded already" in printed
    assert "JAVA_TOOL_OPTIONS" in printed
    if jdk.has_jdwp:
        stock = process.agent_argument("stock", _LISTEN)
        code, printed = run(jdk, stock, ours)
        assert code == 1
        assert "the VM gives breakpoints and suspending to one agent only" in printed
        code, printed = run(jdk, ours, stock)
        assert code == 1
        assert "JDWP unable to get necessary JVMTI capabilities" in printed


def test_a_dump_of_data_names_the_threads(jdk: Jdk, agent_kind: AgentKind) -> None:
    jcmd = jdk.home / "bin" / "jcmd"
    if not jcmd.exists():
        pytest.skip("a Java runtime without jcmd")
    if agent_kind == "stock" and jdk.version <= 17:
        pytest.skip("that libjdwp does not know the option")
    agent = process.agent_argument(agent_kind, f"{_LISTEN},datadump=y")
    with launched(jdk, agent, "wait") as jvm:
        assert jvm.stdout is not None
        said: list[str] = []
        reader = threading.Thread(target=lambda: said.extend(jvm.stdout or ()))
        reader.start()
        wait_until(lambda: bool(said), "the program")
        subprocess.run(
            [str(jcmd), str(jvm.pid), "JVMTI.data_dump"],
            capture_output=True,
            timeout=TIMEOUT_S,
            check=True,
        )
        wait_until(lambda: any("=== END DUMP ===" in line for line in said), "the dump")
        jvm.kill()
        reader.join(TIMEOUT_S)
    dump = [each.strip() for each in said]
    dump = dump[dump.index("Debug Agent Data Dump") :]
    assert dump[1:3] == ["=== START DUMP ===", "suspendAllCount: 0"]
    if agent_kind == "jvmdebug":
        assert "Thread: main, suspendCount: 0" in dump


def test_loading_it_without_options_is_refused_with_the_reason(jdk: Jdk) -> None:
    jcmd = jdk.home / "bin" / "jcmd"
    if not jcmd.exists():
        pytest.skip("a Java runtime without jcmd")
    with launched(jdk, "-Dnothing=1", "wait") as jvm:
        assert jvm.stderr is not None
        said: list[str] = []
        reader = threading.Thread(target=lambda: said.extend(jvm.stderr or ()))
        reader.start()
        library = str(process.agent_library())
        subprocess.run(
            [str(jcmd), str(jvm.pid), "JVMTI.agent_load", library],
            capture_output=True,
            timeout=TIMEOUT_S,
            check=False,
        )
        wait_until(lambda: any("transport: must be given" in line for line in said), "the refusal")
        jvm.kill()
        reader.join(TIMEOUT_S)
