# SPDX-License-Identifier: Apache-2.0
"""The last seconds of a recording: the file says what one of all records says of them."""

from __future__ import annotations

import random
import struct
from typing import TYPE_CHECKING, Final

import pytest

from jvmdebug.recording.format import (
    SITE,
    Ending,
    Header,
    ObjectDefinition,
    ObjectKind,
    RecordKind,
)
from jvmdebug.recording.reader import RecordingReader
from jvmdebug.recording.ring import RecordingRing
from jvmdebug.recording.writer import RecordingWriter

if TYPE_CHECKING:
    from pathlib import Path

_KINDS: Final = (
    (RecordKind.ENTER, "V", 0),
    (RecordKind.LINE, "V", 0),
    (RecordKind.LOCAL, "I", 1),
    (RecordKind.LOCAL, "L", 2),
    (RecordKind.OBJECT, "L", 0),
    (RecordKind.FIELD, "I", 0),
    (RecordKind.EXIT, "V", 0),
)
"""The sites of each method."""
_METHODS: Final = 4
_CLOCK: Final = 1
_MS: Final = 1_000_000


def _site(method: int, kind: int) -> int:
    return 16 + len(_KINDS) * method + kind


_SITES: Final = b"".join(
    SITE.pack(kind, ord(type_), method, number, slot)
    for method in range(_METHODS)
    for number, (kind, type_, slot) in enumerate(_KINDS)
)


