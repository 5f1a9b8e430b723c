# SPDX-License-Identifier: Apache-2.0
"""A test that takes too long ends, also where what runs then takes the exception.

pytest-timeout raises it once, wherever the test is at that moment. A callback of the event loop
only logs what is raised in it: then the test would wait for ever. So it is raised again and again.
"""

from __future__ import annotations

import signal
from typing import TYPE_CHECKING, Protocol

import pytest

if TYPE_CHECKING:
    from collections.abc import Generator


class Settings(Protocol):
    """What pytest-timeout knows of a test."""

    method: str
    timeout: float


AGAIN_S = 20.0
"""Between two times; the end of a test that was too long has that time too."""


@pytest.hookimpl(hookwrapper=True)
def pytest_timeout_set_timer(settings: Settings) -> Generator[None]:
    """Repeat the alarm of pytest-timeout, which ends it with the test."""
    yield
    if settings.method == "signal":
        signal.setitimer(signal.ITIMER_REAL, settings.timeout, AGAIN_S)
