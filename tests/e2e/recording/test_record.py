# SPDX-License-Identifier: Apache-2.0
"""`session.record`: a recorded program does what it does alone, and the file says what that was."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import coverage, recording
from jvmdebug.jdwp.generated import recording as recording_set
from tests.support.bare_program import bare_program, ran_alone
from tests.support.debuggees import debuggee
from tests.support.sessions import launched
from tests.support.waiting import until

if TYPE_CHECKING:
    from pathlib import Path

    from jvmdebug.jdwp.command import Command
    from jvmdebug.recording import Call, Recorded, Recording
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

_NEEDS_OURS = "needs our agent: see test_what_only_our_agent_can"
_MAIN = "recorded.Cases"
_TYPE = "recorded.Cases"


async def _recorded(
    jdk: Jdk, agent_kind: AgentKind, path: Path, *args: str, what: str = "all"
) -> tuple[str, int | None, Recorded]:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    texts: list[str] = []

    def note(output: jvmdebug.Output) -> None:
        if output.stream == "stdout":
            texts.append(output.text)

    program = debuggee("recorded", _MAIN)
    async with launched(program, jdk, agent_kind, args=args, on_output=note) as session:
        recorder = session.record(path, what=what)
        async with recorder:
            await session.start()
            code = await session.wait()
        recorded = await recorder.stop()
    return "".join(texts), code, recorded


def _returned(found: Recording, name: str) -> list[Call]:
    return [each for each in found.calls() if each.name == f"{_TYPE}.{name}"]


async def test_what_only_our_agent_can(jdk: Jdk, agent_kind: AgentKind, tmp_path: Path) -> None:
    if agent_kind != "stock":
        pytest.skip("it is what the other agent refuses")
    async with launched(debuggee("recorded", _MAIN), jdk, agent_kind) as session:
        with pytest.raises(jvmdebug.UnsupportedError, match="recording"):
            async with session.record(tmp_path / "a.jvmrec"):
                pass


@pytest.mark.parametrize(
    ("how", "what"), [("exit", "all"), ("halt", "lines"), ("throw", "calls"), ("", "all")]
)
async def test_a_recorded_program_does_what_it_does_alone(
    how: str, what: str, jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    path = tmp_path / "a.jvmrec"
    output, code, recorded = await _recorded(jdk, agent_kind, path, how, what=what)
    assert (output, code) == await ran_alone(jdk, debuggee("recorded", _MAIN), [how])
    assert recorded.lost == 0
    assert recorded.records > 10_000
    if os.name == "posix":
        assert path.stat().st_mode & 0o777 == 0o600
    with recording.open(path) as found:
        assert found.ending is not None
        assert (found.ending.how, found.ending.exit_code) == ("exited", code)
        # Each case has returned what the program has printed.
        printed = dict(each.split("=") for each in output.splitlines() if "=" in each)
        results = {
            each.name.rpartition(".")[2]: each.result
            for each in found.calls()
            if each.name.startswith(f"{_TYPE}.")
        }
        assert {name: results.get(name) for name in printed} == printed
        assert len(printed) > 20


async def test_values_are_those_that_the_program_prints(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    path = tmp_path / "a.jvmrec"
    output, _, _ = await _recorded(jdk, agent_kind, path)
    printed = [each.split()[1] for each in output.splitlines() if each.startswith("value ")]
    with recording.open(path) as found:
        values = [each.text for each in found.writes("value") if ".logged(" in each.where]
        assert values == printed
        # Recursion, and exceptions that leave frames: each call has its end.
        fibs = _returned(found, "fib")
        assert {each.result for each in fibs if each.arguments == ("15",)} == {"610"}
        assert all(each.end is not None for each in fibs)
        (refused,) = [each for each in _returned(found, "locked") if each.arguments[-1:] == ("4",)]
        assert "more than 3" in refused.exception
        # The initializer, the inherited constructor and the lambda are recorded as other code is.
        names = {each.name for each in found.calls()}
        assert f"{_TYPE}$Lazy.<clinit>" in names
        assert f"{_TYPE}$Base.<init>" in names
        assert any("lambda$" in each for each in names)
        assert len({each.thread for each in fibs}) > 2


async def test_a_method_of_a_running_program_once(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    path = tmp_path / "a.jvmrec"
    program = debuggee("recorded", "recorded.Serving")
    async with launched(program, jdk, agent_kind) as session:
        await session.start()
        recorder = session.record(path, method=f"{_TYPE}#recursion", times=1)
        async with recorder:
            await until(lambda: recorder.is_over)
    with recording.open(path) as found:
        outermost = [each for each in found.calls() if each.depth == 0]
        assert [(each.name, each.result) for each in outermost] == [(f"{_TYPE}.recursion", "610")]
        assert len(_returned(found, "fib")) == 1973


async def test_a_program_that_was_attached_to_late_and_killed(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    path = tmp_path / "a.jvmrec"
    program = debuggee("recorded", "recorded.Serving")
    async with (
        bare_program(jdk, program=program) as running,
        jvmdebug.attach(pid=running.pid) as session,
    ):
        recorder = session.record(path, only=[f"{_TYPE}*"])
        async with recorder:
            await until(lambda: recorder.records > 50_000)  # some calls
            os.kill(running.pid, signal.SIGKILL)
            await session.wait()
        recorded = await recorder.stop()
    assert recorded.records > 0
    assert any("killed" in each for each in recorded.notes)
    with recording.open(path) as found:
        assert {each.result for each in _returned(found, "recursion") if each.end} == {"610"}


async def test_what_cannot_be_recorded(jdk: Jdk, agent_kind: AgentKind, tmp_path: Path) -> None:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    async with launched(debuggee("recorded", _MAIN), jdk, agent_kind) as session:
        with pytest.raises(recording.RecordingError, match="is no method"):
            session.record(tmp_path / "a.jvmrec", method="recursion")
        with pytest.raises(recording.RecordingError, match="calls, lines, all"):
            session.record(tmp_path / "a.jvmrec", what="everything")
        with pytest.raises(recording.RecordingError, match="cannot write"):
            async with session.record(tmp_path / "missing" / "a.jvmrec"):
                pass
        with pytest.raises(recording.RecordingError, match="no pattern"):
            async with session.record(tmp_path / "a.jvmrec", only=["a/b"]):
                pass
        async with session.coverage():
            with pytest.raises(jvmdebug.StateError, match="coverage is under way"):
                async with session.record(tmp_path / "a.jvmrec"):
                    pass
        async with session.record(tmp_path / "a.jvmrec"):
            with pytest.raises(jvmdebug.StateError, match="a recording is under way"):
                async with session.coverage():
                    pass
            with pytest.raises(jvmdebug.StateError, match="a recording is under way"):
                async with session.record(tmp_path / "b.jvmrec"):
                    pass
        async with session.coverage():
            pass
        assert not (tmp_path / "b.jvmrec").exists()


async def test_what_cannot_begin_leaves_the_file_as_it_was(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    path = tmp_path / "a.jvmrec"
    path.write_bytes(b"the one before")
    async with launched(debuggee("recorded", "recorded.Serving"), jdk, agent_kind) as session:
        with pytest.raises(recording.RecordingError, match="no space left on device"):
            async with session.record("/dev/full"):
                pass
        vm = session.record(path)._router.vm
        asked = asyncio.Event()
        request = vm.request

        async def held(command: Command[object]) -> object:
            reply = await request(command)
            if isinstance(command, recording_set.Start):
                asked.set()
                await asyncio.Event().wait()
            return reply

        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(vm, "request", held)
            starting = asyncio.create_task(session.record(path).__aenter__())
            await asked.wait()
            starting.cancel()
            await asyncio.wait({starting})
        assert starting.cancelled()
        assert path.read_bytes() == b"the one before"
        assert await asyncio.to_thread(lambda: list(tmp_path.iterdir())) == [path]
        reply = await vm.request(recording_set.Read(known=0, all=True, again=False))
        assert not reply.is_running
        async with session.record(path):
            await session.start()
    with recording.open(path) as found:
        assert found.ending is not None


async def test_two_that_begin_at_once(jdk: Jdk, agent_kind: AgentKind, tmp_path: Path) -> None:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    async with launched(debuggee("recorded", _MAIN), jdk, agent_kind) as session:
        begun: list[recording.Recorder | coverage.CoverageRecording] = [
            session.record(tmp_path / "a.jvmrec"),
            session.record(tmp_path / "b.jvmrec"),
            session.coverage(),
        ]
        results = await asyncio.gather(
            *(each.__aenter__() for each in begun), return_exceptions=True
        )
        refused = [each for each in results if isinstance(each, jvmdebug.StateError)]
        assert len(refused) == 2
        for each in begun:
            if each in results:
                await each.__aexit__(None, None, None)
        async with session.coverage():
            pass


async def test_a_stop_that_is_cancelled_ends_the_recording(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    path = tmp_path / "a.jvmrec"
    async with launched(debuggee("recorded", "recorded.Serving"), jdk, agent_kind) as session:
        await session.start()
        recorder = session.record(path)
        await recorder.__aenter__()
        await until(lambda: recorder.records > 1000)
        recorder._lost += 7
        stopping = asyncio.create_task(recorder.stop())
        await asyncio.sleep(0)
        stopping.cancel()
        await asyncio.wait({stopping})
        recorded = await recorder.stop()
        reply = await recorder._router.vm.request(
            recording_set.Read(known=0, all=True, again=False)
        )
        assert not reply.is_running
        assert recorded.records > 1000
    with recording.open(path) as found:
        assert found.ending is not None
        assert found.ending.how == "stopped"
        assert sum("were lost" in each for each in found.notes) == 1
    assert sum("were lost" in each for each in recorded.notes) == 1


async def test_every_call_of_a_fast_program_is_there(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    """Full chunks, and what is taken of chunks that are being filled, in arrays that are used
    again.
    """
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    path, legs = tmp_path / "flight.jvmrec", 20_000
    program = debuggee("flight", "flight.Flight")
    args = [str(tmp_path / "end"), str(legs)]
    async with launched(program, jdk, agent_kind, args=args) as session:
        async with session.record(path) as recorder:
            await session.start()
            for records in range(1_000, 9_000, 1_000):
                await until(lambda least=records: recorder.records > least)  # type: ignore[misc]
                (await recorder.reader()).close()
            await session.wait()
        assert (await recorder.stop()).lost == 0
    with recording.open(path) as found:
        calls = [each for each in found.calls() if each.name == "flight.Flight.fly"]
        assert [each.arguments for each in calls] == [(str(each),) for each in range(legs)]
        assert len(list(found.writes("total"))) == legs


@pytest.mark.agent
async def test_what_threads_keep_out_is_said_at_the_end(jdk: Jdk, tmp_path: Path) -> None:
    async with (
        bare_program(jdk) as running,
        jvmdebug.attach(pid=running.pid) as session,
        session.record(tmp_path / "a.jvmrec") as recorder,
    ):
        (await recorder.reader()).close()
        recorded = await recorder.stop()
    assert recorded.records == 0
    assert any("methods that threads ran all the time" in each for each in recorded.notes)


async def test_every_call_of_each_thread_is_there(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    """Threads hand arrays on to each other, while all that they have recorded is read."""
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    path, threads, legs = tmp_path / "flights.jvmrec", 4, 1_500
    program = debuggee("flight", "flight.Flights")
    async with launched(program, jdk, agent_kind, args=[str(threads), str(legs)]) as session:
        async with session.record(path, what="calls") as recorder:
            ended = asyncio.ensure_future(session.wait())
            await session.start()
            while not ended.done():
                with contextlib.suppress(recording.RecordingError):  # it has just ended
                    (await recorder.reader()).close()
                await asyncio.wait({ended}, timeout=0.01)
        assert (await recorder.stop()).lost == 0
    with recording.open(path) as found:
        for number in range(3 * threads):
            (thread,) = [each for each in found.threads if each.name == f"flight {number}"]
            calls = found.calls(thread.number)
            flown = [each.arguments for each in calls if each.name == "flight.Flights.fly"]
            name = f'"thread {number}"'
            expected = range(legs * (1 + number % 3))
            assert flown == [(str(each), str(each << 32 | number), name) for each in expected]


async def test_no_more_is_recorded_when_the_file_is_full(
    jdk: Jdk, agent_kind: AgentKind, tmp_path: Path
) -> None:
    if agent_kind == "stock":
        pytest.skip(_NEEDS_OURS)
    path, end = tmp_path / "full.jvmrec", tmp_path / "end"
    program = debuggee("coverage_seen", "seen.Seen")
    async with launched(program, jdk, agent_kind, args=[str(end)]) as session:
        async with session.record(path, limit=20_000) as recorder:
            await session.start()
            await until(lambda: recorder.is_over)
            full = recorder.records
            end.touch()
            assert await session.wait() == 0
        recorded = await recorder.stop()
    assert recorded.size >= 20_000
    assert "it ends soon after the file had 20,000 bytes, the limit" in recorded.notes
    with recording.open(path) as found:
        assert recorded.notes[-1] in found.notes
        assert any(each.name == "seen.Seen.step" for each in found.calls())
    assert recorded.records >= full