class _Program:
    """Threads that call, store and return by chance; the agent describes objects once a part."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.stacks: dict[int, list[int]] = {1: [], 2: [], 3: []}
        self.described: set[int] = set()

    def records(self, thread: int, count: int) -> list[tuple[int, int]]:
        chance, stack = self.random, self.stacks[thread]
        made: list[tuple[int, int]] = []
        while len(made) < count:
            if not stack or (len(stack) < 9 and chance.random() < 0.1):
                stack.append(chance.randrange(_METHODS))
                made.append((_site(stack[-1], 0), 0))
                continue
            what = chance.choice((1, 1, 2, 3, 4, 6))
            if what == 6 and (len(stack) == 1 or chance.random() < 0.7):
                continue
            value = chance.randrange(1, 200) if what in (3, 4) else chance.randrange(1 << 40)
            made.append((_site(stack[-1], what), value if what != 1 else 0))
            if what == 4:
                if chance.random() < 0.5:
                    made.append((_CLOCK, len(made)))
                made.append((_site(stack[-1], 5), chance.randrange(100)))
            elif what == 6:
                stack.pop()
        return made

    def objects(self, records: list[tuple[int, int]]) -> list[ObjectDefinition]:
        named = {v for s, v in records if s >= 16 and (s - 16) % len(_KINDS) in (3, 4)}
        named -= self.described
        self.described |= named
        return [ObjectDefinition(each, "a.B", ObjectKind.TEXT, str(each)) for each in sorted(named)]


def _columns(records: list[tuple[int, int]]) -> tuple[bytes, bytes]:
    count = len(records)
    return (
        struct.pack(f"<{count}I", *(each[0] for each in records)),
        struct.pack(f"<{count}Q", *(each[1] for each in records)),
    )


def _recorded(ring: RecordingRing, whole: RecordingWriter, seed: int, rounds: int) -> None:
    program = _Program(seed)
    for into in (ring, whole):
        into.add_class("a.B", 16, b"", _SITES)
        for thread in program.stacks:
            into.add_thread(thread, f"worker {thread}", is_virtual=thread == 3)
    known: set[int] = set()
    rest: dict[int, list[tuple[int, int]]] = {each: [] for each in program.stacks}
    for time in range(rounds):
        if ring.is_part_full:
            ring.begin_part()
            program.described.clear()
        thread = program.random.choice((1, 1, 2) if time < rounds // 2 else (1, 1, 3))
        records = rest[thread] + program.records(thread, program.random.randrange(1, 60))
        cut = program.random.randrange(max(1, len(records) - 2), len(records) + 1)
        records, rest[thread] = records[:cut], records[cut:]  # an object without its write
        objects = program.objects(records)
        ring.add_objects(objects)
        whole.add_objects([each for each in objects if each.serial not in known])
        known |= {each.serial for each in objects}
        for into in (ring, whole):
            into.add_chunk(thread, time * _MS, (time + 1) * _MS, *_columns(records))


def _seen(reader: RecordingReader, thread: int, index: int) -> list[object]:
    chunk = reader.chunk_with(thread, index)
    return [
        (each.method, each.line_site, {s: (a, v) for s, (a, _, v) in each.locals.items()})
        for each in chunk.frames_after(index - chunk.first)
    ]


def _named(reader: RecordingReader, thread: int, index: int) -> set[int]:
    """The objects that the variables of the frames name."""
    chunk = reader.chunk_with(thread, index)
    return {
        bits
        for frame in chunk.frames_after(index - chunk.first)
        for site, _, bits in frame.locals.values()
        if reader.sites[site].type == ord("L")
    }


@pytest.mark.parametrize("seed", range(4))
def test_the_file_says_what_one_of_all_says(tmp_path: Path, seed: int) -> None:
    ring = RecordingRing(seconds=0.2, limit=1 << 30)
    whole = RecordingWriter(tmp_path / "whole.jvmrec", Header())
    _recorded(ring, whole, seed, 500)
    whole.end(Ending("stopped"))
    with RecordingWriter(tmp_path / "last.jvmrec", Header(), named_at_end=True) as writer:
        assert not (tmp_path / "last.jvmrec").exists()
        ring.write(writer)
        writer.end(Ending("stopped"))
    compared = 0
    with (
        RecordingReader(tmp_path / "whole.jvmrec") as all_of_it,
        RecordingReader(tmp_path / "last.jvmrec") as last,
    ):
        assert sorted(last.threads) == [1, 3]
        for thread in last.threads:
            assert last.length(thread) == all_of_it.length(thread)
            first = last.first(thread)
            last.load_classes()
            assert last.sites.kinds[last.record(thread, first)[0]] != RecordKind.FIELD
            for index in range(first, last.length(thread)):
                assert last.record(thread, index) == all_of_it.record(thread, index)
                assert _seen(last, thread, index) == _seen(all_of_it, thread, index), index
                for name in _named(last, thread, index):
                    assert last.definition(name) is not None
                compared += 1
        starts = [each.start_ns for each in last.index.chunks]
        assert 0.2e9 <= 500 * _MS - min(starts) < 0.3e9
    assert 0 <= compared - ring.records < 9  # some before, to be whole
    assert compared > 2000
    assert ring.dropped > 5_000


def test_the_memory_for_it_is_bounded(tmp_path: Path) -> None:
    ring = RecordingRing(seconds=3600, limit=100_000)
    whole = RecordingWriter(tmp_path / "whole.jvmrec", Header())
    _recorded(ring, whole, 7, 3000)
    whole.discard()
    assert ring.dropped > 10_000
    assert ring.size < 130_000
    assert ring.records > 1000


@pytest.mark.parametrize(
    ("class_name", "kind", "is_there"),
    [
        ("java.util.ArrayList", ObjectKind.COLLECTION, True),
        ("java.util.HashMap", ObjectKind.MAP, True),
        ("[Ljava.lang.Object;", ObjectKind.ARRAY, True),
        ("[[I", ObjectKind.ARRAY, True),
        ("[J", ObjectKind.ARRAY, False),  # 2 is a number
    ],
)
def test_what_a_variable_of_before_holds_is_there(
    tmp_path: Path,
    class_name: str,
    kind: ObjectKind,
    is_there: bool,  # noqa: FBT001
) -> None:
    ring = RecordingRing(seconds=0.001, limit=1 << 30)
    ring.add_class("a.B", 16, b"", _SITES)
    ring.add_thread(1, "main", is_virtual=False)
    ring.add_objects(
        [
            ObjectDefinition(1, class_name, kind, length=1, elements=(2,)),
            ObjectDefinition(2, "a.C", ObjectKind.TEXT, "inside"),
        ]
    )
    ring.add_chunk(1, 0, _MS, *_columns([(_site(0, 0), 0), (_site(0, 3), 1)]))
    for time in range(1, 40):
        ring.begin_part()
        ring.add_chunk(1, time * _MS, (time + 1) * _MS, *_columns([(_site(0, 1), 0)]))
    assert ring.dropped > 2
    with RecordingWriter(tmp_path / "last.jvmrec", Header()) as writer:
        ring.write(writer)
    with RecordingReader(tmp_path / "last.jvmrec") as last:
        assert last.definition(1) is not None
        assert (last.definition(2) is not None) == is_there
