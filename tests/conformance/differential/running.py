# SPDX-License-Identifier: Apache-2.0
"""Holds a conversation with both agents and says where they differ.

Owns the VMs of a scene under both agents, shared by its conversations until one of them breaks
something, and the verdict on one conversation. Called by the tests and by the command line.
"""

from __future__ import annotations

from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tests.conformance.differential.differences import check_alone, compare, ends_stock, undeclared
from tests.conformance.differential.names import Names
from tests.conformance.differential.talk import Talk
from tests.conformance.jdwp.conversation import ConnectionLostError, RefusedError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conformance.differential.differences import Declared, Difference
    from tests.conformance.differential.registry import Conversation
    from tests.conformance.differential.scene import Scene
    from tests.conformance.jdwp.stage import Stage
    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm

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
class Cast:
    """The VMs in which the conversations of one scene take place, one for each agent."""

    scene: Scene
    jdk: Jdk
    ours: AgentInVm = "jvmdebug"
    _playing: dict[AgentInVm, tuple[Stage, Names]] = field(default_factory=dict)
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
        self._stage(self.ours)
        self._stage("stock")

    def end(self) -> None:
        """End the VMs."""
        for agent in list(self._open):
            self._drop(agent)

    def _held(self, conversation: Conversation, agent: AgentInVm, verdict: Verdict) -> Talk:
        with ExitStack() as own:
            if conversation.fresh:
                stage = own.enter_context(self.scene.play(self.jdk, agent))
                talk = Talk(stage, Names(stage.vm), self.jdk.version)
            else:
                talk = Talk(*self._stage(agent), self.jdk.version)
            try:
                conversation.script(talk)
                talk.end()
            except _BREAKS_OFF as why:
                if not conversation.fresh:
                    self._drop(agent)
                last = "".join(f" after {one.name}({one.asked})" for one in talk.steps[-1:])
                verdict.broken.append(f"{agent}: broken off{last}: {type(why).__name__}: {why}")
            return talk

    def _stage(self, agent: AgentInVm) -> tuple[Stage, Names]:
        if agent not in self._playing:
            with ExitStack() as opening:
                stage = opening.enter_context(self.scene.play(self.jdk, agent))
                self._playing[agent] = stage, Names(stage.vm)
                self._open[agent] = opening.pop_all()
        return self._playing[agent]

    def _drop(self, agent: AgentInVm) -> None:
        self._playing.pop(agent, None)
        if playing := self._open.pop(agent, None):
            playing.close()


@contextmanager
def cast_of(scene: Scene, jdk: Jdk, ours: AgentInVm = "jvmdebug") -> Iterator[Cast]:
    """The VMs of a scene while its conversations are held."""
    cast = Cast(scene, jdk, ours)
    try:
        yield cast
    finally:
        cast.end()
