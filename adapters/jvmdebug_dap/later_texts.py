# SPDX-License-Identifier: Apache-2.0
"""Texts of toString() methods that are found out after a stop was shown.

Objects of a class that is shown for the first time have none yet, because reading its code takes
requests. It is read when the client has what it asked for; if an object that is shown has a text
then, the client is told to show the values again. From the next stop on the text is there at once.
"""

from __future__ import annotations

import asyncio
import contextlib
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import JvmDebugError

if TYPE_CHECKING:
    from jvmdebug import Stop
    from jvmdebug_dap.session import AdapterSession

_QUIET_S: Final = 0.1
"""A client asks for scopes, variables and values in the editor one after the other."""


class LaterTexts:
    """Finds the texts of one session."""

    def __init__(self, session: AdapterSession) -> None:
        self._session = session
        self._expecting: Stop | None = None

    def expect(self, stop: Stop) -> None:
        """Values of the stop are shown: find out later what is not known of them."""
        if stop.own_texts.has_later and self._expecting is not stop:
            self._expecting = stop
            self._session.run_beside(self._find(stop), "texts of toString()")

    async def _find(self, stop: Stop) -> None:
        try:
            await asyncio.sleep(_QUIET_S)
            is_new = False
            with contextlib.suppress(JvmDebugError):  # the stop is over, or the program
                while stop.is_current and stop.own_texts.has_later:
                    is_new = await stop.own_texts.plan_later() or is_new
            if is_new and stop.is_current:
                self._session.tell_of_changed_values()
        finally:
            if self._expecting is stop:
                self._expecting = None
