# SPDX-License-Identifier: Apache-2.0
"""`transport=NAME`: a transport library, loaded and used as libjdwp does."""

from __future__ import annotations

import re
import socket
import subprocess
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.test_options import run
from tests.support import process
from tests.support.jdks import discover
from tests.support.jdwp_client import ConnectionLostError, EventSetClient
from tests.support.jdwp_session import TIMEOUT_S, VM_DEATH, VM_START, launched, wait_until

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

SOURCE = Path(__file__).with_name("loopback_transport.c")
LISTENING = re.compile(r"Listening for transport loopback at address: (\d+)\n")
SERVER = "transport=loopback,server=y,suspend=n"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with libloopback.so."""
    made = tmp_path_factory.mktemp("transport")
    headers = next(jdk.home / "include" for jdk in discover() if jdk.has_headers)
    includes = [f"-I{headers}", f"-I{headers / 'linux'}"]
    library = made / "libloopback.so"
    options = ["-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-pthread"]
    subprocess.run(["cc", *options, *includes, "-o", str(library), str(SOURCE)], check=True)
    return made


@pytest.fixture
def calls(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file to which the library of the next VM writes the calls that it gets."""
    path = tmp_path / "calls"
    monkeypatch.setenv("LD_LIBRARY_PATH", str(folder))
    monkeypatch.setenv("LOOPBACK_CALLS", str(path))
    return path


def next_port(jvm: subprocess.Popen[str]) -> int:
    """Returns the port where the agent says next that it listens."""
    assert jvm.stdout is not None
    line = jvm.stdout.readline()
    listening = LISTENING.fullmatch(line)
    assert listening, line
    return int(listening.group(1))


def count_classes(vm: EventSetClient) -> int:
    """How many classes the VM says that it has: a reply of some ten thousand bytes."""
    return len(vm.ask("VirtualMachine.AllClasses")["classes"])


def test_debuggers_one_after_the_other(jdk: Jdk, agent_kind: AgentKind, calls: Path) -> None:
    with launched(jdk, process.agent_argument(agent_kind, SERVER), "wait") as jvm:
        port = next_port(jvm)
        with closing(EventSetClient(port)) as vm:
            assert count_classes(vm) > 100
            with pytest.raises(ConnectionRefusedError):
                EventSetClient(port)  # the library listens for one debugger
            vm.ask("VirtualMachine.Dispose")
        with closing(EventSetClient(next_port(jvm))) as vm:
            assert count_classes(vm) > 100
        with closing(EventSetClient(next_port(jvm))) as vm:
            assert count_classes(vm) > 100
        next_port(jvm)
    said = calls.read_text().splitlines()
    assert said[:5] == [
        "OnLoad 1.1",
        "Configure (null)",
        "StartListening (null)",
        "Accept 0",
        "StopListening ",
    ]
    assert said.count("OnLoad 1.1") == 1
    again = said[5:]
    assert again.count("StartListening (null)") == 3
    assert "Close " in again[: again.index("StartListening (null)")]


def test_a_debugger_that_listens(jdk: Jdk, agent_kind: AgentKind, calls: Path) -> None:
    """The VM waits for it, and its last event arrives before the connection ends."""
    with socket.create_server(("127.0.0.1", 0)) as waiting:
        port = waiting.getsockname()[1]
        options = f"transport=loopback,address={port},timeout=4000"
        with launched(jdk, process.agent_argument(agent_kind, options), "none") as jvm:
            waiting.settimeout(TIMEOUT_S)
            connection, _ = waiting.accept()
            with closing(Accepted(connection)) as vm:
                start = vm.next_set()
                assert [each["kind"] for each in start["events"]] == [VM_START]
                assert count_classes(vm) > 100
                vm.ask("VirtualMachine.Resume")
                last = vm.next_set()
                assert [each["kind"] for each in last["events"]] == [VM_DEATH]
                with pytest.raises(ConnectionLostError):
                    vm.next_set()
            jvm.communicate(timeout=TIMEOUT_S)
            assert jvm.returncode == 0
    assert calls.read_text().splitlines()[:3] == [
        "OnLoad 1.1",
        f"Attach {port}",
        "AttachTimeout 4000",
    ]


class Accepted(EventSetClient):
    """A client on a connection that the VM has made."""

    def __init__(self, connection: socket.socket) -> None:
        self._accepted = connection
        super().__init__(0)

    def _connect(self, port: int) -> socket.socket:
        assert port == 0
        self._accepted.settimeout(TIMEOUT_S)
        return self._accepted


def test_where_the_library_is_found(
    jdk: Jdk, agent_kind: AgentKind, folder: Path, tmp_path: Path
) -> None:
    """The folders of the JDK's own libraries come first, then those of the system."""
    agent = process.agent_argument(agent_kind, SERVER)
    boot = f"-Dsun.boot.library.path={tmp_path / 'nowhere'}:{folder}"
    code, printed = run(jdk, boot, agent)
    assert (code, bool(LISTENING.search(printed))) == (0, True), printed
    code, printed = run(jdk, agent, env={"LD_LIBRARY_PATH": str(folder)})
    assert (code, bool(LISTENING.search(printed))) == (0, True), printed


