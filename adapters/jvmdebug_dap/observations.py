# SPDX-License-Identifier: Apache-2.0
"""Traces of methods and writes to fields that the client has asked for, told in its console.

Owns them from the request to their end, and how many lines of them the console gets in a second.
What happened is `jvmdebug`'s. Called by `handlers/observing.py`.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.errors import JvmDebugError

if TYPE_CHECKING:
    import jvmdebug
    from jvmdebug_dap.models.custom import ObservationBody
    from jvmdebug_dap.session import AdapterSession

    AnyObservation: TypeAlias = jvmdebug.Trace | jvmdebug.FieldWrites

_MOST_A_SECOND: Final = 50
"""Lines that somebody can still look at."""


class RunningObservations:
    """The running observations of one session, by their numbers."""

    def __init__(self, session: AdapterSession) -> None:
        self._session = session
        self._running: dict[int, AnyObservation] = {}
        self._last = 0

    async def begin(self, observation: AnyObservation, title: str) -> ObservationBody:
        """Arm it and tell what it reports, beside everything else. Raises what arming raises."""
        await observation.open()
        self._last += 1
        number = self._last
        self._running[number] = observation
        from jvmdebug_dap.models.custom import ObservationBody  # noqa: PLC0415 - slow to import

        body = ObservationBody(observation=number, title=title)
        note = f" ({observation.message})" if observation.message else ""
        self._session.tell(f"{title}: begun{note}")
        self._session.run_beside(self._told(number, observation, body), title)
        return body

    async def stop(self, number: int | None) -> bool:
        """End one, or all of them; False if there is none."""
        found = [each for key, each in self._running.items() if number in (None, key)]
        for each in found:
            await each.close()
        return bool(found)

    async def _told(self, number: int, observation: AnyObservation, body: ObservationBody) -> None:
        session = self._session
        reason = ""
        loop = asyncio.get_running_loop()
        begun, told = loop.time(), 0
        try:
            while (event := await observation.next()) is not None:
                if loop.time() > begun + 1:
                    begun, told = loop.time(), 0
                session.tell(str(event))
                told += 1
                if told == _MOST_A_SECOND:
                    await asyncio.sleep(begun + 1 - loop.time())
                    if left := len(observation.take()):
                        session.tell(f"… and {left} more in this second")
        except JvmDebugError as error:
            reason = f": {error}"
        finally:
            del self._running[number]
            await observation.close()
        missed = f", {observation.missed} missed" if observation.missed else ""
        session.tell(f"{body.title}: ended after {observation.count}{missed}{reason}")
        session.channel.send_event("jvmdebug/observationEnded", body)
