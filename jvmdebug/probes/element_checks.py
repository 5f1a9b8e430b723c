# SPDX-License-Identifier: Apache-2.0
"""Puts the checks of a watched array into the program (`codegen.element_code`).

Called by `breakpoints.element_stores`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import VmError
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.ids import ObjectId, ThreadId
from jvmdebug.model.frame import Frame
from jvmdebug.probes.codegen.check import frame_arguments
from jvmdebug.probes.codegen.code import letter_kind
from jvmdebug.probes.codegen.element_code import element_class
from jvmdebug.probes.codegen.members import NotCompiledError
from jvmdebug.probes.completing import complete
from jvmdebug.probes.numbers import ProbeNumbers
from jvmdebug.probes.taken import is_certain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.model.location import Location
    from jvmdebug.model.variable import LocalVariable
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.probes.codegen.loads import FrameArguments

_STORE: Final = ord("E")
"""The kind of load that takes the operands of an array store."""


async def watch_elements(
    vm: VirtualMachine,
    places: Sequence[tuple[Location, RequestId]],
    *,
    signature: str,
    index: int | None,
    hands_over: bool,
) -> list[str | None]:
    """Put checks in front of these instructions, by one change of up to a hundred classes. Returns
    for each why it cannot have one, or None. `signature`: of the array; `index`: of the only
    element. `hands_over`: the thread stays in a check that holds, which hands the variables over.
    """
    if vm.connection.is_read_only:
        return ["the session is read-only"] * len(places)
    checks = _ElementChecks(vm, letter_kind(signature[1]), index, hands_over=hands_over)
    reasons = await checks.put(places, _all)
    # Where a check takes variables, the VM may have refused it because of some of them.
    if hands_over:
        again = [place for place in places if reasons[place[1]] is not None]
        reasons |= await checks.put(again, is_certain)
    return [reasons[request] for _, request in places]


def _all(_variable: LocalVariable) -> bool:
    return True


class _ElementChecks:
    """The checks of one watched array."""

    def __init__(
        self, vm: VirtualMachine, kind: str, index: int | None, *, hands_over: bool
    ) -> None:
        self._vm = vm
        self._kind = kind
        self._index = index
        self._hands_over = hands_over

    async def put(
        self,
        places: Sequence[tuple[Location, RequestId]],
        takes: Callable[[LocalVariable], bool],
    ) -> dict[RequestId, str | None]:
        """Put the checks in, all together. Returns by request why that is not possible, or None.
        `takes`: whether a check takes a variable of the frame, if it has to take any.
        """
        found = await asyncio.gather(*(self._install(*each, takes) for each in places))
        reasons = dict(zip((request for _, request in places), found, strict=True))
        installed = [request for request, reason in reasons.items() if reason is None]
        return reasons | await complete(self._vm, installed)

    async def _install(
        self, location: Location, request: RequestId, takes: Callable[[LocalVariable], bool]
    ) -> str | None:
        try:
            frame = await self._frame(location, takes)
        except (NotCompiledError, VmError) as error:
            return str(error)
        numbers = self._vm.companion(ProbeNumbers)
        number = numbers.take()
        name = numbers.name(location.type.signature, number)
        class_file, descriptor = element_class(name, number, self._kind, self._index, frame)
        loads = () if frame is None else frame.loads
        installed = await self._vm.request(
            wire.Install(
                request_id=int(request),
                number=number,
                name=name,
                descriptor=descriptor,
                class_file=class_file,
                loads=(
                    wire.Install.Load(_STORE, ord(self._kind)),
                    *(wire.Install.Load(ord(each.kind), each.slot) for each in loads),
                ),
                calls_methods=False,
                writes_log=False,
                deferred=True,
                shares=0,
                given=(),
                companions=(),
            )
        )
        return None if installed.installed else installed.reason

    async def _frame(
        self, location: Location, takes: Callable[[LocalVariable], bool]
    ) -> FrameArguments | None:
        """The variables that a check hands over; None where the debugger reads them at the stop."""
        if not self._hands_over:
            return None
        at = Frame(self._vm.thread(ThreadId(ObjectId(0))), 0, location, None, 0, (0, 0))
        variables = [each for each in await at.variables() if takes(each)]
        has_this = not location.method.is_constructor  # else it may not be constructed yet
        return frame_arguments(location, variables, has_this=has_this)
