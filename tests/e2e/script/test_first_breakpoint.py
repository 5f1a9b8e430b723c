# SPDX-License-Identifier: Apache-2.0
"""What the first breakpoint in a source asks of the VM, which has hundreds of the JDK's classes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

MOST: Final = 60
"""The most commands for a breakpoint in a small class; each class of the JDK would cost two."""


async def test_classes_of_the_jdk_cost_no_commands(launch: Launch, jdk: Jdk) -> None:
    program = compiled("probed", "Probed", jdk)
    async with launch("probed", "Probed") as session:
        await session.break_at("Probed#main", once=True)
        await next_stop(session)
        before = session.vm.connection.round_trips
        placed = await session.break_at(f"Probed.java:{program.marker('ready')}")
        assert placed.verified
        assert session.vm.connection.round_trips - before < MOST
        await session.kill()


async def test_a_class_of_the_jdk_in_the_file_of_another(launch: Launch) -> None:
    async with launch("probed", "Probed") as session:
        await session.break_at("Probed#main", once=True)
        stop = await next_stop(session)
        await stop.frame.evaluate("new java.util.Timer(true)")
        loop = await session.break_at("java.util.TimerThread#mainLoop")
        (line,) = {each.line for each in loop.locations}
        placed = await session.break_at(f"Timer.java:{line}")
        (found,) = placed.locations
        assert found.code is not None
        assert found.code.type.name == "java.util.TimerThread"
        await session.kill()


async def test_classes_of_other_sources_do_not_wait(launch: Launch, jdk: Jdk) -> None:
    """Each class prepare event holds a thread of the program until it is answered."""
    program = compiled("probed", "Probed", jdk)
    async with launch("probed", "Probed") as session:
        await session.break_at(f"Probed.java:{program.marker('ready')}")
        before = session.vm.connection.round_trips
        await next_stop(session)
        assert session.vm.connection.round_trips - before < MOST
        await session.kill()
