# SPDX-License-Identifier: Apache-2.0
"""Where a conversation takes place: which debuggee, started how, and run to which line, if any.

Owns the description and the way there; the VM, the look-ups by name and the event sets are
`tests.conformance.jdwp.stage`'s. A conversation names a scene; the harness starts it under both
agents.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.conformance.jdwp.stage import (
    OPTIONS,
    SetConversation,
    Stage,
    launched,
    listening_port,
    staged,
    wait_until,
)
from tests.support.debuggees import debuggee
from tests.support.process import agent_argument

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.debuggees import Debuggee, DebugTables
    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm


@dataclass(frozen=True)
class Scene:
    """A debuggee and the moment at which the conversation begins: all threads are suspended."""

    name: str
    """For test ids; one word."""
    topic: str
    main_class: str
    argument: str = ""
    """Of the program."""
    marker: str = ""
    """Run to this `// @marker` of the main class; empty: it is prepared, nothing of it has run."""
    vm_args: tuple[str, ...] = ()
    tables: DebugTables = "all"
    agent_options: str = OPTIONS
    least_version: int = 0
    """The least JDK that has what the scene is about."""

    @property
    def program(self) -> Debuggee:
        """The compiled debuggee."""
        return debuggee(self.topic, self.main_class, debug_tables=self.tables)

    def runs_on(self, jdk: Jdk) -> bool:
        """Whether that JDK can run the debuggee, and has both agents."""
        return jdk.has_jdwp and jdk.version >= max(self.program.release, self.least_version)

    @contextmanager
    def play(self, jdk: Jdk, agent: AgentInVm) -> Iterator[Stage]:
        """A VM of its own, at the moment where the conversation begins."""
        if "suspend=n" in self.agent_options:
            with self._running(jdk, agent) as stage:
                yield stage
            return
        with staged(
            jdk, agent, self.argument, self.agent_options, self.program, self.vm_args
        ) as stage:
            if self.marker:
                stage.main_thread = stage.run_to(self.marker)
            yield stage

    @contextmanager
    def _running(self, jdk: Jdk, agent: AgentInVm) -> Iterator[Stage]:
        """The program runs and its main class is prepared; nobody is suspended."""
        argument = agent_argument(agent, self.agent_options)
        with launched(
            jdk, argument, self.argument, program=self.program, vm_args=self.vm_args
        ) as jvm:
            stage = Stage(SetConversation(listening_port(jvm)), jvm, self.program)
            wanted = {"signature": stage.main_type}
            try:
                wait_until(
                    lambda: stage.vm.ask("VirtualMachine.ClassesBySignature", **wanted)["classes"],
                    "the main class is prepared",
                )
                stage.main_thread = stage.threads()["main"]
                yield stage
            finally:
                stage.vm.close()


ZOO = Scene("zoo", "conformance", "zoo.Zoo", marker="stop")
"""One of everything, at the line `@stop`."""

BARE_ZOO = Scene("bare_zoo", "conformance", "zoo.Zoo", tables="none")
"""The same without debug tables, before any code of it has run."""

TYPES = Scene(
    "types", "types", "types.Types", marker="stop", vm_args=("-XX:-CreateCoredumpOnCrash",)
)
"""Every kind of type, object and thread, at the line `@stop`; Java 17 and newer."""


def stage_scene(argument: str, marker: str = "") -> Scene:
    """A scene of `stage.Stage`."""
    name = f"stage_{argument}_{marker}" if marker else f"stage_{argument}"
    return Scene(name, "stage", "stage.Stage", argument, marker)
