# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the JDWP conformance tests: `target.Target`, stopped, under each agent on each JDK.

`target` is shared by the tests of a module that change nothing that the others look at;
`fresh_target` is a VM of the test's own. Both stand at the line `@stop` of `Target`. `our_target`
is for tests that the JDK's own agent cannot run, because what they ask would end the VM.
"""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, cast

import pytest

from tests.conformance.jdwp.target import Target
from tests.support import process
from tests.support.debuggees import debuggee
from tests.support.jdks import jdks_to_test
from tests.support.jdwp_client import JdwpClient
from tests.support.jdwp_session import OPTIONS, launched, listening_port
from tests.support.matrix import marks_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.debuggees import DebugTables
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


@contextmanager
def _target(jdk: Jdk, agent: AgentKind, tables: DebugTables = "all") -> Iterator[Target]:
    program = debuggee("conformance", "target.Target", debug_tables=tables)
    argument = process.agent_argument(agent, OPTIONS)
    with launched(jdk, argument, program=program, stderr=None) as jvm:
        client = JdwpClient(listening_port(jvm))
        try:
            target = Target(client, jdk, agent, program)
            target.run_to_stop()
            yield target
        finally:
            client.close()


_AGENTS: tuple[AgentKind, ...] = ("jvmdebug", "stock")


def _pairs() -> list[object]:
    return [
        pytest.param(
            (jdk, agent),
            id=f"{jdk.label}-{agent}",
            marks=marks_of(agent, jdk),
        )
        for jdk in jdks_to_test()
        for agent in _AGENTS
        if agent != "stock" or jdk.has_jdwp
    ]


@pytest.fixture(scope="module", params=_pairs())
def target(request: pytest.FixtureRequest) -> Iterator[Target]:
    """A VM stopped at `@stop`, shared by the tests of the module."""
    jdk, agent = request.param
    with _target(jdk, agent) as stopped:
        yield stopped


@pytest.fixture(params=_pairs())
def fresh_target(request: pytest.FixtureRequest) -> Iterator[Target]:
    """A VM stopped at `@stop`, for this test alone."""
    jdk, agent = request.param
    with _target(jdk, agent) as stopped:
        yield stopped


@pytest.fixture(scope="module", params=_pairs())
def bare_target(request: pytest.FixtureRequest) -> Iterator[Target]:
    """One compiled without debug information, at the first instruction of `Target#stop`."""
    jdk, agent = request.param
    with _target(jdk, agent, "none") as stopped:
        yield stopped


@pytest.fixture
def our_target(target: Target) -> Target:
    """The shared VM, under our agent only: the JDK's own would end the VM, or answer nonsense."""
    return target


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what is asked of our agent only where the agent is the JDK's own."""
    items[:] = [item for item in items if not _asks_stock_for_ours(item)]


def _asks_stock_for_ours(item: pytest.Item) -> bool:
    if not isinstance(item, pytest.Function) or "our_target" not in item.fixturenames:
        return False
    pair = cast("tuple[Jdk, AgentKind]", item.callspec.params["target"])
    return pair[1] == "stock"
