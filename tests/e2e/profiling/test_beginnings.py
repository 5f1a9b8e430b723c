# SPDX-License-Identifier: Apache-2.0
"""What profiles have of their beginning: the clock of waits, the first samples of threads."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

import pytest

from jvmdebug.observing import Contention
from tests.support.debuggees import debuggee
from tests.support.prompt import ask
from tests.support.sessions import launched, stop_at

if TYPE_CHECKING:
    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm, AgentKind

_SECONDS: Final = 0.6
_EARLY: Final = 500_000


async def test_the_clock_of_waits_starts_when_they_are_observed(
    jdk: Jdk, agent_kind: AgentKind, monkeypatch: pytest.MonkeyPatch
) -> None:
    arm = Contention._arm

    async def slow(self: Contention) -> None:
        await asyncio.sleep(2 * _SECONDS)  # as with a busy VM and many threads
        await arm(self)

    monkeypatch.setattr(Contention, "_arm", slow)
    program = debuggee("beginnings", "Beginnings")
    async with launched(program, jdk, agent_kind) as session:
        stop = await stop_at(session, program, "begin")
        await stop.resume()
        profile = await session.profile_locks(_SECONDS)
        assert _SECONDS <= profile.duration_s < 2 * _SECONDS
        waited_s = profile.total / 1e9
        assert 0.8 * _SECONDS < waited_s < 1.2 * profile.duration_s


async def test_every_object_of_a_thread_that_begins(jdk: Jdk, agent_kind: AgentInVm) -> None:
    if agent_kind == "stock":
        pytest.skip("needs our agent")
    program = debuggee("beginnings", "Beginnings")
    async with launched(program, jdk, agent_kind) as session:
        await stop_at(session, program, "begin")
        async with session.allocations(every=0) as allocations:
            await stop_at(session, program, "end")
            samples: dict[str, int] = {}
            for site in (await allocations.profile()).sites:
                samples[site.type_name] = samples.get(site.type_name, 0) + site.samples
        missed = _EARLY - samples["Beginnings$Early"]
        assert samples["Beginnings$Late"] == 1_000
        # The VM chose when to sample a thread first when the thread began: docs/how-to/heap.md.
        assert 0 <= missed < _EARLY / 2


async def test_the_command_says_what_is_missing(jdk: Jdk) -> None:
    program = debuggee("beginnings", "Beginnings")
    started = ["--class-path", str(program.class_path[0]), "--java", str(jdk.home)]
    for every, is_said in (("0", True), ("512", False)):
        words = ["--every", every, "--for", "0.5", *started, "--", program.main_class]
        code, output, errors = await ask("alloc", *words)
        assert code == 0, errors
        said = "threads that ran before are sampled after the first 512 KB or so" in output
        assert said is is_said
