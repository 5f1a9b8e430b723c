# SPDX-License-Identifier: Apache-2.0
"""The JDK of the containers: the first one in CI, which has no time for more."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import pytest

from tests.support.jdks import jdks_to_test

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

_EACH = [
    pytest.param(each, id=each.label, marks=[pytest.mark.slow] if number else [])
    for number, each in enumerate(jdks_to_test())
]


@pytest.fixture(params=_EACH)
def one_jdk(request: pytest.FixtureRequest) -> Jdk:
    """The JDK in the container."""
    return cast("Jdk", request.param)
