# SPDX-License-Identifier: Apache-2.0
"""Sessions without await: the synchronous API on real programs, and sessions without a context."""

from __future__ import annotations

import subprocess
import threading
from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug
import jvmdebug.sync
from jvmdebug import LaunchError, StateError, StopReason
from tests.support import process
from tests.support.listening import is_running
from tests.support.sessions import compiled

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TOPIC, MAIN = "observed", "Observed"


@pytest.fixture
def program(jdk: Jdk, agent_kind: AgentKind) -> dict[str, Any]:
    """The arguments of a launch."""
    built = compiled(TOPIC, MAIN, jdk)
    return {
        "main_class": MAIN,
        "class_path": built.class_path,
        "source_path": [built.source_dir],
        "java": jdk.home,
        **process.launch_options(agent_kind),
    }


def test_a_session_from_a_script(program: dict[str, Any]) -> None:
    before = threading.active_count()
    output: list[str] = []
    stopped: list[str] = []
    opening = jvmdebug.sync.launch(
        **program, args=["fields"], on_output=lambda piece: output.append(piece.text)
    )
    with opening as session:
        breakpoint_ = session.break_at("Observed#clear")
        assert list(session.breakpoints) == [breakpoint_]
        assert session.breakpoints[0] == breakpoint_

        def on_event(event: jvmdebug.sync.Stopped | object) -> None:
            if isinstance(event, jvmdebug.sync.Stopped):  # a callback may ask for more
                stopped.append(event.stop.frame.evaluate("it.owner").as_text())

        session.subscribe(on_event)
        for stop in session.stops():
            assert stop.reason is StopReason.FUNCTION_BREAKPOINT
            assert stop.thread in session.threads()
            (variable,) = stop.frame.variables()
            assert variable.as_text().startswith("Observed@")
            assert variable.value.type().name == "Observed"  # type: ignore[union-attr]
            with session.who_sets("Observed.counter") as writes:
                stop.resume()
                assert [write.new.value for write in writes] == [7, 0]
    assert session.exit_code in (0, None)
    assert stopped == ['"Bob"']
    assert "".join(output) == "done\n"
    with pytest.raises(StateError, match="the session is closed"):
        session.next_stop()
    session.close()
    with pytest.raises(StateError, match="entered before"):
        opening.__enter__()
    assert threading.active_count() == before


def test_two_programs_at_a_prompt(program: dict[str, Any]) -> None:
    before = threading.active_count()
    one = jvmdebug.sync.open(**program, args=["spin"])
    two = jvmdebug.sync.open(**program, args=["spin"])
    for each in (one, two):
        with pytest.raises(TimeoutError):
            each.next_stop(timeout_s=0.05)
    trace = one.trace("Observed#tick", limit=1)
    (call,) = trace.collect()
    assert call.method == "Observed#tick"
    assert two.suspend().reason is StopReason.PAUSE
    pids = (one.pid, two.pid)
    one.close()
    assert two.current_stops
    two.close()
    assert not any(is_running(pid) for pid in pids if pid is not None)
    assert threading.active_count() == before


def test_a_launch_that_fails_leaves_no_thread(program: dict[str, Any]) -> None:
    before = threading.active_count()
    with pytest.raises(LaunchError), jvmdebug.sync.launch(program="nothing.jar"):
        pass
    with pytest.raises(LaunchError):
        jvmdebug.sync.open(program="nothing.jar")
    with jvmdebug.sync.listen() as listener:
        request = jvmdebug.ProgramRequest(
            main_class=MAIN,
            class_path=program["class_path"],
            java=program["java"],
            agent=program["agent"],
        )
        command = listener.command(request)
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as vm:
            session = listener.session()
            session.resume()
            session.wait()
            assert vm.wait() == 0
    assert threading.active_count() == before


async def test_a_session_without_a_context(program: dict[str, Any]) -> None:
    session = await jvmdebug.open_launch(**program, args=["spin"])
    await session.start()
    pid = session.pid
    assert pid is not None
    await session.close()
    await session.close()
    assert not is_running(pid)
    async with await jvmdebug.open_launch(**program, args=["calls"]) as session:
        assert await session.next_stop() is None
    async with jvmdebug.launch(**program, args=["spin"]) as session:
        await session.close()
        assert str(session.state) == "ended"
