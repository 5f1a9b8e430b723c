# SPDX-License-Identifier: Apache-2.0
"""An editor's side of a debug session: launch attributes for the matrix, a client, usual steps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tests.support import process
from tests.support.dap_client import DapClient, local_client

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Callable

    from tests.support.debuggees import Debuggee
    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

Attributes = dict[str, Any]


@pytest.fixture
async def client() -> AsyncIterator[DapClient]:
    """A client of an adapter inside the test."""
    async with local_client() as connected:
        yield connected


@pytest.fixture
def attributes(jdk: Jdk, agent_kind: AgentKind) -> Callable[[Debuggee], Attributes]:
    """launch attributes that run a debuggee on the JDK and with the agent of the matrix."""
    return _attributes_of(jdk, agent_kind)


@pytest.fixture
def our_attributes(jdk: Jdk) -> Callable[[Debuggee], Attributes]:
    """The same with our agent alone, for what does not depend on the agent."""
    return _attributes_of(jdk, "jvmdebug")


def _attributes_of(jdk: Jdk, agent_kind: AgentKind) -> Callable[[Debuggee], Attributes]:
    def of(debuggee: Debuggee) -> Attributes:
        if jdk.version < debuggee.release:
            pytest.skip(f"debuggee {debuggee.topic} needs Java {debuggee.release}")
        return {
            "mainClass": debuggee.main_class,
            "classPaths": [str(path) for path in debuggee.class_path],
            "sourcePaths": [str(debuggee.source_dir)],
            "javaExec": str(jdk.java),
            **process.launch_options(agent_kind),
        }

    return of
