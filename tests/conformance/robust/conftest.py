# SPDX-License-Identifier: Apache-2.0
"""Fixtures of the robustness tests: `robust.Main`, stopped, under our agent on each JDK.

Only ours is asked: the JDK's own agent does not check what these tests send, and the VM ends or
goes astray.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.conformance.robust.stopped_target import StoppedTarget, stopped_target
from tests.support.jdks import jdks_to_test

if TYPE_CHECKING:
    from collections.abc import Iterator

_JDKS = [pytest.param(jdk, id=jdk.label, marks=(pytest.mark.agent,)) for jdk in jdks_to_test()]


@pytest.fixture(scope="module", params=_JDKS)
def stopped(request: pytest.FixtureRequest) -> Iterator[StoppedTarget]:
    """A VM stopped at `@stop`, shared by the tests of the module; it must survive them all."""
    with stopped_target(request.param) as stopped:
        yield stopped
        stopped.check()
        assert stopped.run_out().startswith("counted 0 ")


@pytest.fixture(scope="module", params=_JDKS)
def bare_stopped(request: pytest.FixtureRequest) -> Iterator[StoppedTarget]:
    """The same without any debug information, at the first instruction of `stop`."""
    with stopped_target(request.param, "none") as stopped:
        yield stopped
        stopped.check()
        assert stopped.run_out().startswith("counted 0 ")
