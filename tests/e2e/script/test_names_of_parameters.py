# SPDX-License-Identifier: Apache-2.0
"""Names of parameters where no table of variables is: from `-parameters`, if our agent is there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.support.sessions import next_stop

if TYPE_CHECKING:
    from tests.e2e.script.conftest import Launch
    from tests.support.debuggees import DebugTables


@pytest.mark.parametrize("tables", ["lines", "none"])
async def test_parameters_have_their_names(launch_ours: Launch, tables: DebugTables) -> None:
    async with launch_ours("named", "Named", debug_tables=tables) as session:
        await session.break_at("Named#add", condition="wide == 2 && rest.length == 1")
        await session.break_at("Named$Inner#<init>")
        stop = await next_stop(session)
        shown = {each.name: await each.as_text() for each in await stop.frame.variables()}
        assert shown == {"first": "1", "wide": "2", "rest": 'String[1] {"x"}'}
        assert await (await stop.frame.evaluate("first + rest[0].length()")).as_text() == "2"
        assert await (await stop.frame.set("first", "5")).as_text() == "5"
        await stop.resume()
        stop = await next_stop(session)
        names = [each.name for each in await stop.frame.variables()]
        assert names[-2:] == ["given", "text"], "what javac has added is before them"
        await stop.resume()
        assert await session.wait() == 0


async def test_the_entry_of_a_weak_map_has_its_key(launch_ours: Launch) -> None:
    async with launch_ours("named", "Named") as session:
        await session.break_at("Named#look")
        stop = await next_stop(session)
        entry, none = await stop.frame.variables()
        assert await entry.as_text() == '"held"=7'
        assert await none.as_text() == "null=8"
        shown = {each.name: each for each in await entry.children()}
        assert list(shown) == ["key", "value"]
        assert await shown["key"].as_text() == '"held"'
        name = shown["key"].evaluate_name
        assert name is not None
        assert await (await stop.frame.evaluate(name)).as_text() == '"held"'
        await stop.resume()
        assert await session.wait() == 0
