# SPDX-License-Identifier: Apache-2.0
"""The names of parameters stay where the agent may not read the memory of the VM (`vmreads=n`).

Before JDK 20 HotSpot gives up the attribute MethodParameters of each class that is changed
(JDK-8240908). Reflection tells it before the change; where it cannot, a line says what is lost.
"""

from __future__ import annotations

import dataclasses
import shutil
from typing import TYPE_CHECKING

import pytest

from tests.e2e.attributes.conftest import Program
from tests.support.sessions import compiled, launched, next_stop

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk

LAST_THAT_LOSES_THEM = 19
UNREAD = {"_JAVA_JDWP_OPTIONS": "vmreads=n"}

pytestmark = [pytest.mark.agent, pytest.mark.timeout(180)]


async def test_reflection_says_the_same(jdk: Jdk, tmp_path: Path) -> None:
    program = Program(jdk, tmp_path)
    if jdk.version < 17:  # see test_kept_attributes.py
        program.methods = tuple(each for each in program.methods if "Named$1" not in each)
    changed = {each.partition("#")[0] for each in program.methods}
    async with launched(
        program.debuggee,
        jdk,
        "jvmdebug",
        vm_args=program.vm_args,
        args=program.args,
        env=UNREAD,
    ) as session:
        await session.resume()
        before = await program.ask("describe")
        for _ in range(2):
            probes = [await session.break_at(each, condition="false") for each in program.methods]
            assert {at.how for each in probes for at in each.locations} == {"probe"}
            await program.changed(changed)
            assert await program.ask("describe") == before
            for each in probes:
                await each.remove()
            await program.changed(changed)
            assert await program.ask("describe") == before
        await session.detach()
        await program.end()


@pytest.mark.parametrize("reads", [True, False])
async def test_a_line_says_what_may_be_lost(jdk: Jdk, tmp_path: Path, *, reads: bool) -> None:
    """Reflection fails, as the class of a parameter is missing; the program goes on."""
    made = compiled("attributes", "attributes.Lacking", jdk)
    shutil.copytree(made.class_path[0], tmp_path / "classes")
    (tmp_path / "classes" / "attributes" / "Lacking$Missing.class").unlink()
    program = dataclasses.replace(made, class_path=(tmp_path / "classes",))
    written: list[str] = []
    async with launched(
        program,
        jdk,
        "jvmdebug",
        env={} if reads else UNREAD,
        on_output=lambda piece: written.append(piece.text),
    ) as session:
        line = f"Lacking.java:{program.marker('lacking')}"
        held = await session.break_at(line, condition="number == 2")
        stop = await next_stop(session)
        assert stop.breakpoints == (held,)
        assert held.locations[0].how == "probe", held.locations[0].why_event
        await stop.resume()
        assert await session.wait() == 0, written
    is_said = "attributes/Lacking; may lose the names of its parameters" in "".join(written)
    assert is_said == (not reads and jdk.version <= LAST_THAT_LOSES_THEM)
