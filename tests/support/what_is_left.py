# SPDX-License-Identifier: Apache-2.0
"""Asks an agent what a debugger has left in a program: event requests, probes, changed classes,
sampling. Used by tests of what is armed and disarmed.

`Commands` also counts what is sent, to do something at the k-th command of an operation.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Any

from jvmdebug.classfile import ClassFile, Code, instructions
from jvmdebug.errors import ClassFileError, VmError
from jvmdebug.jdwp.generated import agent as agent_set
from jvmdebug.jdwp.generated import heap as heap_set
from jvmdebug.jdwp.generated import probes as probe_set
from jvmdebug.jdwp.generated import sampling as sampling_set
from jvmdebug.sources.constant_text import constant_text

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import jvmdebug
    from jvmdebug.classfile import ConstantPool, Instruction


class Commands:
    """The commands of a session from now on."""

    def __init__(self, session: jvmdebug.Session) -> None:
        self._connection = session.vm.connection
        self._request = self._connection.request
        setattr(self._connection, "request", self._counted)  # noqa: B010
        self.count = 0
        self._at: tuple[int, Callable[[], object]] | None = None

    def begin(self, number: int | None, then: Callable[[], object]) -> None:
        """Do something as soon as the command of this number, from 0, was sent."""
        self.count = 0
        self._at = None if number is None else (number, then)

    @property
    def has_begun(self) -> bool:
        """Whether that command was sent."""
        return self._at is None

    def lose_link(self) -> None:
        """Ends the connection as if the cable were cut."""
        self._connection._drop()

    async def _counted(self, command: Any, **options: Any) -> Any:
        if self._at is not None and self.count == self._at[0]:
            (_, then), self._at = self._at, None
            asyncio.get_running_loop().call_soon(then)
        self.count += 1
        return await self._request(command, **options)


async def probes_left(session: jvmdebug.Session) -> list[str]:
    """The probes that the agent knows."""
    state = await session.vm.request(probe_set.State())
    return [f"probe {each.request_id}" for each in state.probes]


async def requests_of(session: jvmdebug.Session) -> set[str]:
    """The event requests that the agent has."""
    reply = await session.vm.request(agent_set.Requests())
    return {f"request {each.request_id}: {each.event_kind!r}" for each in reply.requests}


async def sampling_left(session: jvmdebug.Session) -> list[str]:
    """Whether samples are still taken, while the program allocates and runs."""
    allocated = [await _sampled(session, heap_set.Allocations()) for _ in range(2)]
    rounds = [await _sampled(session, sampling_set.Read()) for _ in range(2)]
    left = ["samples of allocations"] if allocated[0] != allocated[1] else []
    return left + (["samples of stacks"] if rounds[0] != rounds[1] else [])


async def _sampled(
    session: jvmdebug.Session, command: heap_set.Allocations | sampling_set.Read
) -> int:
    """How much has been sampled up to a moment from now."""
    await asyncio.sleep(0.02)
    try:
        if isinstance(command, sampling_set.Read):
            return (await session.vm.request(command)).rounds
        return (await session.vm.request(command)).samples
    except VmError:
        return 0  # nothing was ever sampled


async def changes_left(session: jvmdebug.Session, class_path: Path, name: str) -> list[str]:
    """The methods of a class whose code is not that of its class file."""
    (type_,) = await session.vm.classes_by_signature(f"L{name};")
    reply = await session.vm.request(agent_set.ClassFile(type_.id))
    now = _code(ClassFile.read(reply.class_file))
    before = _code(ClassFile.read((class_path / f"{name}.class").read_bytes()))
    return [f"the code of {each}" for each in before if now.get(each) != before[each]]


def _code(file: ClassFile) -> dict[str, list[str]]:
    found = {}
    for method in file.methods:
        attribute = method.attribute("Code")
        if attribute is not None:
            code = Code.read(attribute.content, file.constants).code
            shown = [_text(each, file.constants) for each in instructions(code)]
            found[method.name + method.descriptor] = shown
    return found


def _text(instruction: Instruction, constants: ConstantPool) -> str:
    if instruction.constant is None:
        return f"{instruction.index} {instruction.text()}"
    try:
        text = constant_text(constants, instruction.constant)
    except ClassFileError:
        return f"{instruction.index} {instruction.mnemonic}"
    # `ldc` or `ldc_w`: by the number of the constant.
    return f"{instruction.index} {instruction.text(text)}"
