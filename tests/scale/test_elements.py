# SPDX-License-Identifier: Apache-2.0
"""Very many elements through the whole path: the adapter answers meanwhile, and stays small."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.scale.adapter import Adapter, adapter, launch_attributes
from tests.support.dap_client import Refused
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

MILLION: Final = 1_000_000
ASKED: Final = 300_000
DIRECT: Final = 2_000
"""So many elements of a page come one by one."""
MOST_MIB: Final = 300


@asynccontextmanager
async def opened(
    jdk: Jdk, agent: AgentKind, kind: str, size: int
) -> AsyncIterator[tuple[Adapter, dict[str, Any]]]:
    """An adapter that is stopped where `it` is such a collection; the variable."""
    program = debuggee("many", "many.Many")
    async with adapter() as running:
        started = launch_attributes(program, jdk, agent, kind, str(size))
        frame = await running.client.run_to(program, "shown", started)
        yield running, (await running.client.locals_of(frame))["it"]
        await running.client.request("disconnect", {"terminateDebuggee": True})


async def test_a_request_for_300_000_elements(jdk: Jdk, agent_kind: AgentKind) -> None:
    """The first ones come, the others as ranges that say so; `threads` goes between."""
    async with opened(jdk, agent_kind, "Object[]", MILLION) as (running, it):
        client = running.client
        asked = {"variablesReference": it["variablesReference"], "start": 7, "count": ASKED}
        long = client.begin("variables", asked)
        for _ in range(3):
            quick = client.begin("threads")
            assert (await client.response(quick))["threads"]
        assert long not in client.answered, "`threads` waited for it"
        found = (await client.response(long))["variables"]
        names = [each["name"] for each in found]
        assert names[:DIRECT] == [f"[{index}]" for index in range(7, 7 + DIRECT)]
        assert names[DIRECT] == "[2007 … 3006]"
        assert names[-1] == "[299007 … 300006]"
        last = await client.children(found[-1]["variablesReference"])
        assert len(last) == 1000
        assert last["[300006]"]["value"].startswith("Item@")
        assert running.most_memory_mib() < MOST_MIB


async def test_it_is_cancelled(jdk: Jdk, agent_kind: AgentKind) -> None:
    async with opened(jdk, agent_kind, "Object[]", MILLION) as (running, it):
        client = running.client
        asked = {"variablesReference": it["variablesReference"], "count": ASKED}
        long = client.begin("variables", asked)
        await client.request("threads")
        await client.request("cancel", {"requestId": long})
        with pytest.raises(Refused, match="cancelled"):
            await client.response(long)
        before = running.cpu_s()
        await client.request("threads")
        assert running.cpu_s() - before < 0.5, "it goes on with what was cancelled"


async def test_a_lost_client_ends_it(jdk: Jdk) -> None:
    program = debuggee("many", "many.Many")
    async with adapter() as running:
        client = running.client
        started = launch_attributes(program, jdk, "jvmdebug", "Object[]", str(MILLION))
        frame = await client.run_to(program, "shown", started)
        it = (await client.locals_of(frame))["it"]
        for _ in range(5):
            asked = {"variablesReference": it["variablesReference"], "count": ASKED}
            client.begin("variables", asked)
        client.writer.close()
        await asyncio.wait_for(client.closed(), 10)


@pytest.mark.parametrize("kind", ["HashMap", "ConcurrentHashMap", "TreeMap", "IdentityHashMap"])
async def test_the_last_page_of_a_huge_map(jdk: Jdk, kind: str) -> None:
    size = 300_000
    async with opened(jdk, "jvmdebug", kind, size) as (running, it):
        before = running.cpu_s()
        page = {"start": size - 100, "count": 100, "filter": "indexed"}
        found = await running.client.children(it["variablesReference"], **page)
        assert len(found) == 100
        assert running.cpu_s() - before < 0.5, "the nodes before it were read one by one"
