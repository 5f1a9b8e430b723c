# SPDX-License-Identifier: Apache-2.0
"""Files that are damaged or made to do harm: all that comes of them is a sentence, and soon."""

from __future__ import annotations

import asyncio
import contextlib
import random
import struct
import tracemalloc
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from jvmdebug.errors import JvmDebugError
from jvmdebug.recording import format as form
from jvmdebug.recording.comparing import first_difference
from jvmdebug.recording.compression import compressed, expanded
from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import BlockKind, ObjectDefinition, ObjectKind
from jvmdebug.recording.index import Index
from jvmdebug.recording.reader import RecordingReader
from jvmdebug.recording.sites import SiteTable
from tests.support.debuggees import debuggee
from tests.support.interpreted import interpreted

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from jvmdebug.recording.index import ChunkEntry, ClassEntry, ObjectsEntry

VARIANTS = 300
REPLAYED = 40


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A recording with all kinds of blocks, whose blocks are not compressed: each byte counts."""
    till = debuggee("replayed", "shop.Till")
    path = tmp_path_factory.mktemp("hostile") / "till.jvmrec"
    interpreted(path, [(till.class_path[0] / "shop" / "Till.class").read_bytes()], "shop.Till", 40)
    with path.open("rb") as file:
        parts = list(_blocks(file.read()))
    made = bytearray(form.MAGIC)
    index = Index()
    for kind, block in parts:
        if kind == BlockKind.INDEX:
            index = Index.read(block)
    entries: list[ClassEntry | ObjectsEntry | ChunkEntry]
    entries = [*index.classes, *index.objects, *index.chunks]
    moved = iter(sorted(entries, key=_offset))
    for kind, block in parts:
        if kind in (BlockKind.CLASS, BlockKind.OBJECTS, BlockKind.CHUNK):
            next(moved).offset = len(made)
        if kind != BlockKind.INDEX:
            made += form.HEAD.pack(kind, 0, len(block), len(block)) + block
    begin, block = len(made), index.content()
    made += form.HEAD.pack(BlockKind.INDEX, 0, len(block), len(block)) + block
    return bytes(made + form.TRAILER.pack(begin, form.INDEX_MAGIC))


def _offset(entry: ClassEntry | ObjectsEntry | ChunkEntry) -> int:
    return entry.offset


def _blocks(whole: bytes) -> Iterator[tuple[int, bytes]]:
    at = len(form.MAGIC)
    while at < len(whole) - form.TRAILER.size:
        kind, method, size, stored = form.HEAD.unpack_from(whole, at)
        at += form.HEAD.size
        yield kind, form.content_of(method, size, whole[at : at + stored])
        at += stored


def _variants(content: bytes, count: int) -> Iterator[bytes]:
    """Bytes changed, cut out, doubled, set to extremes; the end cut off."""
    chance = random.Random(36)
    for number in range(count):
        made = bytearray(content)
        for _ in range(chance.choice((1, 1, 1, 2, 8))):
            at = chance.randrange(len(made))
            match number % 6:
                case 0:
                    made[at] ^= 1 << chance.randrange(8)
                case 1:
                    made[at : at + 4] = chance.choice((b"\xff" * 4, b"\0" * 4, b"\x7f" * 4))
                case 2:
                    made[at : at + 8] = struct.pack("<q", chance.choice((-1, 1 << 62, 1 << 31)))
                case 3:
                    del made[at : at + chance.choice((1, 2, 8, 100))]
                case 4:
                    made[at:at] = made[at : at + chance.choice((1, 8, 64))]
                case _:
                    del made[at:]
                    break
        yield bytes(made)


def _asked(path: Path) -> None:
    """All kinds of questions; each may fail by itself."""
    with jvmdebug.recording.open(path) as past:
        end = past.end
        questions: list[Callable[[], object]] = [
            lambda: list(past.calls()),
            lambda: list(past.lines()),
            lambda: [each.text for each in past.writes("total")],
            lambda: past.threads and past.notes,
            lambda: first_difference(past, past),
            lambda: past.to_perfetto(path.with_suffix(".json")),
        ]
        if end is not None:
            questions += [
                lambda: [each.variables() for each in end.frames],
                lambda: (end.value("till.prices[0]"), end.value("Till.made")),
                lambda: (end.who_wrote("till.total"), end.values("sum"), end.when("sum == 10")),
                lambda: (end.step_back(), end.step_back("into"), end.step_back("out"), end.step()),
            ]
        for question in questions:
            with contextlib.suppress(JvmDebugError):
                question()


def test_damaged_files_are_refused_with_a_sentence(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "damaged.jvmrec"
    path.write_bytes(content)
    _asked(path)  # that it can be asked at all
    opened = 0
    for variant in _variants(content, VARIANTS):
        path.write_bytes(variant)
        with contextlib.suppress(RecordingError):
            _asked(path)
            opened += 1
    assert opened > VARIANTS // 10


async def test_damaged_files_are_replayed_or_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "damaged.jvmrec"
    replayed = 0
    for variant in _variants(content, REPLAYED):
        path.write_bytes(variant)
        with contextlib.suppress(JvmDebugError):
            async with asyncio.timeout(20), jvmdebug.replay(path) as session:
                stop = await session.next_stop(10)
                if stop is None or session.past is None:
                    continue
                for variable in await (await stop.frame.scopes())[0].variables():
                    await variable.as_text()
                await stop.frame.evaluate("till.total")
                await session.past.reverse_continue()
                await session.next_stop(10)
                replayed += 1
    assert replayed > REPLAYED // 10


@pytest.mark.parametrize("size", [0, 100, 1 << 20])
def test_a_small_block_does_not_expand_to_a_large_one(size: int) -> None:
    bomb = compressed(bytes(256 << 20))
    assert len(bomb) < 100_000
    tracemalloc.start()
    try:
        assert len(expanded(bomb, size)) <= size + 1
        assert tracemalloc.get_traced_memory()[1] < size + (4 << 20)
    finally:
        tracemalloc.stop()
    with pytest.raises(RecordingError, match="where its head says"):
        form.content_of(1, size, bomb)
    with pytest.raises(RecordingError, match="more than any can have"):
        form.content_of(1, 256 << 20, bomb)


def test_numbers_of_sites_take_no_room_without_sites() -> None:
    table = SiteTable()
    with pytest.raises(RecordingError, match="not numbered as they should be"):
        table.add(0, (1 << 32) - 1, form.SITE.pack(1, 0, 0, 0, 0))
    with pytest.raises(RecordingError, match="not numbered as they should be"):
        table.add(0, 3, form.SITE.pack(1, 0, 0, 0, 0))
    for number in range(1, 100):  # nor many gaps that are small
        try:
            table.add(number, 16 + 60_000 * number, form.SITE.pack(1, 0, 0, 0, 0))
        except RecordingError:
            break
    assert len(table.kinds) < 200_000


@pytest.mark.parametrize(
    "index",
    [
        b"[" * 100_000,
        b"\xff\xfe",
        b'{"header": {}, "ending": null, "classes": [[0, 1, 0, 0]], "threads": [], "objects": []}',
        b'{"header": {}, "ending": null, "classes": [], "threads": [[true, "main", false]]}',
        b'{"header": {"main": [1]}, "ending": null, "classes": [], "threads": []}',
        b'{"header": {"started": 1e999}}',
        b"[" + b"[]," * 9_000_000 + b"[]]",
    ],
)
def test_a_strange_index_is_refused(index: bytes) -> None:
    with pytest.raises(RecordingError, match="its"):
        Index.read(index)


def test_an_object_of_two_billion_elements_and_more_is_refused() -> None:
    good = form.objects_content([ObjectDefinition(1, "[I", ObjectKind.ARRAY, length=2**31 - 1)])
    assert form.read_objects(good)[0].length == 2**31 - 1
    bad = form.objects_content([ObjectDefinition(1, "[I", ObjectKind.ARRAY, length=1 << 62)])
    with pytest.raises(RecordingError, match="more elements than it can have"):
        form.read_objects(bad)


def test_a_closed_recording_says_so(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "a.jvmrec"
    path.write_bytes(content)
    reader = RecordingReader(path)
    entry = reader.chunks_of(1)[0]
    reader.close()
    with pytest.raises(RecordingError, match="it was closed"):
        reader.chunk(entry)
