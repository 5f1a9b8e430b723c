# SPDX-License-Identifier: Apache-2.0
"""What only the jvmdebug agent knows is sent to no other one: its VM could crash."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from jvmdebug.errors import UnsupportedError
from jvmdebug.jdwp.generated import heap, probes

if TYPE_CHECKING:
    from jvmdebug.jdwp.command import Command
    from jvmdebug.model import VirtualMachine
    from tests.support.fake_vm import FakeVm


@pytest.mark.parametrize("command", [probes.State(), heap.CancelDump(0)], ids=lambda it: it.NAME)
async def test_a_command_of_ours_is_not_sent(
    fake_vm: FakeVm, vm: VirtualMachine, command: Command[object]
) -> None:
    assert vm.agent is None
    sent = len(fake_vm.names())
    with pytest.raises(UnsupportedError, match=rf"internal error: {command.NAME} is a command"):
        await vm.request(command)
    assert fake_vm.names()[sent:] == []
