# SPDX-License-Identifier: Apache-2.0
"""Event sets that are resumed at once because their thread runs a method for the debugger.

Counts them for each request and passes them to a sink. Called by the router alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.events.reading import thread_of
from jvmdebug.jdwp.generated.constants import EventKind
from jvmdebug.jdwp.ids import RequestId

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.jdwp.generated.event import Composite
    from jvmdebug.model.thread import Thread
    from jvmdebug.model.virtual_machine import VirtualMachine


@dataclass(frozen=True, slots=True)
class SkippedSet:
    """Events that happened inside an invocation on their own thread, and were resumed at once."""

    thread: Thread
    kinds: tuple[EventKind, ...]
    request_ids: tuple[RequestId, ...]


class SkippedSets:
    """The skipped sets of one VM."""

    def __init__(self, vm: VirtualMachine) -> None:
        self.count: Counter[tuple[EventKind, RequestId]] = Counter()
        """How often events of each request occurred inside an invocation on their own thread."""
        self.sink: Callable[[SkippedSet], None] | None = None
        self._vm = vm

    def add(self, event_set: Composite) -> None:
        """Count it and pass it on; raises what the sink raises."""
        keys = [(EventKind(each.KIND), RequestId(each.request_id)) for each in event_set.events]
        self.count.update(keys)
        thread_id = thread_of(event_set)
        if self.sink is None or thread_id is None:
            return
        kinds, requests = zip(*keys, strict=True)
        self.sink(SkippedSet(self._vm.thread(thread_id), kinds, requests))
