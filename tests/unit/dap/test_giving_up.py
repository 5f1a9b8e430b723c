# SPDX-License-Identifier: Apache-2.0
"""What is not done any more once a client disconnects amid many requests."""

from __future__ import annotations

import asyncio
import json
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from jvmdebug_dap.channel import Channel
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.base import NoArguments
from jvmdebug_dap.requests import Registry, RequestSpec
from jvmdebug_dap.router import Router
from jvmdebug_dap.states import ANY, StateTable

if TYPE_CHECKING:
    from jvmdebug_dap.session import AdapterSession

COUNT, AT_ONCE = 2_000, 16


def spec_of(command: str, lane: Lane, begun: list[str]) -> RequestSpec:
    """A request that never ends by itself."""

    async def handle(_session: AdapterSession, _arguments: NoArguments) -> None:
        begun.append(command)
        await asyncio.Event().wait()

    return RequestSpec(command, NoArguments, handle, ANY, lane, holds_events=False, supports=None)


async def test_stacks_that_nobody_waits_for_are_not_read() -> None:
    begun: list[str] = []
    specs = {
        name: spec_of(name, lane, begun)
        for name, lane in (("look", Lane.LOOK), ("change", Lane.CHANGE))
    }
    sent: list[bytes] = []

    async def drain() -> None:
        """The client reads all the time."""

    session = SimpleNamespace(
        channel=Channel(sent.append, drain),
        state=StateTable(),
        is_vscode=False,
        client=SimpleNamespace(supports_progress_reporting=False),
        cancel_request=None,
        give_up_requests=None,
    )
    registry = cast("Registry", SimpleNamespace(get=specs.get))
    router = Router(cast("AdapterSession", session), registry)
    for seq in range(1, COUNT + 1):
        router.receive({"type": "request", "seq": seq, "command": "look"})
    router.receive({"type": "request", "seq": COUNT + 1, "command": "change"})
    for _ in range(10):
        await asyncio.sleep(0)
    assert begun == ["look"] * AT_ONCE
    session.give_up_requests()
    for _ in range(10):
        await asyncio.sleep(0)
    assert begun == ["look"] * AT_ONCE + ["change"], "what changes the program is done"
    answers = [json.loads(each.partition(b"\r\n\r\n")[2]) for each in sent]
    assert sorted(each["request_seq"] for each in answers) == list(range(1, COUNT + 1))
    assert {each["message"] for each in answers} == {"cancelled"}
    await router.close()
