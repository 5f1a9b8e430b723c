# SPDX-License-Identifier: Apache-2.0
"""Programs without tables of variables, started without any flag: which slots a check may take."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.sessions import next_stop, texts

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent


async def test_methods_whose_slots_are_empty_behind_a_branch_change_once(
    jdk: Jdk, tmp_path: Path
) -> None:
    """The VM refuses code that reads such a slot. All were then tried again in halves: with H2's
    parser and its 141 methods, five minutes.
    """
    program = debuggee("scoped", "Scoped", debug_tables="lines")
    log = tmp_path / "changes.log"
    async with (
        bare_program(jdk, f"-Xlog:redefine+class+load=info:file={log}", program=program) as running,
        jvmdebug.attach(pid=running.pid) as session,
    ):
        placed = await session.break_at("Scoped#*", hit_condition="1000000000")
        methods = {each.method_name for each in placed.locations}
        assert {"first", "second", "third"} <= methods, placed.message
        assert len(re.findall(r"redefined name=Scoped,", log.read_text())) == 1
        await placed.remove()

        await session.break_at("Scoped#second", once=True)
        stop = await next_stop(session)
        seen = []
        for _ in range(3):
            await stop.step_over()
            stop = await next_stop(session)
            seen.append(await texts(stop.frame))
        assert seen[0] == {"arg0": '"text"', "slot1": "0"}, "nothing is in slot 2 yet"
        assert set(seen[1]) == {"arg0", "slot1", "slot2"}
        await stop.resume()
