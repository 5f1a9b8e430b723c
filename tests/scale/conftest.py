# SPDX-License-Identifier: Apache-2.0
"""The fixture of the scale tests: `scale.Scale` under the agent and JDK of the matrix."""

from __future__ import annotations

from contextlib import ExitStack
from typing import TYPE_CHECKING, Protocol

import pytest

from tests.scale.vm import ScaleVm, running

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind


class StartScale(Protocol):
    """What the fixture `start_scale` gives: starts a VM and connects to it."""

    def __call__(self, *, agent_options: str = "", vm_args: Sequence[str] = ()) -> ScaleVm:
        """Start it; it ends with the test."""


@pytest.fixture
def start_scale(jdk: Jdk, agent_kind: AgentKind) -> Iterator[StartScale]:
    """Starts VMs with the agent of the matrix in them."""
    yield from _starter(jdk, agent_kind)


@pytest.fixture
def start_ours(jdk: Jdk) -> Iterator[StartScale]:
    """Starts VMs with our agent: for what the JDK's own does not promise."""
    yield from _starter(jdk, "jvmdebug")


def _starter(jdk: Jdk, agent: AgentKind) -> Iterator[StartScale]:
    with ExitStack() as started:

        def start(*, agent_options: str = "", vm_args: Sequence[str] = ()) -> ScaleVm:
            return started.enter_context(
                running(jdk, agent, agent_options=agent_options, vm_args=vm_args)
            )

        yield start
