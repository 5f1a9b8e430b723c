# SPDX-License-Identifier: Apache-2.0
"""A thread without a name is called everywhere as Thread.toString() of new JDKs begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jvmdebug
from tests.support.debuggees import debuggee
from tests.support.sessions import launched, next_stop

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


async def test_a_thread_without_a_name(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = debuggee("nameless", "Nameless")
    kinds = 2 if jdk.version >= 21 else 1
    async with launched(program, jdk, agent_kind) as session:
        logged: list[jvmdebug.BreakpointLogged] = []
        session.subscribe(
            lambda event: (
                logged.append(event) if isinstance(event, jvmdebug.BreakpointLogged) else None
            )
        )
        source, line = program.marked("logged")
        await session.break_at(f"{source}:{line}", log_message="here")
        source, line = program.marked("work")
        await session.break_at(f"{source}:{line}")
        names: list[str] = []
        async with session.trace("Nameless#call") as calls:
            for _ in range(kinds):
                await session.start()
                stop = await next_stop(session)
                shown = await (await stop.frame.evaluate("shown")).as_text()
                name = shown.strip('"')
                assert stop.thread.name == name
                assert name in {each.name for each in await session.threads()}
                if agent_kind == "jvmdebug" or not await stop.thread.is_virtual():
                    dump = await session.thread_dump()
                    assert name in {each.name for each in dump.threads}
                names.append(name)
                await session.resume()
                assert (await anext(calls)).thread == name
        await session.wait()
        assert [each.thread.name for each in logged] == names
        assert [each.split("#")[0] for each in names] == ["Thread[", "VirtualThread["][:kinds]
