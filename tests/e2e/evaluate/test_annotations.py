# SPDX-License-Identifier: Apache-2.0
"""Annotations in variables read as they are written."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.support.sessions import compiled, launched, stop_at

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


async def test_an_annotation_reads_as_it_is_written(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = compiled("pythonic", "Annotated", jdk)
    async with launched(program, jdk, agent_kind) as session:
        frame = (await stop_at(session, program, "annotated")).frame
        audited = await frame.get("audited")
        assert await audited.as_text() == '@Audited("aud")'
        assert {each.name: await each.as_text() for each in await audited.children()} == {
            '"value"': '"aud"'
        }
        column = await (await frame.get("column")).as_text()
        assert column.startswith("@Column(")
        for part in ('name="total"', "length=7", "types=Class[2]"):
            assert part in column
        assert await (await frame.get("marker")).as_text() == "@Marker"
        texts = [await each.as_text() for each in await (await frame.get("all")).children()]
        assert '@Audited("aud")' in texts
