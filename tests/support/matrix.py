# SPDX-License-Identifier: Apache-2.0
"""Which pairs of {agent} × {JDK} every run has, and which are left to `make matrix`.

The stock agent is here to be compared with: in a run that names no versions it has the newest JDK,
and its tests on the others are marked slow. Called by the conftests that spread tests.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from tests.support.jdks import jdks_to_test

if TYPE_CHECKING:
    from collections.abc import Sequence

    from tests.support.jdks import Jdk
    from tests.support.process import AgentInVm


def marks_of(kind: AgentInVm, jdk: Jdk | None = None) -> Sequence[pytest.MarkDecorator]:
    """The marks of a test with this agent, on this JDK."""
    if kind != "stock":
        return (pytest.mark.agent,)
    is_whole = "JVMDEBUG_TEST_VERSIONS" in os.environ
    newest = max(each.version for each in jdks_to_test())
    is_picked = jdk is None or is_whole or jdk.version == newest
    return () if is_picked else (pytest.mark.slow,)
