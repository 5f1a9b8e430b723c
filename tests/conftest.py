# SPDX-License-Identifier: Apache-2.0
"""Fixtures for all tests: the matrix {agent} × {JDK}, VMs to debug, and the check for leaks.

Begin reading here and in `tests/support/__init__.py`; each folder's conftest adds its fixtures.

A test that names `jdk` runs once per JDK, one that names `agent_kind` once per agent, one that
names both once per pair that exists (a VM without libjdwp has no stock agent); `support.matrix`
says which pairs are left to `make matrix`. Those marked `both_modes` run with our agent in its
fast mode too. Programs that a test launches run in that mode anyway: those tests are marked
`full_mode_too`.
"""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING, Protocol, cast

import hypothesis
import pytest

from tests.support import other_stage, process, time_limits, warm_javac
from tests.support.jdks import Jdk, jdks_to_test
from tests.support.logged_errors import collected_errors
from tests.support.matrix import left_out_items, marks_of
from tests.support.process import AgentInVm, AgentKind, Jvm

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator, Sequence

    from _pytest.mark import ParameterSet

    from tests.support.debuggees import Debuggee

_AGENTS: tuple[AgentInVm, ...] = ("jvmdebug", "stock")
_BOTH_MODES: tuple[AgentInVm, ...] = ("jvmdebug", "jvmdebug-fast", "stock")
_FULL_MODE_TOO: tuple[AgentInVm, ...] = ("jvmdebug", "jvmdebug-full", "stock")
_VMS = process.KnownVms()
_GRACE_S = 5.0
"""How long a VM that is already ending may take after its test."""

# The machine may be busy: what is slow there is not wrong. `make fuzz` looks for longer.
hypothesis.settings.register_profile("test", deadline=None, max_examples=25)
hypothesis.settings.register_profile("fuzz", deadline=None, max_examples=20_000)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "test"))


def pytest_addoption(parser: pytest.Parser) -> None:
    """What CI needs to run no test in two of its stages."""
    other_stage.add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Mark the processes that this one starts, so that those left behind are found."""
    os.environ[process.OWNER] = str(os.getpid())
    config.pluginmanager.register(time_limits)
    other_stage.register(config)


def pytest_sessionstart() -> None:
    """Share one compile server for each JDK."""
    warm_javac.hold()


def pytest_sessionfinish() -> None:
    """End those that were started."""
    warm_javac.release()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out what another stage ran, and what is left to `make matrix`."""
    for item in left_out_items(items):
        item.add_marker(pytest.mark.slow)
    other_stage.leave_out(config, items)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Spread a test over the matrix."""
    wants_jdk = "jdk" in metafunc.fixturenames
    wants_agent = "agent_kind" in metafunc.fixturenames
    file, name = metafunc.definition.path, metafunc.function.__name__
    agents = _AGENTS
    if metafunc.definition.get_closest_marker("both_modes"):
        agents = _BOTH_MODES
    elif metafunc.definition.get_closest_marker("full_mode_too"):
        agents = _FULL_MODE_TOO
    if wants_jdk and wants_agent:
        pairs = [
            pytest.param(
                jdk,
                kind,
                id=f"{jdk.label}-{kind}",
                marks=marks_of(kind, jdk, file=file, test=name),
            )
            for jdk in jdks_to_test()
            for kind in agents
            if kind != "stock" or jdk.has_jdwp
        ]
        pairs = _wanted(metafunc.config, pairs)
        metafunc.parametrize(("jdk", "agent_kind"), pairs, indirect=True)
    elif wants_jdk:
        jdks = [
            pytest.param(jdk, id=jdk.label, marks=marks_of(None, jdk, file=file, test=name))
            for jdk in jdks_to_test()
        ]
        metafunc.parametrize("jdk", _wanted(metafunc.config, jdks), indirect=True)
    elif wants_agent:
        kinds = [
            pytest.param(kind, id=kind, marks=marks_of(kind, file=file, test=name))
            for kind in agents
        ]
        metafunc.parametrize("agent_kind", _wanted(metafunc.config, kinds), indirect=True)


def _wanted(config: pytest.Config, pairs: list[ParameterSet]) -> list[ParameterSet]:
    """Leave out what `-m "… not slow"` would leave out, which each worker would collect first.
    One stays if all are left out.
    """
    if not config.getoption("markexpr").endswith("not slow"):
        return pairs
    wanted = [each for each in pairs if pytest.mark.slow not in each.marks]
    return wanted or pairs[:1]


@pytest.fixture
def jdk(request: pytest.FixtureRequest) -> Jdk:
    """The JDK to run the debuggee with."""
    return cast("Jdk", request.param)


@pytest.fixture
def agent_kind(request: pytest.FixtureRequest) -> AgentKind:
    """The agent to debug with: `jvmdebug` or `stock`."""
    return cast("AgentKind", request.param)


class StartJvm(Protocol):
    """What the fixture `start_jvm` gives: starts a VM whose agent listens on a fresh port."""

    async def __call__(
        self,
        debuggee: Debuggee,
        *,
        suspend: bool = True,
        vm_args: Sequence[str] = (),
        args: Sequence[str] = (),
        agent_options: str = "",
    ) -> Jvm:
        """Start it. `agent_options` are added to the agent's options, after a comma."""


@pytest.fixture
async def start_jvm(jdk: Jdk, agent_kind: AgentKind) -> AsyncIterator[StartJvm]:
    """Starts VMs with the agent of the matrix in them, and ends them after the test."""
    started: list[Jvm] = []

    async def start(
        debuggee: Debuggee,
        *,
        suspend: bool = True,
        vm_args: Sequence[str] = (),
        args: Sequence[str] = (),
        agent_options: str = "",
    ) -> Jvm:
        if jdk.version < debuggee.release:
            pytest.skip(f"debuggee {debuggee.topic} needs Java {debuggee.release}")
        options = f"transport=dt_socket,server=y,suspend={'y' if suspend else 'n'}"
        options += ",address=127.0.0.1:0" + (f",{agent_options}" if agent_options else "")
        agent = process.agent_argument(agent_kind, options)
        started.append(await Jvm.start(jdk, debuggee, agent=agent, vm_args=vm_args, args=args))
        return started[-1]

    yield start
    for jvm in started:
        await jvm.end()


@pytest.fixture
def own_javac() -> Iterator[None]:
    """No compile server outlives the session that uses it, as in a user's process."""
    with warm_javac.none_held():
        yield


@pytest.fixture(autouse=True)
def _no_error_is_logged(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test in whose process the core has logged an error, unless it is marked so."""
    with collected_errors() as found:
        yield
    if found and request.node.get_closest_marker("logs_errors") is None:
        pytest.fail("logged: " + "\n".join(found))


@pytest.fixture(autouse=True)
def _no_vm_left_behind(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a VM running, and end that VM."""
    # A window is there for several tests, and starts VMs for each.
    look = request.node.get_closest_marker("vscode") is not None
    before = _VMS.now(look=look)
    yield
    deadline = time.monotonic() + _GRACE_S
    expected = before | process.OUTLIVING
    left = _VMS.now(look=look) - expected
    while left and time.monotonic() < deadline:
        time.sleep(0.05)
        left = _VMS.now(look=True) - expected
    if left:
        process.kill(left)
        pytest.fail(f"the test left VMs running: {sorted(left)}")