# Defects of the library, options, how the VM ends, libjdwp's words and ours.
_FAILURES = (
    ("", "transport=loopback", 1, "must have a connection address specified", "server=n"),
    ("", f"{SERVER},address=x", 2, "transport error 103: loopback: no port", "listen on x: loop"),
    ("", "transport=loopback,address=1", 2, "transport error 202: loopback: nobody", "connect to"),
    ("", f"{SERVER},suspend=y,timeout=50", 0, "transport error 203: loopback: nobody", "nobody"),
    ("", f"{SERVER},allow=", 1, "JDWP option syntax error", "allow="),
    ("allow", f"{SERVER},allow=me", 2, "transport error 103: loopback: no such", "allow=me"),
    ("1.0", f"{SERVER},allow=me", 2, "Allow parameter is specified but", "version 1.0"),
    ("version", SERVER, 2, "transport doesn't recognize all supported versions", "OnLoad"),
    ("memory", SERVER, 2, "insufficient memory to complete initialization", "OnLoad"),
    ("exists", SERVER, 2, "transport doesn't support multiple environments", "OnLoad"),
    ("number", SERVER, 2, "unrecognized error -77 from transport", "OnLoad"),
)


@pytest.mark.usefixtures("calls")
def test_errors_of_a_library(jdk: Jdk, agent_kind: AgentKind) -> None:
    for defects, options, expected, words, ours in _FAILURES:
        agent = process.agent_argument(agent_kind, options)
        code, printed = run(jdk, agent, env={"LOOPBACK_DEFECTS": defects})
        assert code == expected, f"{defects} {options}: {printed}"
        assert words in printed, f"{defects} {options}: {printed}"
        if agent_kind == "jvmdebug":
            assert re.search(f"jvmdebug: .*{re.escape(ours)}", printed), printed


def test_a_library_of_version_1_0(
    jdk: Jdk, agent_kind: AgentKind, calls: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOOPBACK_DEFECTS", "1.0")
    with (
        launched(jdk, process.agent_argument(agent_kind, SERVER), "wait") as jvm,
        closing(EventSetClient(next_port(jvm))) as vm,
    ):
        assert count_classes(vm) > 100
    expected = ["OnLoad 1.1", "OnLoad 1.0", "StartListening (null)", "Accept 0"]
    assert calls.read_text().splitlines()[:4] == expected


@pytest.mark.agent
def test_libraries_that_cannot_be_used(jdk: Jdk) -> None:
    """Ends the VM with the code for no transport, where libjdwp aborts it."""
    for name, words, ours in (
        ("nope", "transport library not found: nope", "libnope.so: cannot open shared object"),
        ("java", "transport library missing onLoad entry: java", "no function jdwpTransport_On"),
    ):
        agent = process.agent_argument("jvmdebug", f"transport={name},server=y")
        code, printed = run(jdk, agent)
        assert code == 2, printed
        assert f"ERROR: {words}\n" in printed
        assert ours in printed
    code, printed = run(jdk, process.agent_argument("jvmdebug", "transport=,server=y"))
    assert code == 1
    assert "dt_socket, unix or the name of a transport library" in printed


@pytest.mark.agent
@pytest.mark.usefixtures("calls")
def test_an_agent_that_is_loaded_late(jdk: Jdk) -> None:
    """It serves one debugger through the library and ends; then it can be loaded again."""
    jcmd = jdk.home / "bin" / "jcmd"
    if not jcmd.exists():
        pytest.skip("a Java runtime without jcmd")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with launched(jdk, "-Dnothing=1", "wait", vm_args=("-XX:+EnableDynamicAgentLoading",)) as jvm:
        library = str(process.agent_library())
        options = f'"transport=loopback,server=y,address={port},quiet=y"'  # for jcmd one word
        command = [str(jcmd), str(jvm.pid), "JVMTI.agent_load", library, options]

        def is_loaded() -> bool:
            ran = subprocess.run(
                command, capture_output=True, text=True, timeout=TIMEOUT_S, check=False
            )
            return "return code: 0" in ran.stdout

        for _ in range(2):
            wait_until(is_loaded, "a VM that has started")
            with closing(EventSetClient(port)) as vm:
                assert count_classes(vm) > 100
                vm.ask("VirtualMachine.Dispose")


@pytest.mark.usefixtures("calls")
def test_a_debugger_that_reads_nothing_is_no_obstacle(jdk: Jdk, agent_kind: AgentKind) -> None:
    """Disconnects a debugger whose connection is full; the next one is served."""
    with launched(jdk, process.agent_argument(agent_kind, SERVER), "wait") as jvm:
        with closing(EventSetClient(next_port(jvm))) as vm:
            for _ in range(200):
                vm.send("VirtualMachine.AllClasses")
        with closing(EventSetClient(next_port(jvm))) as vm:
            assert count_classes(vm) > 100
