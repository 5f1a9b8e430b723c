# SPDX-License-Identifier: Apache-2.0
"""The object ids that the agent has sent, and those that are not referenced here any more.

An agent keeps an id until it is disposed of as often as it was sent. References are unique while
they are alive; ids whose reference was collected are disposed of in batches, when the program
resumes. Owned by VirtualMachine.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Final
from weakref import WeakValueDictionary

from jvmdebug.jdwp.generated.virtual_machine import DisposeObjects
from jvmdebug.model import conversion

if TYPE_CHECKING:
    from jvmdebug.jdwp.generated.constants import Tag
    from jvmdebug.jdwp.ids import ObjectId
    from jvmdebug.model.values import ObjectReference
    from jvmdebug.model.virtual_machine import VirtualMachine

BATCH: Final = 500
"""The number of dead ids for which a command is sent."""
MANY: Final = 50_000
"""So many ids are counted before it is time to look for dead ones, in a stop too."""


class ReferenceTable:
    """The object references of one VM."""

    def __init__(self, vm: VirtualMachine) -> None:
        self._vm = vm
        self._alive: WeakValueDictionary[ObjectId, ObjectReference] = WeakValueDictionary()
        self._received: Counter[ObjectId] = Counter()
        self._look_at = MANY

    @property
    def is_large(self) -> bool:
        """Whether more ids have come since the last look than should be kept."""
        return len(self._received) >= self._look_at

    def received(self, tag: Tag, object_id: ObjectId) -> ObjectReference:
        """The reference for an id that has just come over the wire as an object."""
        self._received[object_id] += 1
        found = self._alive.get(object_id)
        if found is not None and found.tag is tag:
            return found
        made = conversion.reference(self._vm, tag, object_id)
        if found is None:
            self._alive[object_id] = made
        else:  # two views of one object: its id is never disposed of
            del self._received[object_id]
        return made

    def pop_dead(self) -> DisposeObjects | None:
        """The command that disposes of all dead ids; None while they are few."""
        self._look_at = len(self._alive) + MANY
        if len(self._received) - len(self._alive) < BATCH:
            return None
        alive = set(self._alive)
        dead = {key: count for key, count in self._received.items() if key not in alive}
        for key in dead:
            del self._received[key]
        return DisposeObjects(
            tuple(DisposeObjects.Request(key, count) for key, count in dead.items())
        )
