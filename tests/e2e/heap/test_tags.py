# SPDX-License-Identifier: Apache-2.0
"""Numbers that a script gives to many objects at once, in real VMs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug import ArgumentError, UnsupportedError
from tests.support.debuggees import debuggee
from tests.support.sessions import compiled, launched, stop_at

if TYPE_CHECKING:
    from tests.conftest import StartJvm
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


async def test_objects_are_numbered_and_found_again(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = compiled("pythonic", "Pythonic", jdk)
    async with launched(program, jdk, agent_kind) as session:
        stop = await stop_at(session, program, "main")
        heap = session.heap
        animal = await stop.frame.get("animal")
        if agent_kind == "stock":
            with pytest.raises(UnsupportedError, match="numbers of objects"):
                await heap.set_tag(7, animal)
            return
        bee = await animal.get("next")
        assert await heap.tags(animal, bee) == [0, 0]
        assert await heap.tag_instances("Pythonic$Animal", 5) == 2
        assert await heap.tags(animal, bee) == [5, 5]
        await heap.set_tag(6, bee)
        found = await heap.tagged(5, 6)
        assert sorted(each.tag for each in found) == [5, 6]
        assert {each.object.type_name for each in found} == {"Pythonic$Animal"}
        (numbered,) = (each for each in found if each.tag == 6)
        assert '"bee"' in numbered.object.text
        assert len(await heap.tagged(5, 6, limit=1)) == 1
        await heap.set_tag(0, animal, bee)
        assert await heap.tagged(5, 6) == []
        assert await heap.tag_instances("nowhere.Nothing", 5) == 0
        with pytest.raises(ArgumentError, match="a tag"):
            await heap.tagged(0)
        # The agent's own marks are apart.
        mark = await heap.mark(bee)
        assert await heap.tags(bee) == [0]
        assert not mark.is_collected


async def test_numbers_are_gone_with_the_session(
    start_jvm: StartJvm, agent_kind: AgentKind
) -> None:
    if agent_kind == "stock":
        pytest.skip("needs our agent")
    vm = await start_jvm(debuggee("script", "Spin"), suspend=False)
    port = await vm.port()
    async with jvmdebug.attach("127.0.0.1", port) as session:
        assert await session.heap.tag_instances("java.lang.Integer", 5) > 100
        assert len(await session.heap.tagged(5, limit=10)) == 10
    async with jvmdebug.attach("127.0.0.1", port) as session:
        assert await session.heap.tagged(5) == []
