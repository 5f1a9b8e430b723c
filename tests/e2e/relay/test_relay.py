# SPDX-License-Identifier: Apache-2.0
"""A relay in front of real programs: who comes in, what a role may do, and what is left behind."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import ssl
import stat
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from jvmdebug.errors import CertificateError, TokenError
from jvmdebug.jdwp.generated.catalog import COMMAND_NAMES, COMMAND_ROLES
from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.jdks import jdks_to_test
from tests.support.listening import free_port
from tests.support.process import Jvm, agent_argument
from tests.support.prompt import ask
from tests.support.relay import (
    ROLES,
    RelayedClient,
    RelayPeer,
    RunningRelay,
    descriptors_of,
    running_relay,
)
from tests.support.token_peer import (
    GREETING,
    OTHER_BINDING,
    OTHER_VERSION,
    WRONG_TOKEN,
    written_token,
)
from tests.support.waiting import until

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable
    from pathlib import Path

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

    Spinning = Callable[[], Awaitable["Spun"]]

pytestmark = pytest.mark.agent


_DENIED: Final = 111
_SOON_S: Final = 10.0
_MORE_THAN_WAIT: Final = 80
"""Strangers: a relay has up to 64 at once."""


@pytest.fixture(autouse=True)
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder in which this user's debugger keeps the certificates that it has met."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "client"))
    return tmp_path / "client" / "jvmdebug"


@dataclass
class Spun:
    """`script.Spin`, which counts, with an agent that always listens at the same port."""

    process: Jvm
    port: int


@pytest.fixture
async def spin(jdk: Jdk, agent_kind: AgentKind) -> AsyncIterator[Spinning]:
    started: list[Jvm] = []

    async def start() -> Spun:
        port = free_port()
        options = f"transport=dt_socket,server=y,suspend=n,address=127.0.0.1:{port}"
        agent = agent_argument(agent_kind, options)
        jvm = await Jvm.start(jdk, debuggee("script", "Spin"), agent=agent)
        started.append(jvm)
        await jvm.wait_for("spinning")
        return Spun(jvm, port)

    yield start
    for jvm in started:
        await jvm.end()


async def test_what_each_role_may_do(spin: Spinning, tmp_path: Path) -> None:
    """Our own sessions: a stop, its variables, a call, a change; and a line for each."""
    program = debuggee("script", "Spin")
    jvm = await spin()
    async with running_relay(tmp_path / "r", f"spin=127.0.0.1:{jvm.port}") as relay:
        told: list[str] = []
        for role in ROLES:
            async with jvmdebug.attach(
                relay.address("spin"),
                token_file=relay.tokens[role],
                fingerprint=None if role == "debug" else relay.fingerprint,
                on_wait=told.append,
            ) as session:
                assert session.is_read_only == (role != "debug")
                await session.break_at(f"Spin.java:{program.marker('count')}")
                stop = await session.next_stop(20)
                assert stop is not None
                shown = await stop.frame.evaluate("rounds")
                assert int(await shown.as_text()) > 0
                if role == "debug":
                    await stop.frame.evaluate('System.setProperty("a", "b")')
                    await stop.frame.assign("rounds", "1000000")
                else:
                    with pytest.raises(jvmdebug.ReadOnlyError):
                        await stop.frame.evaluate('System.setProperty("a", "b")')
                    with pytest.raises(jvmdebug.ReadOnlyError):
                        await stop.frame.assign("rounds", "1")
                await stop.resume()
        assert len(told) == 1
        assert relay.fingerprint in told[0], "the first time, and not again"
        log = relay.audit_log.read_text()
        assert not any(relay.token(role) in log for role in ROLES)
        noted = relay.audit()
        assert {each["role"] for each in noted if each["event"] == "connected"} == set(ROLES)
        changes = [each for each in noted if each["event"] == "command"]
        assert {each["role"] for each in changes} == {"debug"}
        assert {each["target"] for each in changes} == {"spin"}
        assert "ClassType.SetValues" in {each["command"] for each in changes}
        assert stat.S_IMODE(relay.audit_log.stat().st_mode) == 0o600


async def test_raw_jdwp_gets_no_further_than_its_role(spin: Spinning, tmp_path: Path) -> None:
    """Each command that a role has not, as bytes: it is denied, and never reaches the agent."""
    jvm = await spin()
    async with running_relay(tmp_path / "r", f"127.0.0.1:{jvm.port}") as relay:

        def asked(role: str) -> set[str]:
            client = RelayedClient(relay, role)
            try:
                may = ROLES[ROLES.index(role) :]
                forbidden = [each for each, needed in COMMAND_ROLES.items() if needed not in may]
                for numbers in (*forbidden, (1, 99), (200, 1)):
                    assert client.ask_raw(*numbers, bytes(4)) == (_DENIED, b""), numbers
                assert client.ask("VirtualMachine.Version")["vm_version"]
                return {COMMAND_NAMES[each] for each in forbidden}
            finally:
                client.close()

        for role in ("observe", "read-only"):
            names = await asyncio.to_thread(asked, role)
            assert {"VirtualMachine.Exit", "ObjectReference.InvokeMethod"} <= names
            assert jvm.process.exit_code is None, "it would have ended with 0"
            refused = [each for each in relay.audit() if each["event"] == "refused"]
            assert names <= {each["command"] for each in refused if each["role"] == role}


async def test_who_may_only_look_holds_the_program_for_a_moment(
    spin: Spinning, tmp_path: Path
) -> None:
    jvm = await spin()
    options = ("--longest-stop", "300", f"127.0.0.1:{jvm.port}")
    async with running_relay(tmp_path / "r", *options) as relay:
        for role in ("observe", "read-only"):
            async with jvmdebug.attach(relay.address(), token_file=relay.tokens[role]) as session:
                events: list[object] = []
                session.subscribe(events.append)
                with contextlib.suppress(jvmdebug.ConnectionLost):  # on a slow machine
                    await session.suspend()
                async with asyncio.timeout(_SOON_S):
                    await session.wait()
                ended = [each for each in events if isinstance(each, jvmdebug.Ended)]
                assert f"longer than 0.3 s, which the role {role} may not" in str(ended)
        async with jvmdebug.attach(relay.address(), token_file=relay.tokens["debug"]) as session:
            rounds = [await session.evaluate("Spin.rounds") for _ in range(2)]
            while rounds[-1].text == rounds[0].text:
                rounds.append(await session.evaluate("Spin.rounds"))


async def test_strangers_keep_nobody_out(spin: Spinning, tmp_path: Path) -> None:
    """No TLS, an old one, silent, slow, half a packet, wrong tokens: all are closed in seconds."""
    jvm = await spin()
    async with running_relay(tmp_path / "r", f"127.0.0.1:{jvm.port}") as relay:
        begun = time.monotonic()

        def strange() -> None:
            with contextlib.ExitStack() as peers:
                plain = {
                    what: peers.enter_context(
                        socket.create_connection(("127.0.0.1", relay.port), 20)
                    )
                    for what in (b"GET / HTTP/1.1\r\n\r\n", b"JDWP-Handshake", b"\x16\x03", b"")
                }
                for what, peer in plain.items():
                    peer.sendall(what)
                halves = [b"", GREETING[:5], GREETING, b"JDWP-Handshake", b"\xff" * 70_000]
                inside = [peers.enter_context(RelayPeer(relay.port)) for _ in halves]
                for within, half in zip(inside, halves, strict=True):
                    with contextlib.suppress(OSError):
                        within.socket.sendall(half)
                with pytest.raises(OSError, match=r"alert|version|reset|EOF"):
                    RelayPeer(relay.port, version=ssl.TLSVersion.TLSv1_2)
                with RelayPeer(relay.port) as right:
                    assert right.verdict(relay.token("debug")) == (0, 0)
                assert time.monotonic() - begun < 4, "the right one waits for nobody"
                for within in inside:
                    assert b"JDWP-Handshake" not in within.received(100)
                for each in plain.values():
                    with contextlib.suppress(OSError):
                        assert b"JDWP" not in each.recv(1000)
                for _ in range(_MORE_THAN_WAIT):
                    peers.enter_context(socket.create_connection(("127.0.0.1", relay.port), 20))
                with RelayPeer(relay.port) as right:
                    assert right.verdict(relay.token("debug")) == (0, 0)

        await asyncio.to_thread(strange)
        assert time.monotonic() - begun < 20
        why = " ".join(each["reason"] for each in relay.audit() if each["event"] == "refused")
        assert "does not speak TLS 1.3" in why
        assert "did not prove a token within 5 s" in why
        assert "when too many others came" in why


async def test_a_proof_is_for_one_token_and_one_certificate(tmp_path: Path) -> None:
    async with running_relay(tmp_path / "r", "127.0.0.1:1") as relay:

        def refusals() -> None:
            with RelayPeer(relay.port) as peer:
                assert peer.verdict("another token") == (WRONG_TOKEN,)
            with RelayPeer(relay.port) as peer:
                assert peer.verdict(relay.token("debug"), binding=bytes(32)) == (OTHER_BINDING,)
            with RelayPeer(relay.port) as peer:
                assert peer.verdict(relay.token("debug"), version=1) == (OTHER_VERSION,)
            begun = time.monotonic()
            with RelayPeer(relay.port) as peer:
                assert peer.verdict("another token") == (WRONG_TOKEN,)
            assert time.monotonic() - begun > 0.3, "guessing becomes slower"
            relay.tokens["debug"].write_text("a new token\n")
            with RelayPeer(relay.port) as peer:  # the program cannot be reached, which it is told
                assert peer.verdict("a new token") == (6,)
                assert b"cannot connect to 127.0.0.1:1" in peer.received(200)

        await asyncio.to_thread(refusals)


async def test_somebody_in_between_gets_nothing(tmp_path: Path) -> None:
    """One who ends TLS with a certificate of their own, and passes all bytes on."""
    async with (
        running_relay(tmp_path / "r", "127.0.0.1:1") as relay,
        running_relay(tmp_path / "m", "127.0.0.1:1") as other,
    ):
        ours = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        ours.load_cert_chain(tmp_path / "m" / "jvmdebug" / "server.pem")

        async def between(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            theirs = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            theirs.check_hostname, theirs.verify_mode = False, ssl.CERT_NONE
            to_relay = await asyncio.open_connection("127.0.0.1", relay.port, ssl=theirs)
            await asyncio.gather(_pass(reader, to_relay[1]), _pass(to_relay[0], writer))

        async with await asyncio.start_server(between, "127.0.0.1", 0, ssl=ours) as server:
            port = server.sockets[0].getsockname()[1]
            attaching = jvmdebug.attach(
                f"tls://127.0.0.1:{port}", token_file=relay.tokens["debug"], retry=False
            )
            with pytest.raises(jvmdebug.LaunchError, match="somebody is in between") as caught:
                await attaching.__aenter__()
            assert isinstance(caught.value.__cause__, TokenError)
            await until(relay.audit, "the refusal is noted")
            (noted,) = relay.audit()
            assert noted["reason"] == "it was shown another certificate: somebody is in between"
        del other


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(ConnectionError, ssl.SSLError):
        while piece := await reader.read(65_536):
            writer.write(piece)
            await writer.drain()
    writer.close()


async def test_a_certificate_is_kept_and_expected(
    spin: Spinning, tmp_path: Path, settings: Path
) -> None:
    """The relay has the same one at its next start; another one is refused, with the way out."""
    jvm = await spin()
    target = f"127.0.0.1:{jvm.port}"
    async with running_relay(tmp_path / "r", target) as relay:
        fingerprint = relay.fingerprint
        kept = tmp_path / "r" / "jvmdebug" / "server.pem"
        assert stat.S_IMODE(kept.stat().st_mode) == 0o600
        words = ("eval", relay.address(), "1 + 1", "--token-file", relay.tokens["debug"])
        code, output, told = await ask(*words)
        assert (code, output.strip()) == (0, "2")
        assert "met for the first time" in told
        known = settings / "known-relays"
        assert known.read_text() == f"127.0.0.1:{relay.port} {fingerprint}\n"
        assert await ask(*words) == (0, output, "")
        known.write_text(f"127.0.0.1:{relay.port} SHA256:{'A' * 43}\n")
        code, output, told = await ask(*words)
        assert (code, output) == (3, "")
        assert f"has changed to {fingerprint}" in told
        assert "known-relays" in told
        assert told.count("\n") == 1
        code, _, told = await ask(*words, "--fingerprint", f"SHA256:{'A' * 43}")
        assert (code, told.count("\n")) == (3, 1)
        assert "not the one that was given" in told
        assert (await ask(*words, "--fingerprint", fingerprint))[0] == 0
        assert fingerprint in known.read_text(), "what was given replaces what was known"
        wrong = tmp_path / "wrong"
        wrong.touch(0o600)
        wrong.write_text("no such token\n")
        code, _, told = await ask(*words[:-1], wrong)
        assert (code, told.count("\n")) == (3, 1)
        assert "does not know the token" in told
        assert "no such token" not in told
        code, _, told = await ask(*words[:-2])
        assert code == 3
        assert "--token-file" in told
    async with running_relay(tmp_path / "again", target, settings=tmp_path / "r") as again:
        assert again.fingerprint == fingerprint


async def test_a_certificate_of_ones_own(tmp_path: Path) -> None:
    async with running_relay(tmp_path / "one", "127.0.0.1:1") as one:
        fingerprint = one.fingerprint
    pem = tmp_path / "one" / "jvmdebug" / "server.pem"
    words = ("--cert", str(pem), "--key", str(pem), "127.0.0.1:1")
    async with running_relay(tmp_path / "two", *words) as two:
        assert two.fingerprint == fingerprint
        assert not (tmp_path / "two" / "jvmdebug").exists()
    pem.chmod(0o644)
    from jvmdebug.tls.certificate import server_certificate  # noqa: PLC0415

    os.environ["XDG_CONFIG_HOME"] = str(tmp_path / "one")
    with pytest.raises(CertificateError, match="chmod 600"):
        server_certificate()


async def test_programs_by_class_and_process(tmp_path: Path) -> None:
    """Programs without an agent; no other program can be reached."""
    alone = debuggee("relayed", "RelayedAlone")
    async with bare_program(jdks_to_test()[-1], program=alone) as program:
        pid = program.pid
        async with running_relay(
            tmp_path / "r", "RelayedAlone", f"by-pid={pid}", "none=NoSuchClass"
        ) as relay:
            token = relay.tokens["read-only"]
            for name in ("RelayedAlone", "by-pid"):
                async with jvmdebug.attach(relay.address(name), token_file=token) as session:
                    assert any(each.name == "main" for each in await session.threads())
            for name, why in {
                "none": "no JVM runs the class NoSuchClass",
                "": "more than one program: .* one of RelayedAlone, by-pid, none",
                str(pid): "no program called",
                "127.0.0.1:5005": "no program called",
            }.items():
                attaching = jvmdebug.attach(relay.address(name), token_file=token, retry=False)
                with pytest.raises(jvmdebug.LaunchError, match=why):
                    await attaching.__aenter__()


_ENDS: Final[dict[str, Callable[[RelayedClient, RunningRelay], object]]] = {
    "in order": lambda client, _: client.ask("VirtualMachine.Dispose"),
    "half a packet": lambda client, _: client.send_bytes(b"\0\0\1\0"),
    "no answer read": lambda client, _: client.send("VirtualMachine.AllClasses"),
    "nothing": lambda _client, _relay: None,
}


async def test_nothing_is_left_when_one_end_dies(spin: Spinning, tmp_path: Path) -> None:
    """The program runs on when a debugger goes; the debugger is told when the program goes."""
    jvm = await spin()
    async with running_relay(tmp_path / "r", f"127.0.0.1:{jvm.port}") as relay:
        before = len(descriptors_of(relay.process.pid))

        def held(end: Callable[[RelayedClient, RunningRelay], object]) -> None:
            client = RelayedClient(relay, "debug")
            client.ask("VirtualMachine.Suspend")
            end(client, relay)
            client.close()

        for end in _ENDS.values():
            await asyncio.to_thread(held, end)
            await until(lambda: len(descriptors_of(relay.process.pid)) == before, "descriptors")
        async with jvmdebug.attach(relay.address(), token_file=relay.tokens["debug"]) as session:
            threads = {each.name: each for each in await session.threads()}
            assert "main" in threads
            os.kill(jvm.process.pid, 9)
            async with asyncio.timeout(_SOON_S):
                await session.wait()
        await until(lambda: len(descriptors_of(relay.process.pid)) == before, "descriptors")
        events = [each["event"] for each in relay.audit()]
        assert events.count("connected") == events.count("ended") == len(_ENDS) + 1


async def test_who_may_end_the_session_of_another(jdk: Jdk, tmp_path: Path) -> None:
    options = "transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0"
    agent = agent_argument("jvmdebug", options)
    jvm = await Jvm.start(jdk, debuggee("script", "Spin"), agent=agent)
    try:
        async with (
            running_relay(tmp_path / "r", f"127.0.0.1:{await jvm.port()}") as relay,
            jvmdebug.attach(relay.address(), token_file=relay.tokens["debug"]) as first,
        ):
            for role in ROLES[1:]:
                with pytest.raises(jvmdebug.LaunchError, match=f"is for the role {role}, which"):
                    await jvmdebug.open_attach(
                        relay.address(), token_file=relay.tokens[role], take_over=True
                    )
                with pytest.raises(jvmdebug.LaunchError, match="is being debugged by"):
                    await jvmdebug.open_attach(relay.address(), token_file=relay.tokens[role])
            assert await first.threads()
            async with jvmdebug.attach(
                relay.address(), token_file=relay.tokens["debug"], take_over=True
            ) as second:
                assert await second.threads()
                async with asyncio.timeout(_SOON_S):
                    await first.wait()
    finally:
        await jvm.end()


async def test_an_agent_may_have_a_token_of_its_own(jdk: Jdk, tmp_path: Path) -> None:
    secret = written_token(tmp_path / "agent", "the token of the agent")
    options = f"transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0,token-file={secret}"
    jvm = await Jvm.start(
        jdk, debuggee("script", "Spin"), agent=agent_argument("jvmdebug", options)
    )
    try:
        target = f"127.0.0.1:{await jvm.port()}"
        async with running_relay(
            tmp_path / "r", target, "--agent-token-file", str(secret)
        ) as relay:
            for role in ROLES:
                token = relay.tokens[role]
                async with jvmdebug.attach(relay.address(), token_file=token) as session:
                    assert await session.threads()
        async with running_relay(tmp_path / "w", target) as relay:
            with pytest.raises(jvmdebug.LaunchError, match="asks for a token"):
                await jvmdebug.open_attach(relay.address(), token_file=relay.tokens["debug"])
    finally:
        await jvm.end()
