# SPDX-License-Identifier: Apache-2.0
"""Reads what a test runner reports, through a named pipe that the launch has made.

What a line means is `projects.testing`'s. Made by `program` for a program that runs tests, read to
its end by `lifecycle` before the end of the session is told.
"""

from __future__ import annotations

import asyncio
import os
from typing import TYPE_CHECKING, Final

from jvmdebug.projects.testing import Results

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

    from jvmdebug.projects.testing import TestEvent

_CHUNK: Final = 1 << 16
_MOST_OF_A_LINE: Final = 1 << 22
"""The runner cuts its texts long before."""


class TestResults:
    """The results of one program, from its start to `close`."""

    __test__ = False

    def __init__(
        self, pipe: Path, post: Callable[[TestEvent], None], source_path: Iterable[Path]
    ) -> None:
        """Begin to read. `post` gets each event, on the event loop."""
        self._post = post
        self._results = Results(source_path)
        self._rest = b""
        self._names: dict[str, str] = {}
        # For writing too: opening does not wait, and there is no end of file between two writers.
        self._descriptor: int | None = os.open(pipe, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
        self._loop = asyncio.get_running_loop()
        self._loop.add_reader(self._descriptor, self._read_some)

    def _read_some(self) -> bool:
        """Whether there was anything."""
        if self._descriptor is None:
            return False
        try:
            read = os.read(self._descriptor, _CHUNK)
        except BlockingIOError:
            return False
        *lines, rest = (self._rest + read).split(b"\n")
        self._rest = rest if len(rest) < _MOST_OF_A_LINE else b""
        for line in lines:
            event = self._results.event(line)
            if event is not None:
                if event.event == "started" and event.selector is not None:
                    self._names[event.id] = event.selector
                self._post(event)
        return True

    def name_of(self, test: str) -> str:
        """What runs a test again that the runner has told by its id: `shop.CartTest#adds`."""
        return self._names.get(test, test)

    def read_rest(self) -> None:
        """Post what has been written and not been read: the program has ended."""
        while self._read_some():
            pass

    def close(self) -> None:
        """Stop reading."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            self._loop.remove_reader(descriptor)
            os.close(descriptor)
