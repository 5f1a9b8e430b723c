# SPDX-License-Identifier: Apache-2.0
"""The text of an object's own toString(), where the method only joins fields, or only reads: it is
computed here and not run in the program. Called by `Variable.as_text`.
"""

from __future__ import annotations

import asyncio
import time
from typing import TYPE_CHECKING, Final

from jvmdebug import evaluator
from jvmdebug.errors import EvaluationError
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.values import ObjectReference
from jvmdebug.together import together

if TYPE_CHECKING:
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value
    from jvmdebug.session.frame_handle import FrameHandle
    from jvmdebug.session.settings import SessionSettings

_ITSELF: Final = "$it"
_TEXT: Final = f"((Object) {_ITSELF}).toString()"
_DEADLINE_S: Final = 0.1
"""For one object: a stop shows many."""
_ALL_S: Final = 0.4
"""For all objects of a stop; those after are shown by their fields."""
_MOST_LATER: Final = 200
"""Of so many objects at a stop it is found out later whether they have a text."""


class OwnTexts:
    """The texts at one stop."""

    def __init__(self, settings: SessionSettings) -> None:
        self._settings = settings
        self._refused: set[ReferenceType] = set()
        """The classes whose toString() did more than read, or took long."""
        self._left_s = _ALL_S
        self._one_by_one = asyncio.Lock()
        """Texts that are computed at the same time would each count the time of the others."""
        self._later: dict[ObjectReference, None] = {}
        """Those that were shown without a text, as their classes had no plan yet."""

    async def joined(self, value: Value, *, may_plan: bool) -> Value | None:
        """The string that the object's toString() makes, if it only joins fields. Without
        `may_plan` a class that is seen first has none until `plan_later` has read its code, unless
        our agent has sent it with the stop.
        """
        if self._settings.to_string == "off" or not isinstance(value, ObjectReference):
            return None
        try:
            return await evaluator.planned_text(value, may_plan=may_plan)
        except evaluator.PlanLaterError:
            if len(self._later) < _MOST_LATER:
                self._later[value] = None
            return None

    @property
    def has_later(self) -> bool:
        """Whether objects were shown whose classes were not known yet."""
        return bool(self._later)

    async def plan_later(self) -> bool:
        """Read the code of the classes that were seen first. Whether an object that was shown has a
        text now.
        """
        waiting, self._later = list(self._later), {}
        found = await together(self.joined(each, may_plan=True) for each in waiting)
        return any(each is not None for each in found)

    @property
    def computes(self) -> bool:
        """Whether a toString() that does more than join fields is computed if it only reads."""
        return self._settings.to_string in ("read", "call")

    async def computed(self, frame: FrameHandle, value: Value) -> Value | None:
        """The string that the object's toString() makes, if it only reads; None also where texts
        of a stop have taken their time.
        """
        if not self.computes or not isinstance(value, ObjectReference):
            return None
        type_ = await value.type()
        async with self._one_by_one:
            if type_ in self._refused or self._left_s <= 0:
                return None
            return await self._computed(frame, value, type_)

    async def _computed(
        self, frame: FrameHandle, value: Value, type_: ReferenceType
    ) -> Value | None:
        deadline_s, names = min(_DEADLINE_S, self._left_s), {_ITSELF: value}
        begun = time.monotonic()
        try:
            return await evaluator.evaluate(
                await frame.frame(), _TEXT, deadline_s=deadline_s, read_only=True, names=names
            )
        except (EvaluationError, DebuggeeException):
            self._refused.add(type_)
            return None
        finally:
            self._left_s -= time.monotonic() - begun
