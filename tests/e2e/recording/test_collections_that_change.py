# SPDX-License-Identifier: Apache-2.0
"""Collections, maps, text builders and atomic numbers are shown as they were when they were last
seen, although no recorded code changes them: compared with what the program says of them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import pytest

import jvmdebug
from tests.support.debuggees import debuggee
from tests.support.sessions import launched

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent

COLLECTED: Final = debuggee("collected", "collected.Collected")
ROUNDS: Final = 6


async def _recorded(jdk: Jdk, path: Path, last: float | None) -> list[dict[str, str]]:
    """Record it, and read what there is at the end of each round; what the program has said."""
    texts: list[str] = []
    async with (
        launched(
            COLLECTED, jdk, "jvmdebug", on_output=lambda output: texts.append(output.text)
        ) as session,
        session.record(path, what="all", last=last) as recorder,
    ):
        await session.break_at(f"collected.Collected:{COLLECTED.marker('stopped')}")
        await session.start()
        for _ in range(ROUNDS):
            stop = await session.next_stop(30)
            assert stop is not None
            (await recorder.reader()).close()  # what was recorded so far has been read
            await stop.resume()
        assert await session.wait() == 0
    rounds: list[dict[str, str]] = []
    for line in "".join(texts).splitlines():
        name, _, value = line.partition(" ")
        if name == "list":
            rounds.append({})
        rounds[-1][name] = value
    return rounds


async def _shown(stop: jvmdebug.Stop) -> dict[str, str]:
    texts = {each.name: await each.as_text() for each in await stop.frame.variables()}
    nested = await stop.frame.get("nested")
    texts["nested"] = str(len(await nested.children()))
    return texts


@pytest.mark.parametrize("last", [None, 60], ids=["whole", "last seconds"])
async def test_they_are_as_the_program_says(jdk: Jdk, tmp_path: Path, last: float | None) -> None:
    path = tmp_path / "collected.jvmrec"
    said = await _recorded(jdk, path, last)
    assert len(said) == ROUNDS
    async with jvmdebug.replay(path) as session:
        stop = await session.next_stop(10)
        assert stop is not None
        assert session.past is not None
        await session.break_at(f"collected.Collected:{COLLECTED.marker('shown')}")
        seen = []
        for _ in range(ROUNDS):
            await session.past.reverse_continue()
            stop = await session.next_stop(10)
            assert stop is not None
            seen.append(await _shown(stop))
    for one, other in zip(seen[::-1], said, strict=True):
        assert one == other
