# SPDX-License-Identifier: Apache-2.0
"""`dropin`: the test's JDK as it is, and its copy with our library as `libjdwp.so`.

A runtime without tools is debugged with those of the newest JDK; one without libjdwp has ours only.

These tests are not marked `agent`: that mark selects what runs with a sanitizer in the agent, where
`java` is a script that cannot be copied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.support import process
from tests.support.copied_jdk import copy_jdk
from tests.support.jdks import newest_compiler

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.jdks import Jdk


@dataclass(frozen=True, slots=True)
class DropIn:
    """Two JDKs that differ in nothing but their `libjdwp.so`."""

    stock: Jdk
    """Perhaps without a `libjdwp.so`."""
    ours: Jdk
    tools: Jdk | None
    """What has the debuggers; None when each of the two has its own."""

    def both(self, run: Callable[[Jdk], str]) -> tuple[str | None, str]:
        """What `run` gives under the JDK's own agent (None: there is none), and under ours."""
        return run(self.stock) if self.stock.has_jdwp else None, run(self.ours)

    def tools_for(self, jdk: Jdk) -> Jdk:
        """The JDK whose jdb and JDI debug that one."""
        return self.tools or jdk


@pytest.fixture(scope="session")
def _copies(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Jdk], Jdk]:
    made: dict[Jdk, Jdk] = {}

    def copy_of(jdk: Jdk) -> Jdk:
        if jdk not in made:
            home = tmp_path_factory.mktemp("jdk") / jdk.label
            made[jdk] = copy_jdk(jdk, home, process.agent_library())
        return made[jdk]

    return copy_of


@pytest.fixture
def dropin(jdk: Jdk, _copies: Callable[[Jdk], Jdk]) -> DropIn:
    """Both JDKs, and where their debuggers are."""
    return DropIn(jdk, _copies(jdk), None if jdk.has_javac else newest_compiler())
