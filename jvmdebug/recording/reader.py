# SPDX-License-Identifier: Apache-2.0
"""Reads the file of a recording: its index, and blocks when they are asked for.

Owns the file and the caches, whose size is bounded: some chunks and blocks of definitions are kept
expanded, the ones that were used last. A file without an index, whose writer was killed, is read
block by block; what is incomplete at its end is left out, which `notes` says. Says nothing of what
the records mean: see `states`.
"""

from __future__ import annotations

import bisect
import contextlib
import itertools
import threading
from typing import TYPE_CHECKING, Final, Self

from jvmdebug import regular_file
from jvmdebug.os_errors import reason
from jvmdebug.recording import format as form
from jvmdebug.recording.chunks import LoadedChunk
from jvmdebug.recording.classes import ClassInfo
from jvmdebug.recording.errors import QuestionError, RecordingError, UnreadableRecording, damaged
from jvmdebug.recording.format import BlockKind
from jvmdebug.recording.index import AgainEntry, ChunkEntry, ClassEntry, Index, ObjectsEntry, ranges
from jvmdebug.recording.kept import Kept
from jvmdebug.recording.open_frame import OpenFrame
from jvmdebug.recording.sites import SiteTable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path
    from types import TracebackType

    from jvmdebug.recording.format import ObjectDefinition

_MOST_OF_CHUNKS: Final = 128 << 20
_MOST_OF_OBJECTS: Final = 32 << 20
"""Bytes of what is kept expanded, near enough."""
_BYTES_OF_DEFINITION: Final = 400


