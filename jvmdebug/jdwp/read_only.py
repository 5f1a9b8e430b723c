# SPDX-License-Identifier: Apache-2.0
"""The commands that a read-only connection refuses: those that run code of the program, or change
its state, its code or its stacks.

Reading, suspending, resuming and stop points are no changes. The connection asks this before it
sends anything, so no layer above can forget it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jvmdebug import acting
from jvmdebug.errors import ReadOnlyError
from jvmdebug.jdwp.generated import (
    agent,
    array_reference,
    array_type,
    class_type,
    coverage,
    interface_type,
    jvmti,
    object_reference,
    origins,
    probes,
    recording,
    stack_frame,
    thread_reference,
    virtual_machine,
)
from jvmdebug.jdwp.generated.catalog import COMMAND_ROLES

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.jdwp.command import Command
    from jvmdebug.tls.proofs import Role

_SET: Final = "_is_read_only"
_DOES: Final[Mapping[type[Command[Any]], str]] = {
    class_type.SetValues: "change a static field",
    class_type.InvokeMethod: "call a method",
    class_type.NewInstance: "make an object",
    interface_type.InvokeMethod: "call a method",
    object_reference.InvokeMethod: "call a method",
    object_reference.SetValues: "change a field",
    array_type.NewInstance: "make an array",
    array_reference.SetValues: "change an element",
    stack_frame.SetValues: "change a variable",
    stack_frame.PopFrames: "pop a frame",
    thread_reference.Stop: "throw an exception in a thread",
    agent.StopThread: "throw an exception in a thread",
    agent.Jump: "jump to a line",
    thread_reference.Interrupt: "interrupt a thread",
    thread_reference.ForceEarlyReturn: "force a method to return",
    virtual_machine.CreateString: "make a string",
    virtual_machine.RedefineClasses: "replace code",
    jvmti.Change: "change the VM",
    jvmti.RedirectNative: "redirect a native method",
    coverage.Start: "record which code runs",
    origins.Start: "remember where tasks are submitted",
    recording.Start: "record what code does",
    probes.Install: "put a check into the program",
    probes.Complete: "put a check into the program",
    probes.Change: "change a check in the program",
    probes.Silence: "change a check in the program",
    virtual_machine.Exit: "end the program",
}


class ReadOnly:
    """The attribute of a connection that says whether it is read-only: always, or for the guest of
    a shared session that acts now. It is set for all.
    """

    def __get__(self, connection: object, _owner: type | None = None) -> bool:
        return bool(vars(connection).get(_SET)) or acting.is_read_only()

    def __set__(self, connection: object, is_read_only: bool) -> None:  # noqa: FBT001 - its value
        vars(connection)[_SET] = is_read_only


def does(command: Command[Any]) -> str | None:
    """What a command does that is more than reading: `call a method`; None for one that reads."""
    return _DOES.get(type(command))


def require_reading(command: Command[Any]) -> None:
    """Raises ReadOnlyError for a command that does more than read."""
    doing = does(command)
    if doing is not None:
        raise ReadOnlyError(f"cannot {doing}: this session is read-only")


def require_role(command: Command[Any], role: Role) -> None:
    """Raises ReadOnlyError for a command that the relay would refuse."""
    needed = COMMAND_ROLES[command.COMMAND_SET, command.NUMBER]
    if needed == "debug" or (needed == "observe" and role == "read-only"):
        doing = _DOES.get(type(command), f"use {command.NAME}")
        raise ReadOnlyError(
            f"cannot {doing}: the token of this connection is for the role {role}, and that needs"
            f" {needed}"
        )
