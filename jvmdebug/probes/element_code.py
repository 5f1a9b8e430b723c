# SPDX-License-Identifier: Apache-2.0
"""The checks of a watched array: one in front of each instruction that may store into it.

    static Object watched;                  // the agent sets it, and clears it in the end
    static void c(Object array, int index, int value) {
        if (array != watched || index != 3) return;
        JvmdebugProbes.store(number, index, value, null);
    }

Where the VM reports no breakpoints, the check takes the variables of the frame too, and hands all
over (`handing_over`). Called by `breakpoints.element_stores`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.writer import ClassWriter, CodeWriter, Label
from jvmdebug.errors import VmError
from jvmdebug.jdwp.generated import probes as wire
from jvmdebug.jdwp.ids import ObjectId, ThreadId
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.frame import Frame
from jvmdebug.probes import handing_over
from jvmdebug.probes.check import HOLDS, frame_arguments
from jvmdebug.probes.code import letter_kind
from jvmdebug.probes.deferring import complete
from jvmdebug.probes.members import NotCompiledError
from jvmdebug.probes.numbers import ProbeNumbers
from jvmdebug.probes.taken import is_certain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jvmdebug.jdwp.ids import RequestId
    from jvmdebug.model.location import Location
    from jvmdebug.model.variable import LocalVariable
    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.probes.loads import FrameArguments

_PROBES: Final = "java/lang/JvmdebugProbes"
_OBJECT: Final = "Ljava/lang/Object;"
_STACK: Final = 8 + handing_over.STACK
_LCONST_0, _RETURN = 9, 177
_IF_ICMPNE, _IF_ACMPNE = 160, 166
_GETSTATIC, _INVOKESTATIC = 178, 184
_STORE: Final = ord("E")
"""The load of an array store's operands."""


def element_class(
    name: str, number: int, kind: str, index: int | None, frame: FrameArguments | None = None
) -> tuple[bytes, str]:
    """The class of a check, and the descriptor of its method. `kind`: I J F D A, of the value.
    `frame`: the variables that it hands over, in a VM without breakpoint events.
    """
    class_ = ClassWriter(name)
    others = [] if frame is None else [each.kind for each in frame.loads]
    kinds = ["A", "I", kind, *others]
    code = CodeWriter(class_.pool, _STACK, sum(2 if each in "JD" else 1 for each in kinds))
    leave = Label()
    class_.static_field("watched", _OBJECT)
    code.load("A", 0)
    code.field(_GETSTATIC, name, "watched", _OBJECT)
    code.jump(_IF_ACMPNE, leave)
    if index is not None:
        code.load("I", 1)
        code.push_int(index)
        code.jump(_IF_ICMPNE, leave)
    code.push_int(number)
    if frame is None:
        code.load("I", 1)
        handing_over.push_value(code, kind, 2)
        code.invoke(_INVOKESTATIC, _PROBES, "store", f"(IIJ{_OBJECT})V")
    else:
        code.push_int(HOLDS)
        code.op(_LCONST_0)
        handing_over.push_arguments(code, kinds)
        code.invoke(_INVOKESTATIC, _PROBES, *handing_over.STOP)
    code.place(leave)
    code.op(_RETURN)
    descriptor = f"({''.join(_OBJECT if each == 'A' else each for each in kinds)})V"
    class_.static_method("c", descriptor, code)
    return class_.written(), descriptor


async def watch_elements(
    vm: VirtualMachine,
    places: Sequence[tuple[Location, RequestId]],
    *,
    signature: str,
    index: int | None,
) -> list[str | None]:
    """Put checks in front of these instructions, by one change of a hundred classes: why each
    cannot have one. `signature`: of the array; `index`: of the only element.
    """
    if vm.connection.is_read_only:
        return ["the session is read-only"] * len(places)
    if not vm.agent_can(AgentCapability.PROBES):
        off = None if vm.agent is None else vm.agent.why_off(AgentCapability.PROBES)
        return [off or "only the jvmdebug agent can"] * len(places)
    checks = _ElementChecks(vm, letter_kind(signature[1]), index)
    reasons = await checks.put(places, _all)
    # Where a check takes variables, the VM may have refused some of them.
    if not vm.agent_can(AgentCapability.BREAKPOINT_EVENTS):
        again = [place for place in places if reasons[place[1]] is not None]
        reasons |= await checks.put(again, is_certain)
    return [reasons[request] for _, request in places]


def _all(_variable: LocalVariable) -> bool:
    return True


class _ElementChecks:
    """Those of one array. Why each cannot be is by its request."""

    def __init__(self, vm: VirtualMachine, kind: str, index: int | None) -> None:
        self._vm = vm
        self._kind = kind
        self._index = index

    async def put(
        self,
        places: Sequence[tuple[Location, RequestId]],
        takes: Callable[[LocalVariable], bool],
    ) -> dict[RequestId, str | None]:
        """All together. `takes`: which variables of the frame, where it has to."""
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
        """What a check hands over; None where the debugger reads the variables at the stop."""
        vm = self._vm
        if vm.agent_can(AgentCapability.BREAKPOINT_EVENTS):
            return None
        at = Frame(vm.thread(ThreadId(ObjectId(0))), 0, location, None, 0, (0, 0))
        variables = [each for each in await at.variables() if takes(each)]
        has_this = not location.method.is_constructor  # which may not have been made yet
        return frame_arguments(location, variables, has_this=has_this)
