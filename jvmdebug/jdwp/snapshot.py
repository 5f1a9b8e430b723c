# SPDX-License-Identifier: Apache-2.0
"""The contents of objects at one moment, from a reply in bulk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.jdwp.generated import array_reference, object_reference
from jvmdebug.jdwp.prefetched import PrefetchedReplies

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug._native import Codec
    from jvmdebug.jdwp.ids import ArrayId, ArrayRegion, FieldId, ObjectId, Value
    from jvmdebug.jdwp.prefetched import BulkAnswer

_ID_BYTES: Final = 8
_CONTENTS: Final = frozenset(
    (each.COMMAND_SET, each.NUMBER)
    for each in (object_reference.GetValues, array_reference.GetValues)
)
_TYPE_OF_OBJECT: Final = (
    object_reference.ReferenceType.COMMAND_SET,
    object_reference.ReferenceType.NUMBER,
)


class Snapshot:
    """What a command that answers in bulk says of the contents of objects, for one reader: in a
    running program they may be others later, so nobody else is answered with them.
    """

    def __init__(self, answers: Iterable[BulkAnswer], codec: Codec) -> None:
        self._codec = codec
        self._contents = PrefetchedReplies()
        self._objects: set[bytes] = set()
        self.facts: list[BulkAnswer] = []
        """The other answers, which stay true."""
        contents: list[BulkAnswer] = []
        for each in answers:
            key = (each.command_set, each.command)
            (contents if key in _CONTENTS else self.facts).append(each)
            if key == _TYPE_OF_OBJECT:
                self._objects.add(each.request)
        self._contents.add(contents)

    def has(self, object_id: int) -> bool:
        """Whether it says something of an object."""
        return object_id.to_bytes(_ID_BYTES, "big") in self._objects

    def fields(self, object_id: ObjectId, fields: tuple[FieldId, ...]) -> tuple[Value, ...] | None:
        """The values of fields of an object; None if they are not all there."""
        asked = object_reference.GetValues(object_id, fields)
        found = self._contents.part(asked, self._codec)
        return found.values if isinstance(found, object_reference.GetValuesReply) else None

    def elements(self, array: ArrayId, start: int, count: int) -> ArrayRegion | None:
        """Elements of an array; None if they are not all there."""
        asked = array_reference.GetValues(array, start, count)
        found = self._contents.part(asked, self._codec)
        return found.values if isinstance(found, array_reference.GetValuesReply) else None