class RecordingReader:
    """One file. `close` it, or use it in a `with`."""

    def __init__(self, path: Path, index: Index | None = None) -> None:
        """Opens the file. RecordingError that says why it cannot be read. `index`: that of a file
        that is still written.
        """
        self.path = path
        self.notes: list[str] = []
        """Sentences about what is incomplete."""
        self.sites = SiteTable()
        self._lock = threading.RLock()
        self._stack = contextlib.ExitStack()
        try:
            self._file = self._stack.enter_context(regular_file.open_file(path, None))
        except (OSError, ValueError) as error:
            raise UnreadableRecording(f"cannot read {path}: {reason(error)}") from error
        try:
            with self.reading("it"):
                self.index = index or self._read_index()
                self._arrange(index)
        except BaseException:
            self.close()
            raise
        self._chunks: Kept[int, LoadedChunk] = Kept(_MOST_OF_CHUNKS, lambda each: each.size)
        self._definitions: Kept[int, dict[int, ObjectDefinition]] = Kept(_MOST_OF_OBJECTS, _size_of)
        self._classes: list[ClassInfo] | None = None

    def close(self) -> None:
        """May be repeated."""
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()

    # Threads and chunks

    @property
    def threads(self) -> list[int]:
        """The numbers of the threads that have records."""
        return list(self._by_thread)

    def chunks_of(self, thread: int) -> list[ChunkEntry]:
        """The chunks of a thread, in order."""
        return self._by_thread.get(thread, [])

    def length(self, thread: int) -> int:
        """The record index behind the last record of a thread."""
        chunks = self.chunks_of(thread)
        return chunks[-1].end if chunks else 0

    def first(self, thread: int) -> int:
        """The record index of the first record of a thread."""
        chunks = self.chunks_of(thread)
        return chunks[0].first if chunks else 0

    def number_of(self, thread: int, index: int) -> int:
        """The number of the one of the thread's chunks has this record."""
        chunks = self.chunks_of(thread)
        at = bisect.bisect_right(chunks, index, key=lambda each: each.first) - 1
        if at < 0 or index >= chunks[at].end:
            raise RecordingError(f"thread {thread} has no record {index}")
        return at

    def chunk(self, entry: ChunkEntry) -> LoadedChunk:
        """The records of a chunk."""
        self.load_classes()
        return self._chunks.get(
            entry.offset,
            lambda: self._loaded(entry),
        )

    def _loaded(self, entry: ChunkEntry) -> LoadedChunk:
        with self.reading("a chunk"):
            return LoadedChunk(self, entry, self._content(entry.offset, BlockKind.CHUNK))

    def chunk_with(self, thread: int, index: int) -> LoadedChunk:
        """The chunk that has this record."""
        at = self.number_of(thread, index)
        return self.chunk(self._by_thread[thread][at])

    def record(self, thread: int, index: int) -> tuple[int, int]:
        """Site and value bits of one record."""
        chunk = self.chunk_with(thread, index)
        return chunk.sites[index - chunk.first], chunk.values[index - chunk.first]

    def frames_of(self, thread: int, point: form.Checkpoint) -> list[OpenFrame]:
        """The frames that a checkpoint says, those in others of the thread too."""
        self.load_classes()
        frames: list[OpenFrame] = []
        chunks = self._by_thread[thread]
        for at, (depth, sequence) in enumerate(point.below):
            end = point.below[at + 1][0] if at + 1 < len(point.below) else point.first
            number = sequence - chunks[0].sequence
            if not 0 <= number < len(chunks):
                raise RecordingError("a chunk has frames of one that is not there")
            there = self.chunk(chunks[number]).point
            if not there.first <= depth <= end <= there.first + len(there.frames):
                raise RecordingError("a chunk has frames of one that does not have them")
            wanted = there.frames[depth - there.first : end - there.first]
            frames += [OpenFrame.of(each, self.sites) for each in wanted]
        return [*frames, *(OpenFrame.of(each, self.sites) for each in point.frames)]

    # Classes and objects

    def load_classes(self) -> list[ClassInfo]:
        """All classes. Their sites are read with the first chunk, class files when asked for."""
        found = self._classes
        if found is None:
            with self._lock, self.reading("a class"):
                found = self._classes  # another thread may have read them meanwhile
                if found is None:
                    found = self._classes = self._read_classes()
        return found

    def _read_classes(self) -> list[ClassInfo]:
        classes = []
        self.sites = SiteTable()
        for number, entry in enumerate(self.index.classes):
            recorded = form.read_class(self._content(entry.offset, BlockKind.CLASS))
            self.sites.add(number, recorded.first_site, recorded.sites)
            classes.append(ClassInfo(number, recorded))
        return classes

    def definition(self, serial: int, at: tuple[int, int] | None = None) -> ObjectDefinition | None:
        """What is known of an object; None of one that was not described. `at`: the thread and
        the index of a record, with whose chunk the object was seen last. Without it, as it was
        first.
        """
        again = self._again.get(serial)
        if again and at is not None:
            found = bisect.bisect_left(again, self._offset_of_chunk(*at))
            if found:
                return self._in_block(again[found - 1], BlockKind.AGAIN).get(serial)
        place = bisect.bisect_right(self._lowest, serial) - 1
        if place < 0 or self._objects[place].highest < serial:
            return None
        return self._in_block(self._objects[place].offset, BlockKind.OBJECTS).get(serial)

    def _offset_of_chunk(self, thread: int, index: int) -> int:
        """The offset of the chunk that has a record, or of the one next to it."""
        chunks = self.chunks_of(thread)
        at = bisect.bisect_right(chunks, index, key=lambda each: each.first) - 1
        return chunks[max(at, 0)].offset if chunks else 0

    def born_at(self, serial: int) -> int:
        """An offset in the file before which no chunk has this object."""
        at = bisect.bisect_right(self._lowest, serial) - 1
        return self._objects[at - 2].offset if at >= 2 else 0

    def _in_block(self, offset: int, kind: BlockKind) -> dict[int, ObjectDefinition]:
        def made() -> dict[int, ObjectDefinition]:
            with self.reading("a block of objects"):
                content = self._content(offset, kind)
                return {each.serial: each for each in form.read_objects(content)}

        return self._definitions.get(offset, made)

    # The file

    @contextlib.contextmanager
    def reading(self, what: str) -> Iterator[None]:
        """Reading a part of the file: what is wrong with it is an UnreadableRecording, whose
        message has the file's name.
        """
        try:
            with damaged(what):
                yield
        except (UnreadableRecording, QuestionError):
            raise
        except RecordingError as error:
            raise UnreadableRecording(f"cannot read {self.path}: {error}") from error

    def _read_index(self) -> Index:
        magic = self._at(0, len(form.MAGIC))
        if magic[:-1] != form.MAGIC[:-1]:
            raise RecordingError("it is not a recording of jvmdebug")
        if magic != form.MAGIC:
            raise RecordingError(
                f"it has version {magic[-1]} of the format, and this jvmdebug reads {form.VERSION}"
            )
        self._file.seek(0, 2)
        size = self._file.tell()
        if size >= len(form.MAGIC) + form.TRAILER.size:
            trailer = self._at(size - form.TRAILER.size, form.TRAILER.size)
            offset, ending = form.TRAILER.unpack(trailer)
            if ending == form.INDEX_MAGIC and offset < size:
                return Index.read(self._content(offset, BlockKind.INDEX))
        return self._scanned(size)

    def _scanned(self, size: int) -> Index:
        """The index of a file that has none, from its blocks."""
        index = Index()
        at = len(form.MAGIC)
        for kind, offset, stored_end in self._heads(at, size):
            if stored_end > size:
                break
            at = stored_end
            self._add_block(index, kind, offset)
        self.notes.append(
            "the recording was not closed, so it ends where its writer was killed"
            + (f"; the last {size - at} bytes are an incomplete block" if at < size else "")
        )
        return index

    def _heads(self, at: int, size: int) -> Iterator[tuple[int, int, int]]:
        while at + form.HEAD.size <= size:
            kind, _, _, stored = form.HEAD.unpack(self._at(at, form.HEAD.size))
            yield kind, at, at + form.HEAD.size + stored
            at += form.HEAD.size + stored

    def _add_block(self, index: Index, kind: int, offset: int) -> None:
        content = self._content(offset, kind)
        match kind:
            case BlockKind.HEADER:
                index.header = form.read_header(content)
            case BlockKind.CLASS:
                recorded = form.read_class(content)
                count = len(recorded.sites) // form.SITE.size
                index.classes.append(ClassEntry(offset, recorded.name, recorded.first_site, count))
            case BlockKind.THREAD:
                thread = form.read_thread(content)
                others = [each for each in index.threads if each.number != thread.number]
                index.threads = [*others, thread]
            case BlockKind.OBJECTS:
                found = form.read_objects(content)
                serials = [each.serial for each in found]
                index.objects.append(ObjectsEntry(offset, min(serials), max(serials)))
            case BlockKind.AGAIN:
                defined = form.read_objects(content)
                index.again.append(AgainEntry(offset, tuple(each.serial for each in defined)))
            case BlockKind.CHUNK:
                chunk = form.read_chunk(content)
                used = ranges(sorted(set(memoryview(chunk.sites).cast("I"))))
                head = (offset, chunk.thread, chunk.sequence, chunk.start_ns, chunk.end_ns)
                index.chunks.append(ChunkEntry(*head, chunk.first, chunk.size, 0, 0, used))
            case BlockKind.END:
                index.ending = form.read_ending(content)
            case _:
                pass

    def _arrange(self, index: Index | None) -> None:
        self._by_thread: dict[int, list[ChunkEntry]] = {}
        for each in self.index.chunks:
            self._by_thread.setdefault(each.thread, []).append(each)
        for chunks in self._by_thread.values():
            for before, each in itertools.pairwise(chunks):
                if (each.first, each.sequence) != (before.end, before.sequence + 1):
                    raise RecordingError("the chunks of a thread do not follow one another")
        if any(each.count < 1 for each in self.index.chunks):
            raise RecordingError("a chunk has no records")
        self._objects = sorted(self.index.objects, key=lambda each: each.lowest)
        self._lowest = [each.lowest for each in self._objects]
        self._again: dict[int, list[int]] = {}
        for entry in sorted(self.index.again, key=lambda each: each.offset):
            for serial in entry.serials:
                self._again.setdefault(serial, []).append(entry.offset)
        if self.index.ending is None and not self.notes and index is None:
            self.notes.append("the recording says nothing of how the program went on")

    def _content(self, offset: int, kind: int) -> bytes:
        head = self._at(offset, form.HEAD.size)
        found, method, size, stored = form.HEAD.unpack(head)
        if found != kind:
            raise RecordingError("a block is not where the index says")
        form.check_size(stored)
        return form.content_of(method, size, self._at(offset + form.HEAD.size, stored))

    def _at(self, offset: int, size: int) -> bytes:
        with self._lock:
            try:
                self._file.seek(offset)
                found = self._file.read(size)
            except OSError as error:
                raise RecordingError(reason(error)) from error
            except (ValueError, OverflowError) as error:  # no offset, or it is closed
                what = "it was closed" if self._file.closed else "a block is not where it should be"
                raise RecordingError(what) from error
        if len(found) != size:
            raise RecordingError("it is not a recording of jvmdebug, or it is cut off")
        return found


def _size_of(definitions: dict[int, ObjectDefinition]) -> int:
    return sum(
        _BYTES_OF_DEFINITION + 40 * len(each.elements) + 2 * (len(each.text) + len(each.stack))
        for each in definitions.values()
    )


def notes_of(reader: RecordingReader) -> list[str]:
    """Sentences about what is incomplete in a recording, and what was left out of it."""
    ending = reader.index.ending
    found = list(reader.notes)
    if ending is not None:
        found += ending.notes
        if ending.lost:
            found.append(f"{ending.lost:,} records were lost")
    return found
