# SPDX-License-Identifier: Apache-2.0
"""A log point writes an object as string concatenation in the program does, whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import BreakpointLogged
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from jvmdebug.launch.agent_library import ProbeChoice
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

WHOLE = "{order}|{orders}|{levels}|{any}|{text}|{nothing}"
WRITTEN = "{order}|{orders}|{levels}|{text}|{nothing}"
"""Without the value of type Object, which may be an array: the program writes it itself."""
OTHERS = "{numbers} {broken}"


@pytest.mark.parametrize("probes", ["auto", "off"])
async def test_objects_are_written_as_the_program_writes_them(
    launch: Launch, jdk: Jdk, probes: ProbeChoice
) -> None:
    program = compiled("log_objects", "LogObjects", jdk)
    found: dict[str, list[str]] = {}

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            found.setdefault(str(event.breakpoint.log_message), []).extend(event.text.splitlines())

    async with launch("log_objects", "LogObjects") as session:
        session.settings.probes = probes
        session.subscribe(note)
        line = f"LogObjects.java:{program.marker('look')}"
        for message in (WHOLE, WRITTEN, OTHERS):
            await session.break_at(line, log_message=message)
        await session.break_at(f"LogObjects.java:{program.marker('end')}")
        stop = await next_stop(session)
        assert stop.frame is not None
        texts = await stop.frame.evaluate("TEXTS")
        plain = [await each.full_text() for each in await texts.children()]
        why = {
            str(each.breakpoint.log_message): each.why_not_written
            for each in await session.probes()
        }
    assert len(plain[0]) > 4000
    assert found[WHOLE] == plain
    assert found[WRITTEN] == [
        "|".join((*each.split("|")[:3], *each.split("|")[4:])) for each in plain
    ]
    assert found[OTHERS][0].startswith("int[2] {0, 2} <broken: ")
    assert "java.lang.IllegalStateException" in found[OTHERS][0]
    if probes == "auto" and why:
        assert why[WRITTEN] is None, why


async def test_a_read_only_session_reads_the_text(launch: Launch, jdk: Jdk) -> None:
    """Write the text of a toString() that only reads; else the object as it is shown elsewhere."""
    program = compiled("log_objects", "LogObjects", jdk)
    logged: list[str] = []

    def note(event: jvmdebug.SessionEvent) -> None:
        if isinstance(event, BreakpointLogged):
            logged.extend(event.text.splitlines())

    async with launch("log_objects", "LogObjects") as session:
        session.forbid_changes()
        session.subscribe(note)
        await session.break_at(f"LogObjects.java:{program.marker('look')}", log_message="{order}")
        await session.break_at(f"LogObjects.java:{program.marker('end')}")
        await next_stop(session)
    assert logged[1] == 'rush "1"'
    assert logged[0].startswith("Order@")
