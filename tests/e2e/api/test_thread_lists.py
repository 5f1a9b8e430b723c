# SPDX-License-Identifier: Apache-2.0
"""Threads in lists and dumps: what a stop holds is stopped, and the VM's own threads come last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.sessions import compiled, launched, next_stop

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

OF_VM = {"Reference Handler", "Finalizer", "Signal Dispatcher"}


async def test_the_state_of_what_a_stop_holds(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = compiled("observed", "Observed", jdk)
    async with launched(program, jdk, agent_kind, args=["spin"]) as session:
        at_tick = await session.break_at("Observed#tick")
        stop = await next_stop(session)
        for taken in (await session.thread_dump(), await session.snapshot()):
            assert taken.thread("main").status == "stopped"
            assert "running" not in {each.status for each in taken.threads}
            assert str(taken).startswith('"main" #')
        await at_tick.remove()
        await stop.resume()
        running = await session.thread_dump()
        assert running.thread("main").status in {"running", "sleeping"}


async def test_the_threads_of_the_vm_come_last(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = compiled("observed", "Observed", jdk)
    async with launched(program, jdk, agent_kind, args=["deadlock"]) as session:
        await session.break_at(f"Observed.java:{program.marker('second')}")
        await next_stop(session)
        dumped = [each.name for each in (await session.thread_dump()).threads]
        listed = [each.name for each in await session.threads()]
        for names in (dumped, listed):
            assert {"lefty", "righty", *OF_VM} <= set(names)
            last_own = max(names.index(each) for each in ("lefty", "righty"))
            assert last_own < min(names.index(each) for each in OF_VM)
