# SPDX-License-Identifier: Apache-2.0
"""A recording of coverage that cannot begin leaves nothing in the program."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from jvmdebug.coverage.plan import CoveragePlan
from jvmdebug.coverage.recording import CoverageRecording
from jvmdebug.jdwp.generated import coverage as coverage_set


class Router:
    """Notes what is asked of the VM, and fails where the runner's class is waited for."""

    def __init__(self, error: BaseException) -> None:
        self.vm = self
        self.said: list[str] = []
        self._error = error

    def require_of_agent(self, *_: object) -> None:
        """It can all."""

    async def request(self, command: Any) -> None:
        self.said.append("stop" if isinstance(command, coverage_set.Stop) else "start")

    async def arm(self, kind: Any, *_: object) -> Router:
        if kind.name == "CLASS_PREPARE":
            raise self._error
        self.said.append("arm")
        return self

    async def clear(self) -> None:
        self.said.append("clear")


@pytest.mark.parametrize("error", [ConnectionResetError("gone"), asyncio.CancelledError()])
async def test_what_was_begun_is_ended_when_tests_cannot_be_told(error: BaseException) -> None:
    async def plan() -> CoveragePlan:
        return CoveragePlan(per_test=True)

    router: Any = Router(error)
    recording = CoverageRecording(router, plan, name_of_test=str)
    with pytest.raises(type(error)):
        await recording.__aenter__()
    assert router.said[:2] == ["arm", "start"]
    assert sorted(router.said[2:]) == ["clear", "stop"]
    assert not recording.is_open
