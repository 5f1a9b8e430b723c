# SPDX-License-Identifier: Apache-2.0
"""Runs a conversation with both agents and reports the differences.

Owns the VMs of a fixture under both agents, shared by its conversations until one of them breaks
something, and the verdict on one conversation. Called by the tests and by the command line.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.conformance.differential.differences import check_alone, compare, ends_stock, undeclared
from tests.conformance.differential.names import Names
from tests.conformance.differential.recording_client import RecordingClient
from tests.support import process
from tests.support.jdwp_client import ConnectionLostError, RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conformance.differential.differences import Declared, Difference
    from tests.conformance.differential.fixture import Fixture
    from tests.conformance.differential.registry import Conversation
    from tests.support.jdks import Jdk
    from tests.support.jdwp_session import JdwpSession
    from tests.support.process import AgentInVm
    from tests.support.wire_reading import Message

_BREAKS_OFF = (
    RefusedError,
    ConnectionLostError,
    ConnectionError,
    TimeoutError,
    AssertionError,
    LookupError,
    ValueError,
)
"""What ends a script that cannot go on: one of the agents did what the script does not expect."""


@dataclass
class Verdict:
    """What came of a conversation."""

    conversation: Conversation
    jdk: Jdk
    surprises: list[Difference] = field(default_factory=list)
    missing: list[Declared] = field(default_factory=list)
    broken: list[str] = field(default_factory=list)
    exercised: set[str] = field(default_factory=set)
    """With our agent."""

    @property
    def is_good(self) -> bool:
        """Whether both said the same, but for what is declared."""
        return not (self.surprises or self.missing or self.broken)

    def __str__(self) -> str:
        lines = [f"{self.conversation.name} on {self.jdk.label}:"]
        lines += [f"  {one}" for one in self.surprises]
        lines += [f"  declared in differences.toml and not there: {one}" for one in self.missing]
        return "\n".join([*lines, *(f"  {one}" for one in self.broken)])


@dataclass
class FixtureVms:
    """The VMs in which the conversations of one fixture take place, one for each agent."""

    fixture: Fixture
    jdk: Jdk
    ours: AgentInVm = "jvmdebug"
    _sessions: dict[AgentInVm, tuple[JdwpSession, Names]] = field(default_factory=dict)
    _open: dict[AgentInVm, ExitStack] = field(default_factory=dict)

    def hold(self, conversation: Conversation) -> Verdict:
        """The conversation with both agents, or with ours alone where it would end the VM."""
        verdict = Verdict(conversation, self.jdk)
        ours = self._held(conversation, self.ours, verdict)
        verdict.exercised = ours.exercised
        version = self.jdk.version
        if ends_stock(conversation.name):
            verdict.surprises = check_alone(conversation.name, ours.steps)
            return verdict
        stock = self._held(conversation, "stock", verdict)
        found = compare(stock.steps, ours.steps)
        verdict.surprises, verdict.missing = undeclared(conversation.name, version, found)
        return verdict

    def begin(self) -> None:
        """Start the VMs."""
        self._session_of(self.ours)
        self._session_of("stock")

    def end(self) -> None:
        """End the VMs."""
        for agent in list(self._open):
            self._drop(agent)

    def _held(
        self, conversation: Conversation, agent: AgentInVm, verdict: Verdict
    ) -> RecordingClient:
        with ExitStack() as own:
            if conversation.fresh:
                session = own.enter_context(self.fixture.start(self.jdk, agent))
                names = Names(session.vm)
            else:
                session, names = self._session_of(agent)
            client = RecordingClient(session, names, self.jdk.version)
            try:
                conversation.script(client)
                client.end()
                if self.fixture.marker and not conversation.fresh:
                    session.suspend_once()
            except _BREAKS_OFF as why:
                where = _where_it_stands(session) if isinstance(why, TimeoutError) else ""
                if not conversation.fresh:
                    self._drop(agent)
                last = "".join(f" after {one.name}({one.asked})" for one in client.steps[-1:])
                verdict.broken.append(
                    f"{agent}: broken off{last}: {type(why).__name__}: {why}{where}"
                )
            return client

    def _session_of(self, agent: AgentInVm) -> tuple[JdwpSession, Names]:
        if agent not in self._sessions:
            with ExitStack() as opening:
                session = opening.enter_context(self.fixture.start(self.jdk, agent))
                # It serves the next conversations too if this one replaces a VM that broke off.
                process.OUTLIVING.add(session.jvm.pid)
                opening.callback(process.OUTLIVING.discard, session.jvm.pid)
                self._sessions[agent] = session, Names(session.vm)
                self._open[agent] = opening.pop_all()
        return self._sessions[agent]

    def _drop(self, agent: AgentInVm) -> None:
        self._sessions.pop(agent, None)
        if running := self._open.pop(agent, None):
            running.close()


def _where_it_stands(session: JdwpSession) -> str:
    """What each thread of the VM does, for the report of a script that waited in vain."""
    told = []
    try:
        session.vm.ask("VirtualMachine.Suspend")
        for name, thread in session.threads().items():
            counted = session.suspend_count(thread) - 1
            frames = session.frames(thread)
            told.append(f"{name}: suspended {counted} times, {_lines(session, frames)}")
    except _BREAKS_OFF as why:
        told.append(f"{type(why).__name__}: {why}")
    return f" ({'; '.join(told)}; sets: {session.vm.sets})"


def _lines(session: JdwpSession, frames: list[Message]) -> list[int | str]:
    lines: list[int | str] = []
    for frame in frames:
        try:
            lines.append(session.line_of(frame["location"]))
        except (RefusedError, ValueError):
            lines.append("native")
    return lines


@contextmanager
def vms_of(fixture: Fixture, jdk: Jdk, ours: AgentInVm = "jvmdebug") -> Iterator[FixtureVms]:
    """The VMs of a fixture while its conversations are held."""
    vms = FixtureVms(fixture, jdk, ours)
    try:
        yield vms
    finally:
        vms.end()
