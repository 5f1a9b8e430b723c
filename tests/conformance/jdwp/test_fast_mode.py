# SPDX-License-Identifier: Apache-2.0
"""The agent's option `mode`: what the fast mode leaves out, and that it says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.jdwp.conversation import RefusedError
from tests.conformance.jdwp.stage import (
    EXCEPTION,
    METHOD_EXIT,
    METHOD_EXIT_WITH_RETURN_VALUE,
    OPTIONS,
    staged,
)

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

pytestmark = pytest.mark.agent


@pytest.mark.parametrize("kind", [EXCEPTION, METHOD_EXIT, METHOD_EXIT_WITH_RETURN_VALUE])
def test_the_fast_mode_refuses_what_slows_the_program_down(jdk: Jdk, kind: int) -> None:
    with staged(jdk, "jvmdebug-fast", "steps") as stage:
        with pytest.raises(RefusedError, match="NOT_IMPLEMENTED"):
            stage.request(kind)
        assert stage.run_out().startswith("done ")


@pytest.mark.parametrize("kind", [EXCEPTION, METHOD_EXIT, METHOD_EXIT_WITH_RETURN_VALUE])
def test_the_full_mode_takes_the_same_requests(jdk: Jdk, kind: int) -> None:
    with staged(jdk, "jvmdebug", "steps", OPTIONS + ",mode=full") as stage:
        stage.clear(kind, stage.request(kind))
        assert stage.run_out().startswith("done ")
