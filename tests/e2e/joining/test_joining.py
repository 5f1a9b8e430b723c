# SPDX-License-Identifier: Apache-2.0
"""A session of one process, a prompt, is joined by others: scripts, an editor, commands."""

from __future__ import annotations

import asyncio
import os
import signal
import stat
import tempfile
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.client import stdio

import jvmdebug
import jvmdebug.sync
from jvmdebug import rendezvous
from tests.support.dap_client import Refused, local_client, stdio_adapter, stdio_client
from tests.support.debuggees import debuggee
from tests.support.jdks import newest_compiler
from tests.support.prompt import JVMDEBUG, Typed, ask_process, jvmdebug_command, launch_options
from tests.support.sessions import next_stop

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable, Iterator

    from tests.conftest import StartJvm
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TIMEOUT_S = 20.0


@pytest.fixture(autouse=True)
def own_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The sessions of this test, and of no other; the paths of sockets have to be short."""
    with tempfile.TemporaryDirectory(prefix="joining") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield


@pytest.fixture
def program() -> Debuggee:
    return debuggee("company", "Company")


@asynccontextmanager
async def owner(jdk: Jdk | None = None, agent_kind: AgentKind = "jvmdebug") -> AsyncIterator[Typed]:
    """A prompt that debugs the program, which runs. What is said on the socket does not depend on
    the JDK and the agent.
    """
    options = launch_options(jdk or newest_compiler(), agent_kind, "company", "Company")
    async with jvmdebug_command(*options) as typed:
        await typed.see("Set breakpoints, then `run`")
        typed.type("run")
        await until_state("running")
        yield typed


async def until_state(state: str) -> None:
    """Wait until the one session is there, and in that state."""
    await until(lambda: [each.state for each in jvmdebug.sessions()] == [state])


async def until(holds: Callable[[], bool]) -> None:
    """Wait until it holds; nothing tells when a session of another process begins."""
    async with asyncio.timeout(TIMEOUT_S):
        while not await asyncio.to_thread(holds):  # noqa: ASYNC110
            await asyncio.sleep(0.02)


class Told:
    """The events that a session has posted."""

    def __init__(self, session: jvmdebug.Session) -> None:
        self.events: list[jvmdebug.SessionEvent] = []
        self._more = asyncio.Event()
        session.subscribe(self._take)

    def _take(self, event: jvmdebug.SessionEvent) -> None:
        self.events.append(event)
        self._more.set()

    async def of(self, kind: type[Any], **expected: object) -> Any:
        """The first event of a kind with these attributes, which is taken out."""
        async with asyncio.timeout(TIMEOUT_S):
            while True:
                for each in self.events:
                    fits = isinstance(each, kind)
                    if fits and all(getattr(each, key) == it for key, it in expected.items()):
                        self.events.remove(each)
                        return each
                self._more.clear()
                await self._more.wait()


async def test_two_processes_share_stops_breakpoints_and_who_resumes(
    jdk: Jdk, agent_kind: AgentKind, program: Debuggee
) -> None:
    line = program.marked("add")[1]
    async with owner(jdk, agent_kind) as typed:
        session = await jvmdebug.join("Company")
        told = Told(session)
        assert session.owner == f"prompt (process {typed.process.pid})"
        me = (await typed.see(r"The (script \(process \d+\)) has joined this session\.")).group(1)
        # One sets a breakpoint, the other sees it, and who has set it.
        mine = await session.break_at(f"Company.java:{line}")
        await typed.see(rf"The {re_escaped(me)} has set a breakpoint:\nBreakpoint 1: Company")
        await typed.see(r"Breakpoint 1, Company\.add")
        assert mine.set_by is None
        stop = await next_stop(session)
        assert stop.breakpoints == (mine,)
        assert stop.frame.line == line
        assert {each.name for each in await stop.frame.variables()} == {"amount", "before"}
        value = await stop.frame.evaluate("before + amount")
        assert int(str(value.value)) > 0
        # The owner steps: we are told who, and the stop is over here too.
        typed.type("next")
        assert (await told.of(jvmdebug.Continued)).by == session.owner
        stepped = await next_stop(session)
        assert (stepped.reason, stepped.frame.line) == (jvmdebug.StopReason.STEP, line + 1)
        assert not stop.is_current
        with pytest.raises(jvmdebug.StateError, match="a stop that is over"):
            await stop.resume()
        # The owner sets one.
        await typed.see(r"return total")
        typed.type(f"break Company.java:{program.marked('loop')[1]}")
        theirs = (await told.of(jvmdebug.BreakpointChanged, change="new")).breakpoint
        assert theirs.set_by == session.owner
        assert list(session.breakpoints) == [mine, theirs]
        await theirs.remove()
        await typed.see(rf"The {re_escaped(me)} has removed breakpoint 2")
        # One leaves, the other continues.
        await session.close()
        await typed.see(rf"The {re_escaped(me)} has left this session")
        typed.type("continue")
        await typed.see(r"Breakpoint 1, Company\.add")
        with pytest.raises(jvmdebug.ConnectionLost, match="this session was left"):
            await session.resume()


def re_escaped(text: str) -> str:
    return text.replace("(", r"\(").replace(")", r"\)")


async def test_a_call_that_is_cancelled_ends_at_the_owner(program: Debuggee) -> None:
    """A wait that went on there would take the next stop, and nobody would get it."""
    async with owner():
        session = await jvmdebug.join("Company")
        waiting = asyncio.create_task(session.next_stop())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        await session.break_at(f"Company.java:{program.marked('add')[1]}")
        stop = await next_stop(session)
        assert stop.frame.line == program.marked("add")[1]
        await session.close()


async def test_the_end_of_the_owner_is_one_sentence() -> None:
    async with owner() as typed:
        session = await jvmdebug.join()
        told = Told(session)
        await session.suspend()
        await typed.see("has joined")
        typed.type("quit")
        ended = await told.of(jvmdebug.Ended)
        assert await typed.end() == 0
        await until(lambda: session.is_disconnected)
        why = f"the program that the {session.owner} debugs has ended with exit code 143"
        assert ended == jvmdebug.Ended(jvmdebug.EndReason.EXITED, why)
        assert [each for each in told.events if isinstance(each, jvmdebug.Ended)] == []
        assert session.state is jvmdebug.SessionState.ENDED
        assert session.current_stops == ()
        assert await session.next_stop() is None
    assert jvmdebug.sessions() == []


async def test_a_prompt_is_told_of_the_end_and_of_a_new_start() -> None:
    async with owner() as typed, jvmdebug_command("join") as guest:
        await guest.see("Joined the session of the prompt")
        guest.type("break Company#add")
        await typed.see(r"The prompt \(process \d+\) has set a breakpoint:\nBreakpoint 1")
        await guest.see(r"Breakpoint 1, Company\.add")
        typed.type("kill")
        sentence = (
            r"The program that the prompt \(process \d+\) debugs has ended with exit code 143\.\n"
        )
        await guest.see(sentence)
        await typed.see("has ended with exit code")
        typed.type("run")
        await guest.see(r"Breakpoint 1, Company\.add")
        guest.type("print amount + 1")
        await guest.see(r"2  \(int\)")
        guest.type("quit")
        assert await guest.end() == 0


async def test_an_owner_that_dies_is_told_and_its_socket_removed() -> None:
    async with owner() as typed:
        (place,) = rendezvous.places()
        assert stat.S_IMODE(place.path.stat().st_mode) == 0o600
        assert stat.S_IMODE(place.path.parent.stat().st_mode) == 0o700
        session = await jvmdebug.join()
        told = Told(session)
        waiting = asyncio.create_task(session.next_stop())
        typed.process.send_signal(signal.SIGKILL)
        ended = await told.of(jvmdebug.Ended)
        gone = f"the session Company has ended: its owner, the {session.owner}, is gone"
        assert ended == jvmdebug.Ended(jvmdebug.EndReason.CONNECTION_LOST, gone)
        assert await waiting is None
        await typed.process.wait()
        with pytest.raises(jvmdebug.ConnectionLost, match="is gone"):
            await session.break_at("Company#add")
        assert place.path.exists()
        assert jvmdebug.sessions() == []
        assert not place.path.exists()


async def test_a_guest_that_dies_changes_nothing() -> None:
    async with owner() as typed:
        async with jvmdebug_command("join", "-c", "break Company#add") as guest:
            await guest.see("Joined the session of the prompt")
            await typed.see(r"Breakpoint 1, Company\.add")
            guest.process.kill()
            await guest.process.wait()
        await typed.see("has left this session")
        typed.type("where")
        await typed.see(r"#0  Company\.add")
        typed.type("continue")
        await typed.see(r"Breakpoint 1, Company\.add")


async def test_one_who_may_only_look(program: Debuggee) -> None:
    async with owner() as typed:
        typed.type("")
        session = await jvmdebug.join(read_only=True)
        assert session.is_read_only
        full = await asyncio.to_thread(jvmdebug.sync.join)
        stop = full.suspend()
        (seen,) = session.current_stops
        assert seen.all_threads
        assert await seen.frame_count() > 0
        kept = full.break_at(f"Company.java:{program.marked('add')[1]}")
        full.resume()
        full.next_stop(timeout_s=TIMEOUT_S)
        (seen,) = session.current_stops
        assert (await seen.frame.evaluate("total + amount")).value is not None
        (known,) = session.breakpoints
        for refused in (
            seen.resume(),
            seen.step_over(),
            session.resume(),
            session.suspend(),
            session.break_at("Company#main"),
            known.remove(),
            session.terminate(),
            session.write_stdin("x"),
            seen.frame.set("amount", "2"),
        ):
            with pytest.raises(jvmdebug.ReadOnlyError):
                await refused
        with pytest.raises(jvmdebug.ReadOnlyError):
            await seen.frame.evaluate("total = 5")
        with pytest.raises(jvmdebug.ReadOnlyError):
            session.settings.suspend = "thread"
        # Not even by what the guest's classes do not send, nor may others.
        debugs = await jvmdebug.join()
        guests: list[Any] = [session, debugs]
        for guest in guests:
            ask = guest._guest.link.ask
            for target, name in ((guest, "close"), (guest, "detach"), (guest.vm, "close")):
                with pytest.raises((jvmdebug.StateError, jvmdebug.ReadOnlyError)):
                    await ask("call", target, name)
            with pytest.raises(TypeError, match="not for those who have joined"):
                _ = guest.vm.connection
            with pytest.raises(jvmdebug.StateError):
                guest._guest.link.ask_at_once("get", guest, "__class__")
        assert [each.id for each in session.breakpoints] == [kept.id]
        await asyncio.to_thread(full.close)
        await debugs.close()
        assert not stop.is_current
        await session.close()


async def test_names_and_exit_codes() -> None:
    code, output, errors = await ask_process("join")
    assert (code, output) == (3, "")
    assert "there is no session to join" in errors
    assert await ask_process("sessions") == (0, "There is no session to join.\n", "")
    async with owner():
        code, output, errors = await ask_process("join", "Nope")
        assert (code, output) == (3, "")
        assert errors == "jvmdebug: there is no session Nope to join; there is: Company\n"
        code, output, _ = await ask_process(
            "join", "Company", "--batch", "-c", "pause", "-c", "where"
        )
        assert code == 0
        assert "Company.main" in output
        async with owner_beside():
            code, _, errors = await ask_process("join", "--batch")
            assert code == 3
            assert "there are several sessions, say which: Company, Company-2" in errors


@asynccontextmanager
async def owner_beside() -> AsyncIterator[None]:
    async with jvmdebug_command(
        *launch_options(newest_compiler(), "jvmdebug", "company", "Company")
    ) as typed:
        await typed.see("Set breakpoints, then `run`")
        await until(lambda: len(jvmdebug.sessions()) == 2)
        yield


async def test_a_second_editor(program: Debuggee) -> None:
    """It sees the stop and the breakpoint of the prompt, takes that over, and leaves."""
    path, line = program.marked("add")
    async with owner() as typed:
        typed.type("")
        first = await jvmdebug.join()
        theirs = await first.break_at(f"Company.java:{line}")
        await next_stop(first)
        async with local_client() as editor:
            attached = await editor.begin_debugging("attach", join="Company")
            await editor.configured(attached)
            stopped = await editor.event("stopped", reason="breakpoint")
            new = (await editor.event("breakpoint", reason="new"))["breakpoint"]
            assert (new["line"], new["source"]["name"]) == (line, path.name)
            (top, *_) = await editor.top_frames(stopped["threadId"])
            assert top["line"] == line
            assert int((await editor.locals_of(top))["amount"]["value"]) == 1
            assert new["message"].startswith("set by the script (process ")
            # The editor asks for all lines that it shows: the other's stays one.
            both = await editor.set_lines(path, line, program.marked("loop")[1])
            assert both[0]["id"] == new["id"]
            assert len(first.breakpoints) == 2
            await first.resume()
            await editor.event("continued")
            assert "has resumed the program" in editor.output("console")
            await editor.event("stopped", reason="breakpoint")
            await theirs.remove()
            gone = await editor.event("breakpoint", reason="removed")
            assert gone["breakpoint"]["id"] == new["id"]
            await editor.request("disconnect")
        assert len(first.current_stops) == 1
        async with stdio_adapter("--join") as (editor, _):  # an adapter that says what to join
            attached = await editor.begin_debugging("attach")
            await editor.configured(attached)
            await editor.event("stopped", reason="breakpoint")
            with pytest.raises(Refused, match="use the request `attach`"):
                await editor.request("launch", {"mainClass": "Company"})
            await editor.request("disconnect")
        await first.close()
        typed.type("pause")
        await typed.see("Company")


async def test_a_busy_agent_leads_to_the_session(start_jvm: StartJvm, program: Debuggee) -> None:
    """A second debugger is refused as ever, and told how to join the one that is there."""
    jvm = await start_jvm(program, suspend=False)
    at = f"127.0.0.1:{await jvm.port()}"
    async with jvmdebug_command("attach", at) as typed:
        await until_state("running")
        (shared,) = jvmdebug.sessions()
        code, _, errors = await ask_process("attach", at, "--timeout", "1", "--batch")
        assert code == 3
        assert f"process {typed.process.pid} " in errors
        assert errors.endswith(f"; `jvmdebug join {shared.name}` joins that session\n")
        code, _, errors = await ask_process("join", shared.name, "--batch", "-c", "pause")
        assert code == 0, errors


async def test_an_assistant(program: Debuggee) -> None:
    """It acts in the session of a prompt, and `panic` takes back what it has done alone."""
    async with owner() as typed:
        typed.type("")
        kept = await jvmdebug.join()
        mine = await kept.break_at("Company#main")
        parameters = StdioServerParameters(
            command=JVMDEBUG, args=["mcp", "--join"], env=dict(os.environ)
        )
        async with Client(stdio.stdio_client(parameters)) as client:

            async def ask(tool: str, **arguments: object) -> str:
                result = await client.call_tool(tool, arguments)
                return "\n".join(each.text for each in result.content if each.type == "text")

            assert "stop point 2" in await ask(
                "stop_at", where=f"Company.java:{program.marked('add')[1]}"
            )
            await typed.see(r"The assistant \(process \d+\) has set a breakpoint")
            stop = await ask("run")
            assert "stop point 2 in thread" in stop
            await next_stop(kept)
            await kept.resume()
            assert "has resumed the program" in await ask("stop_points")
            assert "removed 1 stop points" in await ask("panic")
            assert list(kept.breakpoints) == [mine]
        await typed.see(r"The assistant \(process \d+\) has left this session")
        await kept.close()


async def test_an_editor_that_owns_the_session(program: Debuggee) -> None:
    """It is told of guests, of what they do and of who resumes; an assistant has to be let in."""
    path, line = program.marked("add")
    async with stdio_client() as editor:
        editor.to_initialize = {"clientID": "vscode"}
        launched = await editor.begin_debugging(
            "launch",
            mainClass="Company",
            classPaths=[str(each) for each in program.class_path],
            sourcePaths=[str(program.source_dir)],
            javaExec=str(newest_compiler().java),
        )
        await editor.set_lines(path, line)
        await editor.configured(launched)
        await editor.event("stopped", reason="breakpoint")
        await until_state("stopped")
        with pytest.raises(jvmdebug.LaunchError, match="lets no assistant in: in VS Code, run"):
            await jvmdebug.join(kind="assistant")
        let = await editor.request("jvmdebug/letJoin", {"assistants": "read-only"})
        assert let == {"name": "Company", "assistants": "read-only", "guests": []}
        assistant = await jvmdebug.join("Company", kind="assistant")
        assert assistant.is_read_only
        guests = (await editor.event("jvmdebug/guests"))["guests"]
        assert [(each["kind"], each["role"]) for each in guests] == [("assistant", "read-only")]
        (theirs,) = [each for each in assistant.breakpoints if each.line == line]
        with pytest.raises(jvmdebug.ReadOnlyError):
            await theirs.remove()
        await assistant.close()
        assert (await editor.event("jvmdebug/guests"))["guests"] == []

        script = await jvmdebug.join("Company")
        mine = await script.break_at(f"Company.java:{program.marked('loop')[1]}")
        new = (await editor.event("breakpoint", reason="new"))["breakpoint"]
        assert new["source"]["path"] == str(path)
        assert new["line"] == mine.line
        # The editor takes it as one of its own: it changes and then removes it.
        await editor.set_lines(path, line, {"line": new["line"], "condition": "total > 1"})
        assert mine.condition == "total > 1"
        await script.resume()
        await editor.event("continued")
        stopped = await editor.event("stopped", reason="breakpoint")
        assert set(stopped["hitBreakpointIds"]) <= {1, new["id"]}
        told = Told(script)
        async with asyncio.timeout(TIMEOUT_S):
            while not mine.is_removed:  # a client that has just been told may not know it yet
                await editor.set_lines(path, line)
                await asyncio.sleep(0.2)
        assert (await told.of(jvmdebug.BreakpointChanged, change="removed")).by == script.owner
        await editor.request("disconnect")
        assert (await told.of(jvmdebug.Ended)).message == (
            f"the program that the {script.owner} debugs has ended with exit code 143"
        )
