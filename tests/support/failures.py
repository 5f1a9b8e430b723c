# SPDX-License-Identifier: Apache-2.0
"""What the event router logs: failures of reactions and of sinks."""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING

from jvmdebug.events.router import LOGGER

if TYPE_CHECKING:
    from collections.abc import Iterator


class Failures(logging.Handler):
    """The failures, each with what was attempted."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.seen: list[tuple[BaseException, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        assert isinstance(record.args, tuple)
        assert record.exc_info is not None
        error = record.exc_info[1]
        assert error is not None
        self.seen.append((error, str(record.args[0])))


@contextlib.contextmanager
def noted_failures() -> Iterator[Failures]:
    """Failures that are logged inside."""
    failures = Failures()
    LOGGER.addHandler(failures)
    try:
        yield failures
    finally:
        LOGGER.removeHandler(failures)
