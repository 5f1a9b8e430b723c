# SPDX-License-Identifier: Apache-2.0
"""A condition on an object, outside of any frame: `this` and `it` are the object, its fields have
their simple names.

Owns the frame that stands for it. A condition that only reads fields is evaluated while the program
runs; to call methods it takes a thread that an event has stopped. Called by the session, to choose
among objects.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.expression import CompiledExpression
from jvmdebug.jdwp.ids import ObjectId, ThreadId
from jvmdebug.model.frame import Frame

if TYPE_CHECKING:
    from jvmdebug.model.location import Location
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.values import ObjectReference

_NO_LOCAL: Final = -1
"""A code index at which no variable of a method is in scope."""
_OBJECT: Final = "Ljava/lang/Object;"
_NAME: Final = "it"


class _ObjectFrame(Frame):
    """The frame that a method of the object would have, before its first instruction."""

    def __init__(self, thread: Thread, location: Location, this: ObjectReference) -> None:
        super().__init__(thread, 0, location, None, thread.generation, (0, 0))
        self._this = this

    async def this_object(self) -> ObjectReference:
        return self._this


class ObjectCondition:
    """A condition on objects of a type; EvaluationError with the column when the text is none."""

    def __init__(self, text: str, type_: ReferenceType, *, read_only: bool) -> None:
        self._code = CompiledExpression(text, read_only=read_only)
        self._uses_name = re.search(rf"\b{_NAME}\b", text) is not None
        self._type = type_
        self._location: Location | None = None

    async def holds(
        self, obj: ObjectReference, thread: Thread | None, deadline_s: float | None = None
    ) -> bool:
        """Whether it holds for an object. Methods are called on `thread`.

        Raises ReadOnlyError for a call in one that was made `read_only`, EvaluationError for what
        has no meaning or value.
        """
        if self._location is None:
            self._location = await self._find_location()
        on = obj.vm.thread(ThreadId(ObjectId(0))) if thread is None else thread
        frame = _ObjectFrame(on, self._location, obj)
        names = {_NAME: obj} if self._uses_name else {}
        return await self._code.test(frame, deadline_s=deadline_s, names=names)

    async def release(self) -> None:
        """Forget what it meant."""
        await self._code.release()

    async def _find_location(self) -> Location:
        """Finds a location in a method that has `this`; arrays have none of their own."""
        objects = await self._type.vm.classes_by_signature(_OBJECT)
        for home in (self._type, *objects):
            for method in await home.methods():
                if not method.is_static and not method.is_native:
                    return method.location(_NO_LOCAL)
        raise EvaluationError(f"{self._type.name} has no method to evaluate in")
