# SPDX-License-Identifier: Apache-2.0
"""The index of a recording: where each block is, and what is in it."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.recording.errors import RecordingError, damaged
from jvmdebug.recording.format import Ending, Header, RecordedThread, read_ending, read_header

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_MOST: Final = 1 << 63
"""What no number of the index comes to."""
_MOST_LISTS: Final = 8_000_000
"""Lists in an index, at most: a few bytes of it could have one each otherwise."""


@dataclass(slots=True)
class ChunkEntry:
    """A chunk in the index: where it is, and what is in it."""

    offset: int
    thread: int
    sequence: int
    start_ns: int
    end_ns: int
    first: int
    count: int
    lowest: int
    """The lowest depth of a frame that runs in it; 0 is the outermost frame."""
    changed: int
    """The lowest depth of a frame that begins or ends in it."""
    sites: tuple[tuple[int, int], ...]
    """Ranges of the numbers of its sites, both ends included."""

    @property
    def end(self) -> int:
        """The record index behind its last one."""
        return self.first + self.count

    def may_have(self, site: int) -> bool:
        """Whether a record of this site is in it."""
        return any(low <= site <= high for low, high in self.sites)


@dataclass(slots=True)
class ObjectsEntry:
    """A block with definitions of objects."""

    offset: int
    lowest: int
    highest: int


@dataclass(slots=True)
class AgainEntry:
    """A block with further definitions of objects that were defined before."""

    offset: int
    serials: tuple[int, ...]


@dataclass(slots=True)
class ClassEntry:
    """A class in the index."""

    offset: int
    name: str
    first_site: int
    sites: int


@dataclass(slots=True)
class Index:
    """What a reader needs to find everything."""

    header: Header = field(default_factory=Header)
    ending: Ending | None = None
    classes: list[ClassEntry] = field(default_factory=list)
    threads: list[RecordedThread] = field(default_factory=list)
    chunks: list[ChunkEntry] = field(default_factory=list)
    objects: list[ObjectsEntry] = field(default_factory=list)
    again: list[AgainEntry] = field(default_factory=list)

    def content(self) -> bytes:
        """The content of the index block."""
        data = {
            "header": dataclasses.asdict(self.header),
            "ending": None if self.ending is None else dataclasses.asdict(self.ending),
            "classes": [dataclasses.astuple(each) for each in self.classes],
            "threads": list(self.threads),
            "chunks": [
                [
                    *(each.offset, each.thread, each.sequence, each.start_ns, each.end_ns),
                    *(each.first, each.count, each.lowest, each.changed, each.sites),
                ]
                for each in self.chunks
            ],
            "objects": [[each.offset, each.lowest, each.highest] for each in self.objects],
            "again": [[each.offset, each.serials] for each in self.again],
        }
        return json.dumps(data, separators=(",", ":")).encode()

    @classmethod
    def read(cls, content: bytes) -> Index:
        """The inverse of `content`. RecordingError for anything else."""
        if content.count(b"[") > _MOST_LISTS or content.count(b"{") > _MOST_LISTS:
            raise RecordingError("its index is larger than any can be")
        with damaged("its index"):
            data: Mapping[str, Any] = json.loads(content)
            ending = data["ending"]
            return cls(
                read_header(json.dumps(data["header"]).encode()),
                None if ending is None else read_ending(json.dumps(ending).encode()),
                [
                    ClassEntry(_number(offset), _name(name), *_numbers(more))
                    for offset, name, *more in data["classes"]
                ],
                [
                    RecordedThread(_number(number), _name(name), bool(is_virtual))
                    for number, name, is_virtual in data["threads"]
                ],
                [_chunk(*each) for each in data["chunks"]],
                [ObjectsEntry(*_numbers(each)) for each in data["objects"]],
                # Files of before have none.
                [
                    AgainEntry(_number(offset), tuple(_numbers(serials)))
                    for offset, serials in data.get("again", ())
                ],
            )


def _chunk(*parts: Any) -> ChunkEntry:  # noqa: ANN401 - what JSON has
    *numbers, sites = parts
    ranges_of = tuple((_number(low), _number(high)) for low, high in sites)
    return ChunkEntry(*_numbers(numbers), ranges_of)  # type: ignore[call-arg, arg-type]


def _numbers(values: Sequence[object]) -> list[int]:
    return [_number(each) for each in values]


def _number(value: object) -> int:
    if type(value) is not int or not 0 <= value < _MOST:
        raise ValueError(f"{value!r:.40} is no number of an index")
    return value


def _name(value: object) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r:.40} is no name")
    return value


def ranges(numbers: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Ascending numbers as ranges, both ends included."""
    found: list[tuple[int, int]] = []
    for each in numbers:
        if found and found[-1][1] == each - 1:
            found[-1] = (found[-1][0], each)
        else:
            found.append((each, each))
    return tuple(found)
