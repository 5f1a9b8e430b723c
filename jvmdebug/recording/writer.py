# SPDX-License-Identifier: Apache-2.0
"""Writes a recording, block by block.

    with RecordingWriter(path, header) as writer:
        writer.add_class("shop.Cart", 16, class_file, sites)
        writer.add_thread(1, "main", is_virtual=False)
        writer.add_chunk(1, 0, 5_000_000, sites_column, values_column)
        writer.end(Ending("exited", exit_code=0))

Owns the file, which has mode 0600, the checkpoints and the index. Synchronous: it is called in a
worker thread, by one thread at a time. The file takes its name with the first block behind the
header, or with `begin`; what was there stays until then, and for good after `discard`. What was
written from then on can be read even if the writer is killed.
"""

from __future__ import annotations

import contextlib
import threading
from typing import TYPE_CHECKING, Self

from jvmdebug.os_errors import reason
from jvmdebug.recording import format as form
from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import (
    BlockKind,
    Checkpoint,
    Chunk,
    Ending,
    Header,
    ObjectDefinition,
    RecordedClass,
    RecordedThread,
)
from jvmdebug.recording.index import AgainEntry, ChunkEntry, ClassEntry, Index, ObjectsEntry, ranges
from jvmdebug.recording.new_file import NewFile
from jvmdebug.recording.sites import SiteTable
from jvmdebug.recording.stacks import StackFollower
from jvmdebug.recording.times import Times

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from jvmdebug.recording.open_frame import OpenFrame


class _ThreadState:
    """How far the records of one thread have come."""

    def __init__(self, sites: SiteTable) -> None:
        self.records = 0
        self.chunks = 0
        self.stack = StackFollower(sites)
        self.held: tuple[bytes, bytes] = (b"", b"")
        """The last records, while what they are of has not come: the object of a write."""
        self.time_ns = 0

    def checkpoint(self) -> Checkpoint:
        """The stack where the next chunk begins; its frames are in that checkpoint from now on."""
        frames = self.stack.frames
        first = next((at for at, each in enumerate(frames) if each.since < 0), len(frames))
        below: list[tuple[int, int]] = []
        for depth, each in enumerate(frames[:first]):
            if not below or below[-1][1] != each.since:
                below.append((depth, each.since))
        for each in frames[first:]:
            each.since = self.chunks
        return Checkpoint(tuple(below), first, tuple(each.state() for each in frames[first:]))


