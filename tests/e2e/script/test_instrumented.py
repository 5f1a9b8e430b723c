# SPDX-License-Identifier: Apache-2.0
"""Programs whose classes an agent has put code into: JaCoCo, in front of each method."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug import JUST_MY_CODE, Outcome, StepFilters, StopReason
from tests.support.libraries import library, maven
from tests.support.sessions import compiled, next_stop

if TYPE_CHECKING:
    from tests.e2e.script.conftest import Launch
    from tests.support.jdks import Jdk

pytestmark = [
    pytest.mark.network,
    pytest.mark.skipif(maven() is None, reason="the agent is fetched by Maven; no mvn here"),
]

_STEPS = 12


async def steps(launch: Launch, filters: StepFilters, *vm_args: str) -> list[str]:
    """The ends of the entry and of the steps from there."""
    async with launch("shop", "shop.Main", vm_args=vm_args, stop_on_entry=True) as session:
        session.settings.step_filters = filters
        await session.resume()
        stop = await next_stop(session)
        assert stop.reason is StopReason.ENTRY
        seen = [stop.frame.location]
        for number in range(_STEPS):
            await (stop.step_into() if number % 3 else stop.step_over())
            stop = await next_stop(session)
            seen.append(stop.frame.location)
    return seen


@pytest.mark.parametrize("filters", [StepFilters(), JUST_MY_CODE], ids=["default", "own code"])
async def test_steps_end_where_they_do_without_it(
    launch: Launch, jdk: Jdk, filters: StepFilters
) -> None:
    if jdk.version == 11 and filters != JUST_MY_CODE:
        pytest.skip("the VM of JDK 11 reports steps in the transformers of agents, too")
    first = f"shop.Main.main(Main.java:{compiled('shop', 'shop.Main', jdk).marker('main-first')})"
    plain = await steps(launch, filters)
    assert plain[0] == first
    jacoco = library("org.jacoco.agent")
    assert await steps(launch, filters, f"-javaagent:{jacoco}=output=none") == plain


async def test_checks_beside_the_code_of_another_agent(launch_ours: Launch, jdk: Jdk) -> None:
    program = compiled("probed", "Probed", jdk)
    jacoco = library("org.jacoco.agent")
    async with launch_ours(
        "probed", "Probed", vm_args=(f"-javaagent:{jacoco}=output=none",)
    ) as session:
        look = await session.break_at(f"Probed.java:{program.marker('look')}", condition="i == 7")
        hot = await session.break_at(
            f"Probed.java:{program.marker('hot')}", condition="i == 9", hit_condition="2"
        )
        stop = await next_stop(session)
        assert stop.breakpoints == (look,)
        await look.remove()
        await stop.resume()
        stop = await next_stop(session)
        assert stop.breakpoints == (hot,)
        assert [each.how for each in hot.locations] == ["probe"]
        assert stop.frame.line == program.marker("hot")
        assert await (await stop.frame.get("total")).as_text() == "36"
        await hot.remove()
        await stop.resume()
        assert await session.wait() == 0


async def test_a_refused_swap_names_the_agent_that_has_added_members(
    launch_ours: Launch, jdk: Jdk
) -> None:
    program = compiled("probed", "Probed", jdk)
    jacoco = library("org.jacoco.agent")
    vm_args = (f"-javaagent:{jacoco}=output=none",)
    async with launch_ours("probed", "Probed", vm_args=vm_args) as session:
        at = await session.break_at(f"Probed.java:{program.marker('look')}")
        stop = await next_stop(session)
        assert stop.breakpoints == (at,)
        (found,) = await session.redefine(program.class_path[0] / "Probed.class")
        assert found.outcome is Outcome.REFUSED
        assert found.reason is not None
        assert "JaCoCo has added $jacocoInit when it loaded the class" in found.reason
        assert "start the program without that agent" in found.reason
