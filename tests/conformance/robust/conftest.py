# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the robustness tests: the pit, stopped, under our agent on each JDK.

Only ours is asked: the JDK's own agent does not check what these tests send, and the VM ends or
goes astray.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.robust.pit import Pit, pit_of
from tests.support.jdks import jdks_to_test

if TYPE_CHECKING:
    from collections.abc import Iterator

_JDKS = [pytest.param(jdk, id=jdk.label, marks=(pytest.mark.agent,)) for jdk in jdks_to_test()]


@pytest.fixture(scope="module", params=_JDKS)
def pit(request: pytest.FixtureRequest) -> Iterator[Pit]:
    """A VM that stands at `@stop`, shared by the tests of the module; it must survive them all."""
    with pit_of(request.param) as stopped:
        yield stopped
        stopped.check()
        assert stopped.run_out().startswith("played 0 ")


@pytest.fixture(scope="module", params=_JDKS)
def bare_pit(request: pytest.FixtureRequest) -> Iterator[Pit]:
    """The same without any debug information, at the first instruction of `stop`."""
    with pit_of(request.param, "none") as stopped:
        yield stopped
        stopped.check()
        assert stopped.run_out().startswith("played 0 ")
