# SPDX-License-Identifier: Apache-2.0
"""Watched arrays in a program that was started without any flag."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.bare_program import bare_program
from tests.support.debuggees import debuggee
from tests.support.sessions import next_stop

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent


async def test_stores_into_one_array(jdk: Jdk) -> None:
    program = debuggee("stores", "Running")
    async with (
        bare_program(jdk, program=program) as running,
        jvmdebug.attach(pid=running.pid) as session,
    ):
        await session.break_at(f"Running.java:{program.marker('running-pass')}", once=True)
        stop = await next_stop(session)
        watch = await session.watch(await stop.frame.data_target("WATCHED[2]"))
        assert {each.how for each in watch.locations} == {"probe"}
        values = []
        for _ in range(3):
            await stop.resume()
            stop = await next_stop(session)
            assert stop.breakpoints == (watch,)
            assert stop.change is not None
            assert (stop.frame.line, stop.change.index) == (program.marker("running-put"), 2)
            assert await (await stop.frame.get("index")).as_text() == "2"
            values.append(int(await stop.change.new.as_text()))
        assert all(each % 200 == 100 for each in values), values
        assert values == [values[0] + 200 * each for each in range(3)]
        await watch.remove()
        await stop.resume()


async def test_a_method_of_which_nobody_knows_what_its_slots_keep(jdk: Jdk) -> None:
    """The VM refuses a check that takes a slot which another way to the store leaves empty."""
    program = debuggee("stores", "Running")
    async with (
        bare_program(jdk, program=program) as running,
        jvmdebug.attach(pid=running.pid) as session,
    ):
        await session.break_at(f"Running.java:{program.marker('running-put')}", once=True)
        stop = await next_stop(session)
        watch = await session.watch(await stop.frame.data_target("COUNTS[1]"))
        assert watch.message is None
        in_map = [each for each in watch.locations if each.type_name == "Running$1"]
        assert [each.how for each in in_map] == ["probe"] * 2
        await stop.resume()
        stop = await next_stop(session)
        assert stop.change is not None
        assert (stop.frame.method_name, stop.change.index) == ("pass", 1)
