# SPDX-License-Identifier: Apache-2.0
"""Watched fields: of one object or all, read or written, with the values before and after."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug import BreakpointError, BreakpointLogged, BreakpointRequest, FieldSpec, StopReason
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk


async def test_fields_of_one_object_and_of_all(launch: Launch, jdk: Jdk) -> None:
    program = compiled("kinds", "kinds.Kinds", jdk)
    async with launch("kinds", "kinds.Kinds") as session:
        logged: list[str] = []
        session.subscribe(
            lambda event: logged.append(event.text) if isinstance(event, BreakpointLogged) else None
        )
        await session.break_at(f"kinds/Kinds.java:{program.marker('loop')}", once=True)
        stop = await next_stop(session)
        frame = stop.frame

        one = await frame.data_target("first.balance")
        assert (one.type_name, one.field_name) == ("kinds.Base", "balance"), "it is inherited"
        assert one.instance is not None
        variable = await frame.get("second")
        assert await variable.data_target("nothing") is None
        other = await variable.data_target("balance")
        assert other is not None
        static = await frame.data_target("Account.count")
        assert (str(static), static.instance) == ("kinds.Account.count", None)
        for text, why in (
            ("seen + 1", "no field"),
            ("first.nothing", "no field nothing"),
        ):
            with pytest.raises(BreakpointError, match=why):
                await frame.data_target(text)

        first = await session.watch(one, condition="$new - $old > 1")
        second = await session.watch(other, read=True, write=False)
        await session.watch(
            one.of_all_instances, condition="$new > 9", log_message="{name}: {$old} to {$new}"
        )
        counted = await session.watch(static, hit_condition=">= 6", suspend="thread")
        await stop.resume()

        seen = []
        async for stop in session.stops():
            change = stop.change
            assert change is not None
            assert stop.reason is StopReason.WATCHPOINT
            here = (await change.old.as_text(), await change.new.as_text())
            seen.append((stop.breakpoints, stop.frame.line, await change.as_text()))
            assert (await (await stop.frame.evaluate("$old")).as_text()) == here[0]
            assert (await (await stop.frame.evaluate("$new")).as_text()) == here[1]
            if stop.breakpoints == (second,) and stop.frame.line == program.marker("read"):
                break
        add, count = program.marker("add"), program.marker("count")
        name, number = "kinds.Base.balance", "kinds.Account.count"
        assert seen == [
            ((second,), add, f"{name}: 0 (read)"),
            ((first,), add, f"{name}: 1 -> 3"),
            ((second,), add, f"{name}: 10 (read)"),
            ((first,), add, f"{name}: 3 -> 6"),
            ((second,), add, f"{name}: 30 (read)"),
            ((counted,), count, f"{number}: 5 -> 6"),
            ((counted,), program.marker("static"), f"{number}: 6 -> 100"),
            ((second,), program.marker("read"), f"{name}: 60 (read)"),
        ]
        assert logged == ["second: 0 to 10", "second: 10 to 30", "second: 30 to 60"]
        assert (first.hits, second.hits) == (2, 4)
        assert stop.all_threads


async def test_a_field_is_watched_once_its_class_is_loaded(launch: Launch) -> None:
    async with launch("kinds", "kinds.Kinds") as session:
        watched = await session.watch("Account.name", condition='$old == null && $new == "second"')
        assert not watched.verified
        nothing = BreakpointRequest(FieldSpec("kinds.Account", "nothing"))
        (data,) = await session.breakpoints.replace("data", [nothing])
        stop = await next_stop(session)
        assert (stop.breakpoints, watched.verified) == ((watched,), True)
        assert stop.frame.method_name == "<init>"
        assert data.message == "kinds.Account has no field nothing"
        assert await session.breakpoints.replace("data", []) == ()
        assert session.breakpoints == (watched,)
