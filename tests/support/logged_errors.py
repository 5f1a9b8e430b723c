# SPDX-License-Identifier: Apache-2.0
"""Errors that the core only logs, as nobody waits for what failed: an event set that could not be
delivered is a stop that nobody sees.
"""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator


class _Collector(logging.Handler):
    def __init__(self, found: list[str]) -> None:
        super().__init__(logging.ERROR)
        self._found = found
        self.setFormatter(logging.Formatter("%(name)s: %(message)s"))

    def emit(self, record: logging.LogRecord) -> None:
        self._found.append(self.format(record))


@contextlib.contextmanager
def collected_errors() -> Iterator[list[str]]:
    """A context, and what `jvmdebug` logs in it as errors, with their tracebacks."""
    found: list[str] = []
    logger, collector = logging.getLogger("jvmdebug"), _Collector(found)
    logger.addHandler(collector)
    try:
        yield found
    finally:
        logger.removeHandler(collector)