class RecordingWriter:
    """Writes one recording."""

    def __init__(self, path: Path, header: Header, *, named_at_end: bool = False) -> None:
        """Makes the file. RecordingError that says why it cannot be made; so do the others.
        With `named_at_end` it takes its name when it is closed.
        """
        self.path = path
        self._is_named_at_end = named_at_end
        self._index = Index(header)
        self._sites = SiteTable()
        self._threads: dict[int, _ThreadState] = {}
        self._highest = 0
        """Of the objects that were defined."""
        self._at = 0
        self._naming = threading.RLock()
        self._is_closed = True
        with self._writing():
            self._target = NewFile(path)
        self._is_closed = False
        try:
            self._write(form.MAGIC + form.block(BlockKind.HEADER, form.json_content(header)))
        except BaseException:
            self.discard()
            raise

    def begin(self) -> None:
        """Give the file its name, in place of one that was there. May be repeated."""
        with self._naming, self._writing():
            if not self._is_closed:
                self._target.keep()
                self._target.file.flush()

    def discard(self) -> None:
        """Close the file, and remove it unless it has its name already. May be repeated, and
        called by another thread.
        """
        with self._naming, contextlib.suppress(OSError):
            self._is_closed = True
            self._target.discard()

    @property
    def size(self) -> int:
        """Bytes that were written so far."""
        return self._at

    @property
    def records(self) -> int:
        """Records that were written so far."""
        return sum(each.records for each in self._threads.values())

    def index_so_far(self) -> Index:
        """What a reader needs of a file that is still written."""
        index = self._index
        return Index(
            index.header,
            None,
            *map(list, (index.classes, index.threads, index.chunks, index.objects, index.again)),  # type: ignore[arg-type]
        )

    def add_class(self, name: str, first_site: int, class_file: bytes, sites: bytes) -> None:
        """A class comes before the first record of its sites; `sites` has 8 bytes for each."""
        self._sites.add(len(self._index.classes), first_site, sites)
        content = form.class_content(RecordedClass(name, first_site, class_file, sites))
        entry = ClassEntry(self._at, name, first_site, len(sites) // form.SITE.size)
        self._block(BlockKind.CLASS, content)
        self._index.classes.append(entry)

    def add_thread(self, number: int, name: str, *, is_virtual: bool) -> None:
        """A thread comes before its first chunk; the same number again gives another name."""
        thread = RecordedThread(number, name, is_virtual)
        self._block(BlockKind.THREAD, form.thread_content(thread))
        others = [each for each in self._index.threads if each.number != number]
        self._index.threads = [*others, thread]
        self._threads.setdefault(number, _ThreadState(self._sites))

    def begin_at(
        self,
        thread: int,
        first: int,
        frames: Iterable[OpenFrame],
        held: tuple[bytes, bytes] = (b"", b""),
    ) -> None:
        """Begin a thread in the middle: the index of its first record, which may be among `held`,
        and the frames that are open there. The records that have made these are not in the file.
        """
        state = self._threads[thread]
        state.records, state.held = first, held
        state.stack = StackFollower(self._sites, [each.begun_before() for each in frames])

    def add_objects(self, definitions: Sequence[ObjectDefinition]) -> None:
        """Define objects. One whose number is not above those of before was defined already: from
        the next chunk on it is as this says.
        """
        latest = {each.serial: each for each in definitions}
        before = self._highest
        for group in form.in_blocks(each for each in latest.values() if each.serial > before):
            entry = ObjectsEntry(self._at, group[0].serial, group[-1].serial)
            self._block(BlockKind.OBJECTS, form.objects_content(group))
            self._index.objects.append(entry)
            self._highest = entry.highest
        for group in form.in_blocks(each for each in latest.values() if each.serial <= before):
            again = AgainEntry(self._at, tuple(each.serial for each in group))
            self._block(BlockKind.AGAIN, form.objects_content(group))
            self._index.again.append(again)

    def add_chunk(
        self, thread: int, start_ns: int, end_ns: int, sites: bytes, values: bytes
    ) -> None:
        """The next records of a thread, any number of them: 4 and 8 bytes each. The times are
        nanoseconds since the recording began. RecordingError for columns that do not fit, and for a
        site that no class has.
        """
        if len(values) != 2 * len(sites) or len(sites) % 4:
            raise RecordingError("a chunk needs one value of 8 bytes for each site of 4")
        if thread not in self._threads:
            raise RecordingError(f"thread {thread} was not named before its records")
        count, at, begin_ns = len(sites) // 4, 0, start_ns
        times: Times | None = None
        while at < count:
            held = len(self._threads[thread].held[0]) // 4
            stop, stop_ns = min(at + form.MAX_CHUNK - held, count), end_ns
            if stop < count:
                times = times or self._times(start_ns, end_ns, sites, values)
                stop_ns = times.at(stop)
            part = sites[4 * at : 4 * stop], values[8 * at : 8 * stop]
            self._chunk(thread, begin_ns, stop_ns, *part)
            at, begin_ns = stop, stop_ns

    def _times(self, start_ns: int, end_ns: int, sites: bytes, values: bytes) -> Times:
        numbers, bits = form.numbers_of(sites, values)
        return Times(self._sites.kinds_of(numbers), bits, start_ns, end_ns)

    def end(self, how: Ending) -> None:
        """Say how the recording ended, write the index, and close the file, whatever fails."""
        try:
            self._index.ending = how
            self._block(BlockKind.END, form.json_content(how))
        except BaseException:
            self._abandon()
            raise
        self.close()

    def close(self) -> None:
        """Write the index and close the file, whatever fails. May be repeated."""
        if self._is_closed:
            return
        try:
            for thread, state in self._threads.items():
                if state.held[0]:
                    self._whole_chunk(thread, state.time_ns, state.time_ns, *state.held)
            self._write_index()
            with self._writing():
                self._target.close()
            self._is_closed = True
        finally:
            self._abandon()

    def _write_index(self) -> None:
        offset, content = self._at, self._index.content()
        if len(content) > form.MAX_BLOCK:
            return  # a reader goes through the blocks
        self._block(BlockKind.INDEX, content)
        self._write(form.TRAILER.pack(offset, form.INDEX_MAGIC))

    def _abandon(self) -> None:
        """Close the file as it is, if it is open: a reader takes its writer to have been killed."""
        if not self._is_closed:
            self._is_closed = True
            with contextlib.suppress(OSError):
                self._target.discard()  # what has its name already stays

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        self.close()

    def _chunk(self, thread: int, start_ns: int, end_ns: int, sites: bytes, values: bytes) -> None:
        """Write a chunk, without an object at its end whose write is the next record."""
        state = self._threads[thread]
        state.time_ns = end_ns
        sites, values = state.held[0] + sites, state.held[1] + values
        whole = self._sites.whole(sites)
        state.held = sites[4 * whole :], values[8 * whole :]
        if whole:
            self._whole_chunk(thread, start_ns, end_ns, sites[: 4 * whole], values[: 8 * whole])

    def _whole_chunk(
        self, thread: int, start_ns: int, end_ns: int, sites: bytes, values: bytes
    ) -> None:
        state = self._threads[thread]
        numbers, bits = form.numbers_of(sites, values)
        kinds = self._sites.kinds_of(numbers)
        count, first = len(numbers), state.records
        chunk = Chunk(
            *(thread, state.chunks, start_ns, end_ns, first, count),
            *(state.checkpoint(), sites, values),
        )
        found = ranges(sorted(set(numbers)))
        offset = self._at
        self._block(BlockKind.CHUNK, form.chunk_content(chunk))
        state.stack.lowest = state.stack.changed = 1 << 30
        for each in state.stack.follow(kinds, numbers, bits, first, 0, count):
            each.since = -1
        head = (offset, thread, state.chunks, start_ns, end_ns, first, count)
        self._index.chunks.append(ChunkEntry(*head, state.stack.lowest, state.stack.changed, found))
        state.records += count
        state.chunks += 1

    def _block(self, kind: BlockKind, content: bytes) -> None:
        if self._is_closed:
            raise RecordingError(f"cannot write {self.path}: it is closed")
        if len(content) > form.MAX_BLOCK:
            raise RecordingError(f"cannot write {self.path}: a block of it would be too large")
        if not self._is_named_at_end:
            self.begin()
        self._write(form.block(kind, content))

    def _write(self, content: bytes) -> None:
        with self._writing():
            self._target.file.write(content)
            self._target.file.flush()
        self._at += len(content)

    @contextlib.contextmanager
    def _writing(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            self._abandon()
            raise RecordingError(f"cannot write {self.path}: {reason(error)}") from error
