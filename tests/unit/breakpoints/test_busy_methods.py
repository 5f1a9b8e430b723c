# SPDX-License-Identifier: Apache-2.0
"""What is told of breakpoints that the VM does not report, and reports again."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

from jvmdebug.breakpoints import busy_methods
from jvmdebug.breakpoints.busy_methods import BusyMethods
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.ids import RequestId

if TYPE_CHECKING:
    from collections.abc import Collection

    import pytest

    from jvmdebug.model.virtual_machine import VirtualMachine

FIRST, SECOND = RequestId(1), RequestId(2)


async def test_only_changes_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(busy_methods, "_IDLE_S", 0)
    unset = [(), (FIRST,), (FIRST,), (FIRST, SECOND), (SECOND,), (SECOND,)]
    told: list[tuple[set[RequestId], set[RequestId]]] = []
    watched = BusyMethods()
    all_told = asyncio.Event()

    async def answer(busy: wire.Busy) -> wire.BusyReply:
        assert {each.request_id for each in busy.requests} == {FIRST, SECOND}
        if not unset:
            all_told.set()
        now = unset.pop(0) if unset else (SECOND,)
        return wire.BusyReply((), tuple(wire.BusyReply.Unset(int(each)) for each in now))

    async def reports(begun: Collection[RequestId], ended: Collection[RequestId]) -> None:
        told.append((set(begun), set(ended)))

    async def found(_: Collection[RequestId]) -> None:
        raise AssertionError("no method was met")

    vm = cast("VirtualMachine", SimpleNamespace(request=answer, is_still=lambda: False))
    watched.watch(vm, FIRST, found, reports, may_change=True)
    watched.watch(vm, SECOND, found, reports, may_change=False)
    await asyncio.wait_for(all_told.wait(), 10)
    await watched.close()
    assert told == [({FIRST}, set()), ({SECOND}, set()), (set(), {FIRST})]
