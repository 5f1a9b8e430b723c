# SPDX-License-Identifier: Apache-2.0
"""`dropin`: the test's JDK as it is, and its copy with our library as `libjdwp.so`.

These tests are not marked `agent`: that mark selects what runs with a sanitizer in the agent, where
`java` is a script that cannot be copied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import pytest

from tests.support import process
from tests.support.copied_jdk import copy_jdk

if TYPE_CHECKING:
    from collections.abc import Callable

    from tests.support.jdks import Jdk


@dataclass(frozen=True, slots=True)
class DropIn:
    """Two JDKs that differ in nothing but their `libjdwp.so`."""

    stock: Jdk
    ours: Jdk

    def both(self, run: Callable[[Jdk], str]) -> tuple[str, str]:
        """What `run` gives under the JDK's own agent, and under ours."""
        return run(self.stock), run(self.ours)


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
    """Both JDKs; skips on a runtime without debugger and agent of its own."""
    if not jdk.has_jdwp or not jdk.has_javac:
        pytest.skip("a Java runtime without tools: no jdb, no JDI and no libjdwp.so")
    return DropIn(jdk, _copies(jdk))
