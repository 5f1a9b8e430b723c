# SPDX-License-Identifier: Apache-2.0
"""The start of a conversation: its debuggee, the agent's options, the line to run to, if any.

Owns the description and the start; the VM, the look-ups by name and the event sets are
`tests.support.jdwp_session`'s. A conversation names a fixture; the harness starts it under both
agents.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tests.support.debuggees import debuggee
from tests.support.jdwp_client import EventSetClient
from tests.support.jdwp_session import (
    OPTIONS,
    JdwpSession,
    launched,
    listening_port,
    session_of,
    wait_until,
)
from tests.support.process import agent_argument

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.debuggees import Debuggee, DebugTables
    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm


@dataclass(frozen=True)
class Fixture:
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
    """The least JDK that has what the fixture is about."""

    @property
    def program(self) -> Debuggee:
        """The compiled debuggee."""
        return debuggee(self.topic, self.main_class, debug_tables=self.tables)

    def runs_on(self, jdk: Jdk) -> bool:
        """Whether that JDK can run the debuggee, and has both agents."""
        return jdk.has_jdwp and jdk.version >= max(self.program.release, self.least_version)

    @contextmanager
    def start(self, jdk: Jdk, agent: AgentInVm) -> Iterator[JdwpSession]:
        """A VM of its own, at the moment where the conversation begins."""
        if "suspend=n" in self.agent_options:
            with self._running(jdk, agent) as session:
                yield session
            return
        with session_of(
            jdk, agent, self.argument, self.agent_options, self.program, self.vm_args
        ) as session:
            if self.marker:
                session.main_thread = session.run_to(self.marker)
            yield session

    @contextmanager
    def _running(self, jdk: Jdk, agent: AgentInVm) -> Iterator[JdwpSession]:
        """The program runs and its main class is prepared; no thread is suspended."""
        argument = agent_argument(agent, self.agent_options)
        with launched(
            jdk, argument, self.argument, program=self.program, vm_args=self.vm_args
        ) as jvm:
            session = JdwpSession(EventSetClient(listening_port(jvm)), jvm, self.program)
            wanted = {"signature": session.main_type}
            try:
                wait_until(
                    lambda: session.vm.ask("VirtualMachine.ClassesBySignature", **wanted)[
                        "classes"
                    ],
                    "the main class is prepared",
                )
                session.main_thread = session.threads()["main"]
                yield session
            finally:
                session.vm.close()


TARGET = Fixture("target", "conformance", "target.Target", marker="stop")
"""One of everything, at the line `@stop`."""

BARE_TARGET = Fixture("bare_target", "conformance", "target.Target", tables="none")
"""The same without debug tables, before any code of it has run."""

TYPES = Fixture(
    "types", "types", "types.Types", marker="stop", vm_args=("-XX:-CreateCoredumpOnCrash",)
)
"""Every kind of type, object and thread, at the line `@stop`; Java 17 and newer."""


def scenario_fixture(argument: str, marker: str = "") -> Fixture:
    """A fixture of `scenarios.Scenarios`."""
    name = f"session_{argument}_{marker}" if marker else f"session_{argument}"
    return Fixture(name, "scenarios", "scenarios.Scenarios", argument, marker)
