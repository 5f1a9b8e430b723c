# SPDX-License-Identifier: Apache-2.0
"""The objects of a program: dumps of its heap, what keeps an object alive, what that costs.

Owns the reading of heap dumps (HPROF) of any JVM, with `open` (the reader itself is native,
native/heap), and what our agent tells of the heap of a program that runs (`live`). Knows no
session. Begin with `heap_file`.
"""

from typing import TYPE_CHECKING, Final

from jvmdebug.later import names

if TYPE_CHECKING:
    from jvmdebug.heap.allocations import AllocationProfile, Allocations, AllocationSite
    from jvmdebug.heap.code_places import CodePlace
    from jvmdebug.heap.errors import HeapError
    from jvmdebug.heap.heap_file import HeapFile, open_dump
    from jvmdebug.heap.heap_file import open_dump as open  # noqa: A004 - `jvmdebug.heap.open(path)`
    from jvmdebug.heap.heap_objects import (
        ClassUsage,
        DuplicateString,
        HeapObject,
        HeapRoot,
        PathStep,
        RootPath,
        StackPlace,
    )
    from jvmdebug.heap.histograms import ClassChange, difference
    from jvmdebug.heap.live import WrittenDump
    from jvmdebug.heap.live_objects import LiveObject, ObjectPage, Referrer
    from jvmdebug.heap.marks import HeapMark
    from jvmdebug.heap.tables import QueryResult
    from jvmdebug.heap.tags import TaggedObject

_HOMES: Final = {
    "allocations": ("AllocationProfile", "Allocations", "AllocationSite"),
    "code_places": ("CodePlace",),
    "errors": ("HeapError",),
    "heap_file": ("HeapFile", "open_dump"),
    "heap_objects": (
        "ClassUsage",
        "DuplicateString",
        "HeapObject",
        "HeapRoot",
        "PathStep",
        "RootPath",
        "StackPlace",
    ),
    "histograms": ("ClassChange", "difference"),
    "live": ("WrittenDump",),
    "live_objects": ("LiveObject", "ObjectPage", "Referrer"),
    "marks": ("HeapMark",),
    "tags": ("TaggedObject",),
    "tables": ("QueryResult",),
}

if not TYPE_CHECKING:  # a name that does not exist is an error of the type checker
    _named = names(__name__, _HOMES)

    def __getattr__(name: str) -> object:
        return _named("open_dump" if name == "open" else name)


__all__ = [
    "AllocationProfile",
    "AllocationSite",
    "Allocations",
    "ClassChange",
    "ClassUsage",
    "CodePlace",
    "DuplicateString",
    "HeapError",
    "HeapFile",
    "HeapMark",
    "HeapObject",
    "HeapRoot",
    "LiveObject",
    "ObjectPage",
    "PathStep",
    "QueryResult",
    "Referrer",
    "RootPath",
    "StackPlace",
    "TaggedObject",
    "WrittenDump",
    "difference",
    "open",
    "open_dump",
]
