# SPDX-License-Identifier: Apache-2.0
"""The jvmdebug agent's description of itself: its mode, and its capabilities beyond JDWP.

Requested once, with the first commands. Another agent gets no request: the VM's mirror then has no
description, and everything in JDWP is assumed to be possible.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.errors import NotImplementedByVmError, UnsupportedError
from jvmdebug.jdwp.generated import agent as agent_set

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.jdwp.command import Command
    from jvmdebug.jdwp.connection import Connection


class AgentCapability(StrEnum):
    """The capabilities that the core uses; the values are the names on the wire."""

    BREAKPOINTS = "breakpoints"
    BREAKPOINT_EVENTS = "breakpoint_events"
    STEPS = "steps"
    FIELD_WATCHES = "field_watches"
    LOCAL_VARIABLES = "local_variables"
    METHOD_ENTRY_EVENTS = "method_entry_events"
    EXCEPTION_EVENTS = "exception_events"
    METHOD_EXIT_EVENTS = "method_exit_events"
    METHOD_EXITS = "method_exits"
    STACK = "stack"
    NEAR_FRAME = "near_frame"
    ELEMENT_STORES = "element_stores"
    STRING_BEGINNING = "string_beginning"
    PAGE = "page"
    THREADS = "threads"
    THREAD_NAME = "thread_name"
    HEAP = "heap"
    CLASS_FILE = "class_file"
    CLASS_OUTLINE = "class_outline"
    SHOWN_STOPS = "shown_stops"
    RESUME_WITH = "resume_with"
    STOP_THREAD = "stop_thread"
    REQUESTS = "requests"
    LINK = "link"
    JUMP = "jump"
    JVMTI = "jvmti"
    PROBES = "probes"
    SAMPLING = "sampling"
    COVERAGE = "coverage"
    ORIGINS = "origins"
    RECORDING = "recording"
    SIGNAL_SAMPLING = "signal_sampling"
    THREAD_DUMP = "thread_dump"
    MONITORS = "monitors"


# Part of JDWP: other agents have them.
_STANDARD = frozenset(
    {
        AgentCapability.BREAKPOINTS,
        AgentCapability.BREAKPOINT_EVENTS,
        AgentCapability.STEPS,
        AgentCapability.FIELD_WATCHES,
        AgentCapability.LOCAL_VARIABLES,
        AgentCapability.METHOD_ENTRY_EVENTS,
        AgentCapability.EXCEPTION_EVENTS,
        AgentCapability.METHOD_EXIT_EVENTS,
        AgentCapability.METHOD_EXITS,
    }
)


_OUR_NAME = "(jvmdebug)"


@dataclass(frozen=True, slots=True)
class AgentDescription:
    """One agent, as it was started."""

    version: str
    """For messages; decide by the capabilities."""
    mode: str
    """`full`, `fast`: without the events that slow the program's exceptions down, or `late`: loaded
    into a program that ran, and so without most."""
    _why_off: Mapping[str, str | None]
    """Capability → why it is off; None if it is on."""

    def has(self, capability: AgentCapability) -> bool:
        """Whether the agent has the capability, and it is on. One that does not name a capability
        of JDWP is older than its name, and has it.
        """
        if capability not in self._why_off:
            return capability in _STANDARD
        return self._why_off[capability] is None

    @property
    def is_late(self) -> bool:
        """Whether it was loaded into a program that ran already."""
        return self.mode == "late"

    def why_off(self, capability: AgentCapability) -> str:
        """Why it is off, and how to get it."""
        return self._why_off.get(capability) or "this version of the jvmdebug agent has it not"


_FIRST_OF_OURS: Final = 128  # command sets


def is_ours(vm_description: str) -> bool:
    """Whether the description that Version gives is that of our agent.

    Asking another one for a command set from 128 on is not safe: libjdwp (11..25) reads the number
    as a signed byte and indexes before the beginning of its table, which may end the VM.
    """
    return _OUR_NAME in vm_description


def require_known(agent: AgentDescription | None, command: Command[Any]) -> None:
    """Raises UnsupportedError for a command that only ours knows, where the agent is another: see
    `is_ours`. Who asks has to look at the capabilities before.
    """
    if agent is None and command.COMMAND_SET >= _FIRST_OF_OURS:
        raise UnsupportedError(
            f"internal error: {command.NAME} is a command of the jvmdebug agent, and this VM has"
            " another one; please report it"
        )


async def fetch_description(connection: Connection) -> AgentDescription | None:
    """Our agent's description; None if it does not know the command."""
    try:
        reply = await connection.request(agent_set.Capabilities())
    except NotImplementedByVmError:
        return None
    why_off = {each.name: None if each.is_on else each.reason for each in reply.capabilities}
    return AgentDescription(reply.version, reply.mode, why_off)


def is_possible(agent: AgentDescription | None, capability: AgentCapability) -> bool:
    """Whether this agent (None: another one) has the capability."""
    return capability in _STANDARD if agent is None else agent.has(capability)


_PURPOSES: Final = {
    "StackFrame.GetValues": "reading local variables of this frame",
    "StackFrame.SetValues": "setting local variables of this frame",
    "StackFrame.ThisObject": "reading `this` of this frame",
    "StackFrame.PopFrames": "popping frames",
    "ThreadReference.ForceEarlyReturn": "forcing a method to return",
}
"""What commands are for that an agent refuses which was loaded late."""


def purpose_of(command: str) -> str:
    """What a command is for, in the words of an error; its name if nobody has named that."""
    return _PURPOSES.get(command, command)
