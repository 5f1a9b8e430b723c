# SPDX-License-Identifier: Apache-2.0
"""Probes in classes that the transformers of other agents change, before us and after."""

from __future__ import annotations

import asyncio
import zipfile
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.attaching.attach_protocol import ask, attach_target
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from pathlib import Path

    from tests.e2e.script.conftest import Launch
    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk

TOPIC, MAIN = "hooked", "Hooked"
_MANIFEST = """Manifest-Version: 1.0
Premain-Class: HookingAgent
Agent-Class: HookingAgent
Can-Retransform-Classes: true

"""


_WAITS = (
    "a class file transformer of the program has not answered in time: it may wait for a thread "
    "that waits for the debugger"
)


def _agent(program: Debuggee, folder: Path) -> Path:
    jar = folder / "hooking.jar"
    with zipfile.ZipFile(jar, "w") as file:
        file.writestr("META-INF/MANIFEST.MF", _MANIFEST)
        file.write(program.class_path[0] / "HookingAgent.class", "HookingAgent.class")
    return jar


async def _hits(session: jvmdebug.Session, program: Debuggee, way: str) -> list[str]:
    """The program, with probes that come, hit, change and go; where it was hit by them."""
    passed, round_, word = (
        f"Hooked.java:{program.marker(each)}" for each in ("passed", "round", "word")
    )
    asking = await session.break_at(passed, condition="i == 7")
    every = await session.break_at(passed, condition="i >= 0", hit_condition="% 10")
    after = await session.break_at(round_)
    seen: list[str] = []
    while (stop := await session.next_stop(timeout_s=30)) is not None:
        (hit,) = stop.breakpoints
        names = {asking: "asking", every: "every", after: "round"}
        seen.append(f"{names[hit]} {stop.frame.line}")
        if hit is not after:
            assert [(at.how, at.why_event) for at in hit.locations] == [(way, None)]
        elif not asking.is_removed:
            # The class changes, and the transformer is asked, on a thread of our agent.
            unhit = await session.break_at(word, condition="rounds < -9")
            assert [(at.how, at.why_event) for at in unhit.locations] == [(way, None)]
            assert (asking.hits, every.hits) == (1, 10)
            await asking.remove()
        elif not every.is_removed:
            await every.remove()
        else:
            await after.remove()
        await stop.resume()
    return seen


@pytest.mark.parametrize("order", ["before", "after"])
@pytest.mark.parametrize("kind", ["at load", "retransform", "retransform calls"])
async def test_an_agent_of_the_command_line(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path, kind: str, order: str
) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    option = f"-javaagent:{_agent(program, tmp_path)}={kind.replace(' ', '-')}"
    more = {"env": {"JAVA_TOOL_OPTIONS": option}} if order == "before" else {"vm_args": [option]}
    written: list[str] = []
    async with launch_ours(
        TOPIC, MAIN, on_output=lambda piece: written.append(piece.text), **more
    ) as session:
        seen = await _hits(session, program, "probe")
        assert await session.wait() == 0
    passed, round_ = program.marker("passed"), program.marker("round")
    assert seen == [
        f"asking {passed}",
        f"every {passed}",
        f"round {round_}",
        f"every {passed}",
        f"round {round_}",
        f"round {round_}",
    ]
    assert "".join(written).count("other 90\n") == 3, written


async def test_an_agent_that_comes_while_probes_are_there(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path
) -> None:
    """The transformer changes the class, and is asked again when the probes go."""
    program = compiled(TOPIC, MAIN, jdk)
    jar = _agent(program, tmp_path)
    passed, round_ = (f"Hooked.java:{program.marker(each)}" for each in ("passed", "round"))
    written: list[str] = []
    quiet = ["-XX:+EnableDynamicAgentLoading"] if jdk.version >= 21 else []
    async with launch_ours(
        TOPIC,
        MAIN,
        args=["wait"],
        vm_args=quiet,
        on_output=lambda piece: written.append(piece.text),
    ) as session:
        asking = await session.break_at(passed, condition="i == 7")
        after = await session.break_at(round_, condition="sum > 0")
        first = await session.break_at(passed, condition="i == 1")
        stop = await next_stop(session)
        assert stop.breakpoints == (first,)
        await first.remove()
        assert [(at.how, at.why_event) for at in asking.locations] == [("probe", None)]
        await stop.resume()
        assert session.pid is not None
        loading = ("load", "instrument", "false", f"{jar}=retransform")
        reply = await asyncio.to_thread(ask, attach_target(session.pid), *loading, timeout_s=30)
        assert reply.text.strip().endswith("0"), reply
        for number in range(1, 4):
            if number < 3:
                stop = await next_stop(session)
                assert stop.breakpoints == (asking,)
                assert asking.hits == number
                await stop.resume()
            stop = await next_stop(session)
            assert stop.breakpoints == (after,)
            assert await (await stop.frame.evaluate("word()")).as_text() == '"other"'
            if number == 2:
                await asking.remove()
            await stop.resume()
        assert await session.wait() == 0
    assert "".join(written).count("other 90\n") == 3, written


async def test_a_transformer_that_needs_the_class_initialized(
    launch_ours: Launch, jdk: Jdk, tmp_path: Path
) -> None:
    """The thread that is about to initialize it waits for us, and we for the transformer."""
    program = compiled(TOPIC, "Touched", jdk)
    late = f"Touched.java:{program.marker('late')}"
    option = f"-javaagent:{_agent(program, tmp_path)}=retransform-touches"
    ways: list[tuple[str, str | None]] = []

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, jvmdebug.BreakpointChanged):
            ways.extend((at.how, at.why_event) for at in event.breakpoint.locations)

    async with launch_ours(TOPIC, "Touched", vm_args=[option]) as session, asyncio.timeout(60):
        session.subscribe(note)
        held = await session.break_at(late, condition="i == 2")
        stop = await next_stop(session)
        assert stop.breakpoints == (held,)
        assert await (await stop.frame.get("next")).as_text() == "3"
        assert ("event", _WAITS) in ways
        # The class is initialized now: nothing is in the way any more.
        assert [(at.how, at.why_event) for at in held.locations] == [("probe", None)]
        again = await session.break_at(late, condition="i == 3")
        await held.remove()
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (again,)
        await stop.resume()
        assert await session.wait() == 0
