# SPDX-License-Identifier: Apache-2.0
"""The core session of a debugged program, and the task that owns it.

A core session is a context manager, but the requests that open and close it run in different tasks,
so a task of its own enters and leaves it. Handlers use `core`; lifecycle handlers open and leave.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from contextlib import AbstractAsyncContextManager

    from jvmdebug import Session

_LOG = logging.getLogger(__name__)


class Debuggee:
    """An open core session. Made by `start_opening`, ended by `leave`."""

    def __init__(
        self, opener: Callable[[], AbstractAsyncContextManager[Session]], *, is_ours: bool
    ) -> None:
        self.is_ours = is_ours
        """Whether we started the program, so that ending the session ends it."""
        self.has_been_asked_to_end = False
        self._opened: asyncio.Future[Session] = asyncio.get_running_loop().create_future()
        self._left = asyncio.Event()
        self._owner = asyncio.create_task(self._own(opener), name="debuggee")

    @property
    def core(self) -> Session:
        """The core session; available after `opened` has returned."""
        return self._opened.result()

    @property
    def is_open(self) -> bool:
        return self._opened.done() and not self._owner.done()

    @property
    def has_ended(self) -> bool:
        """Whether the program was there and the connection to it is gone."""
        if not self._opened.done() or self._opened.cancelled() or self._opened.exception():
            return False
        return self.core.is_disconnected

    async def opened(self) -> Session:
        """Wait until the program is started or reached. Raises the core's error if that fails."""
        return await asyncio.shield(self._opened)

    async def leave(self) -> None:
        """Leave the core session and wait until it is closed."""
        if not self._opened.done():
            self._owner.cancel()
        self._left.set()
        await asyncio.wait([self._owner])
        if not self._owner.cancelled() and (error := self._owner.exception()) is not None:
            _LOG.error("the session could not be closed cleanly", exc_info=error)

    async def _own(self, opener: Callable[[], AbstractAsyncContextManager[Session]]) -> None:
        try:
            async with opener() as core:
                if not self._opened.done():
                    self._opened.set_result(core)
                await self._left.wait()
        except BaseException as error:
            if self._opened.done():
                raise
            if isinstance(error, asyncio.CancelledError):
                self._opened.cancel()
                raise
            self._opened.set_exception(error)  # `opened` raises it
