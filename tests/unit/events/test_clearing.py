# SPDX-License-Identifier: Apache-2.0
"""Tests when requests that are cleared together are cleared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from jvmdebug.events import clear_now, clear_together, clearing
from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.jdwp.ids import RequestId

if TYPE_CHECKING:
    from jvmdebug.jdwp.generated import probes as wire
    from jvmdebug.model.virtual_machine import VirtualMachine


class StubVm:
    """Notes which requests each command clears."""

    def __init__(self) -> None:
        self.cleared: list[list[int]] = []

    def agent_can(self, _what: object) -> bool:
        return True

    async def request(self, command: wire.Clear, **_options: Any) -> None:
        self.cleared.append([each.request_id for each in command.requests])


def take(vm: StubVm, request: int, kind: EventKind = EventKind.BREAKPOINT) -> bool:
    return clearing.waits(cast("VirtualMachine", vm), kind, RequestId(request))


async def test_an_inner_context_clears_with_the_outer_one() -> None:
    vm = StubVm()
    async with clear_together(cast("VirtualMachine", vm)):
        assert take(vm, 1)
        async with clear_together(cast("VirtualMachine", vm)):
            assert take(vm, 2)
        assert vm.cleared == []
        assert not take(vm, 3, EventKind.EXCEPTION)
    assert vm.cleared == [[1, 2]]
    assert not take(vm, 4)


async def test_what_is_in_the_way_is_cleared_before_the_outer_context_ends() -> None:
    vm = StubVm()
    async with clear_together(cast("VirtualMachine", vm)):
        assert take(vm, 1)
        async with clear_now(cast("VirtualMachine", vm)):
            assert take(vm, 2)
        assert vm.cleared == [[2]]
        assert take(vm, 3)
    assert vm.cleared == [[2], [1, 3]]
