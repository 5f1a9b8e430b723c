# SPDX-License-Identifier: Apache-2.0
"""A program that was started with suspend=n, and runs when the debugger attaches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.conformance.differential.fixture import Fixture
from tests.conformance.differential.registry import conversation
from tests.conformance.differential.scenarios import Scenario
from tests.support.jdwp_session import (
    ALL,
    EVENT_THREAD,
    NONE,
    OPTIONS,
    VM_DEATH,
    thread_only,
    wait_until,
)

if TYPE_CHECKING:
    from tests.conformance.differential.recording_client import RecordingClient

RUNNING = Fixture(
    "running",
    "many_threads",
    "scenarios.ManyThreads",
    agent_options=OPTIONS.replace("suspend=y", "suspend=n"),
)


def _threads(scenario: Scenario) -> list[int]:
    wait_until(lambda: "worker-0" in scenario.session.threads(), "the workers run")
    scenario.drop_sets()  # a debugger that attaches early gets the VM's start
    named = scenario.session.threads()
    return [named[name] for name in ("main", "worker-0", "Finalizer")]


@conversation(RUNNING, fresh=True)
def first_looks(client: RecordingClient) -> None:
    """No thread is suspended: commands that need it are refused, data is readable."""
    scenario = Scenario(client)
    threads = _threads(scenario)
    scenario.counts(threads)
    for thread in threads:
        scenario.ask("ThreadReference.FrameCount", thread=thread)
    type_id = scenario.session.type()
    scenario.ask("ReferenceType.Status", type_id=type_id)
    scenario.invoke("add", 1, 2)
    scenario.resume()
    scenario.counts(threads)
    scenario.ask("VirtualMachine.Suspend")
    scenario.counts(threads)
    scenario.invoke("add", 1, 2)
    scenario.resume()
    scenario.counts(threads)


@conversation(RUNNING, fresh=True)
def stops_and_goes_on(client: RecordingClient) -> None:
    """Breakpoints of one thread and of all, then the debugger goes and the program runs on."""
    scenario = Scenario(client)
    threads = _threads(scenario)
    scenario.choose("stack")
    scenario.break_at("deepest", policy=ALL)
    client.next_set()
    scenario.counts(threads)
    scenario.stack()
    scenario.invoke("add", 1, 2)
    scenario.ask("EventRequest.ClearAllBreakpoints")
    scenario.choose("nothing")
    scenario.break_at("work", thread_only(threads[1]), policy=EVENT_THREAD)
    scenario.resume()
    client.next_set()
    scenario.counts(threads)
    client.ask("VirtualMachine.Dispose")


@conversation(RUNNING, fresh=True)
def runs_to_its_end(client: RecordingClient) -> None:
    scenario = Scenario(client)
    _threads(scenario)
    scenario.request(VM_DEATH, policy=NONE)
    scenario.choose("end")
    client.next_set()
