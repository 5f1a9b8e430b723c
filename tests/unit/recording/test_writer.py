# SPDX-License-Identifier: Apache-2.0
"""The file of a recording: what the writer writes is what the format reads."""

from __future__ import annotations

import errno
import shutil
import stat
import struct
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jvmdebug.recording import format as form
from jvmdebug.recording import writer as writer_module
from jvmdebug.recording.errors import RecordingError
from jvmdebug.recording.format import (
    SITE,
    BlockKind,
    Ending,
    Header,
    ObjectDefinition,
    ObjectKind,
    RecordKind,
)
from jvmdebug.recording.index import Index
from jvmdebug.recording.new_file import NewFile
from jvmdebug.recording.reader import RecordingReader
from jvmdebug.recording.writer import RecordingWriter

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

ENTER, LINE, LOCAL, EXIT, FOREIGN = 16, 17, 18, 19, 20


def _sites() -> bytes:
    return b"".join(
        SITE.pack(*each)
        for each in (
            (RecordKind.ENTER, ord("V"), 0, 0, 0),
            (RecordKind.LINE, ord("V"), 0, 4, 0),
            (RecordKind.LOCAL, ord("I"), 0, 6, 1),
            (RecordKind.EXIT, ord("V"), 0, 9, 0),
            (RecordKind.LINE, ord("V"), 1, 0, 0),
        )
    )


def _columns(records: Sequence[tuple[int, int]]) -> tuple[bytes, bytes]:
    count = len(records)
    return (
        struct.pack(f"<{count}I", *(each[0] for each in records)),
        struct.pack(f"<{count}Q", *(each[1] for each in records)),
    )


def _blocks(path: Path) -> Iterator[tuple[int, bytes]]:
    content = path.read_bytes()
    assert content.startswith(form.MAGIC)
    at = len(form.MAGIC)
    while at < len(content) - form.TRAILER.size:
        kind, method, size, stored = form.HEAD.unpack_from(content, at)
        at += form.HEAD.size
        yield kind, form.content_of(method, size, content[at : at + stored])
        at += stored


def _writer(path: Path) -> RecordingWriter:
    writer = RecordingWriter(path, Header(started=5, main="shop.Main", only=("shop.*",)))
    writer.add_class("shop.Cart", 16, b"\xca\xfe", _sites())
    writer.add_thread(1, "main", is_virtual=False)
    return writer


def test_every_block_is_read_as_it_was_written(tmp_path: Path) -> None:
    objects = (
        ObjectDefinition(2, "java.lang.String", ObjectKind.STRING, "a \ud800 b", 5),
        ObjectDefinition(1, "[I", ObjectKind.ARRAY, length=3, elements=(1, 2, 3)),
        ObjectDefinition(3, "java.util.List", ObjectKind.COLLECTION, length=9, stack="a\nb"),
    )
    with _writer(tmp_path / "a.jvmrec") as writer:
        writer.add_chunk(1, 0, 90, *_columns([(ENTER, 0), (LINE, 0), (LOCAL, 42)]))
        writer.add_objects(objects)
        assert writer.records == 3
        writer.end(Ending("exited", exit_code=3, notes=("thinned",)))
    path = tmp_path / "a.jvmrec"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    blocks = list(_blocks(path))
    assert [kind for kind, _ in blocks] == [1, 2, 3, 5, 4, 6, 7]
    assert form.read_header(blocks[0][1]) == Header(started=5, main="shop.Main", only=("shop.*",))
    assert form.read_class(blocks[1][1]) == ("shop.Cart", 16, b"\xca\xfe", _sites())
    assert form.read_thread(blocks[2][1]) == (1, "main", False)
    chunk = form.read_chunk(blocks[3][1])
    assert (chunk.first, chunk.size, chunk.start_ns, chunk.end_ns) == (0, 3, 0, 90)
    assert (chunk.sites, chunk.values) == _columns([(ENTER, 0), (LINE, 0), (LOCAL, 42)])
    assert form.read_objects(blocks[4][1]) == [objects[1], objects[0], objects[2]]
    assert form.read_ending(blocks[5][1]) == Ending("exited", 3, notes=("thinned",))
    index = Index.read(blocks[6][1])
    assert index.chunks[0].sites == ((16, 18),)
    assert [(each.lowest, each.highest) for each in index.objects] == [(1, 3)]
    assert index.ending == Ending("exited", 3, notes=("thinned",))


def test_a_checkpoint_has_the_frames_that_ran_and_names_the_others(tmp_path: Path) -> None:
    path = tmp_path / "a.jvmrec"
    with _writer(path) as writer:
        writer.add_chunk(1, 0, 1, *_columns([(ENTER, 0), (LINE, 0), (LOCAL, 42), (ENTER, 0)]))
        writer.add_chunk(1, 1, 2, *_columns([(LINE, 0), (LOCAL, 7)]))
        writer.add_chunk(1, 2, 3, *_columns([(EXIT, 0), (LOCAL, 43)]))
        writer.add_chunk(1, 3, 4, *_columns([(EXIT, 0)]))
    chunks = [form.read_chunk(each) for kind, each in _blocks(path) if kind == BlockKind.CHUNK]
    first, second, third, last = (each.checkpoint for each in chunks)
    assert first == ((), 0, ())
    outer = form.FrameState(ENTER, 0, LINE, 1, ((LOCAL, 2, 42),))
    assert second == ((), 0, (outer, form.FrameState(ENTER, 3, 0, -1, ())))
    assert third == (((0, 1),), 1, (form.FrameState(ENTER, 3, LINE, 4, ((LOCAL, 5, 7),)),))
    assert last == ((), 0, (form.FrameState(ENTER, 0, LINE, 1, ((LOCAL, 7, 43),)),))
    index = Index.read(list(_blocks(path))[-1][1])
    assert [each.lowest for each in index.chunks] == [0, 1, 0, 1 << 30]


def test_frames_that_ran_before_are_put_in(tmp_path: Path) -> None:
    with _writer(tmp_path / "a.jvmrec") as writer:
        writer.add_chunk(1, 0, 1, *_columns([(LINE, 0), (LOCAL, 1), (EXIT, 0), (FOREIGN, 0)]))
        writer.add_chunk(1, 0, 1, *_columns([(FOREIGN, 0)]))
    chunks = [each for kind, each in _blocks(tmp_path / "a.jvmrec") if kind == BlockKind.CHUNK]
    frames = form.read_chunk(chunks[1]).checkpoint.frames
    assert frames == (form.FrameState(FOREIGN, -1, FOREIGN, 3, ()),)


def test_long_chunks_are_cut(tmp_path: Path) -> None:
    with _writer(tmp_path / "a.jvmrec") as writer:
        writer.add_chunk(1, 0, 1000, *_columns([(ENTER, 0)] + [(LINE, 0)] * form.MAX_CHUNK))
    index = Index.read(list(_blocks(tmp_path / "a.jvmrec"))[-1][1])
    assert [(each.first, each.count) for each in index.chunks] == [
        (0, form.MAX_CHUNK),
        (form.MAX_CHUNK, 1),
    ]
    assert index.chunks[0].end_ns == index.chunks[1].start_ns


def test_no_chunk_has_more_records_than_the_page_says(tmp_path: Path) -> None:
    """What is held back from one chunk counts in the next."""
    path = tmp_path / "a.jvmrec"
    sites = SITE.pack(RecordKind.OBJECT, ord("L"), 0, 4, 0) + _sites()
    with RecordingWriter(path, Header()) as writer:
        writer.add_class("shop.Cart", 16, b"\xca\xfe", sites)
        writer.add_thread(1, "main", is_virtual=False)
        for _ in range(2):
            writer.add_chunk(1, 0, 9, *_columns([(18, 0)] * (form.MAX_CHUNK - 1) + [(16, 7)]))
    index = Index.read(list(_blocks(path))[-1][1])
    assert sum(each.count for each in index.chunks) == 2 * form.MAX_CHUNK
    assert max(each.count for each in index.chunks) == form.MAX_CHUNK


def test_a_file_keeps_what_it_had_until_the_recording_has_begun(tmp_path: Path) -> None:
    path = tmp_path / "a.jvmrec"
    path.write_bytes(b"the one before")
    writer = RecordingWriter(path, Header())
    assert path.read_bytes() == b"the one before"
    writer.discard()
    assert path.read_bytes() == b"the one before"
    assert list(tmp_path.iterdir()) == [path]
    writer = RecordingWriter(path, Header(main="shop.Main"))
    writer.begin()
    found = list(_heads(path))
    assert found == [BlockKind.HEADER]  # readable under its name, though nothing is closed
    writer.add_thread(1, "main", is_virtual=False)
    assert list(_heads(path)) == [BlockKind.HEADER, BlockKind.THREAD]
    writer.close()
    assert list(tmp_path.iterdir()) == [path]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    link = tmp_path / "a.jvmrec"
    link.symlink_to(tmp_path / "kept" / "b.jvmrec")
    _writer(link).close()
    assert link.is_symlink()
    assert (tmp_path / "kept" / "b.jvmrec").read_bytes().startswith(form.MAGIC)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux has it")
def test_a_full_disk_is_an_error_that_says_so(tmp_path: Path) -> None:
    for path in (Path("/dev/full"), tmp_path / "link"):
        if not path.exists():
            path.symlink_to("/dev/full")
        with pytest.raises(RecordingError, match=r"cannot write .*: no space left on device"):
            RecordingWriter(path, Header())


def test_a_disk_that_is_full_at_once_leaves_the_file_that_was_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jvmrec"
    path.write_bytes(b"the one before")
    found: list[NewFile] = []

    class Full:
        def __init__(self, made: NewFile) -> None:
            found.append(made)

        def write(self, _: bytes) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    def full(of: Path) -> NewFile:
        made = NewFile(of)
        made.file = Full(made)  # type: ignore[assignment]
        return made

    monkeypatch.setattr(writer_module, "NewFile", full)
    with pytest.raises(RecordingError, match="no space left on device"):
        RecordingWriter(path, Header())
    assert found
    assert path.read_bytes() == b"the one before"
    assert list(tmp_path.iterdir()) == [path]


def _heads(path: Path) -> Iterator[int]:
    """The kinds of the blocks of a file that is not closed."""
    content = path.read_bytes()
    at = len(form.MAGIC)
    while at < len(content):
        kind, _, _, stored = form.HEAD.unpack_from(content, at)
        yield kind
        at += form.HEAD.size + stored


def test_what_does_not_fit_is_refused(tmp_path: Path) -> None:
    with _writer(tmp_path / "a.jvmrec") as writer:
        with pytest.raises(RecordingError, match="a site that no class has"):
            writer.add_chunk(1, 0, 1, *_columns([(21, 0)]))
        with pytest.raises(RecordingError, match="thread 2 was not named"):
            writer.add_chunk(2, 0, 1, *_columns([(ENTER, 0)]))
        with pytest.raises(RecordingError, match="one value of 8 bytes for each site"):
            writer.add_chunk(1, 0, 1, b"1234", b"1234")
    with pytest.raises(RecordingError, match="cannot write"):
        RecordingWriter(tmp_path / "none" / "a.jvmrec", Header())


def test_a_write_is_in_one_chunk_with_its_object(tmp_path: Path) -> None:
    path = tmp_path / "a.jvmrec"
    kinds = (RecordKind.OBJECT, RecordKind.INDEX, RecordKind.ELEMENT)
    sites = b"".join(SITE.pack(each, ord("I"), 0, 4, 0) for each in kinds)
    with RecordingWriter(path, Header()) as writer:
        writer.add_class("shop.Cart", 16, b"\xca\xfe", sites)
        writer.add_thread(1, "main", is_virtual=False)
        writer.add_chunk(1, 0, 1, *_columns([(18, 1), (16, 7)]))
        writer.add_chunk(1, 1, 2, *_columns([(17, 3)]))
        writer.add_chunk(1, 2, 3, *_columns([(18, 9), (16, 8)]))
    chunks = [form.read_chunk(each) for kind, each in _blocks(path) if kind == BlockKind.CHUNK]
    assert [each.size for each in chunks] == [1, 3, 1]
    assert chunks[1].values == _columns([(16, 7), (17, 3), (18, 9)])[1]


def test_frames_that_are_gone_after_lost_records(tmp_path: Path) -> None:
    """Once records were lost, the frames are said anew: all that were known are gone."""
    path = tmp_path / "a.jvmrec"
    with _writer(path) as writer:
        writer.add_chunk(1, 0, 1, *_columns([(ENTER, 0), (ENTER, 0), (ENTER, 0), (3, 1)]))
        writer.add_chunk(1, 1, 2, *_columns([(LINE, 0), (2, 7), (3, (1 << 64) - 1), (ENTER, 0)]))
        writer.add_chunk(1, 2, 3, *_columns([(LINE, 0)]))
    chunks = [form.read_chunk(each) for kind, each in _blocks(path) if kind == BlockKind.CHUNK]
    assert len(chunks[1].checkpoint.frames) == 2
    assert chunks[2].checkpoint == ((), 0, (form.FrameState(ENTER, 7, 0, -1, ()),))


def _list(*elements: int) -> ObjectDefinition:
    kind = ObjectKind.COLLECTION
    return ObjectDefinition(2, "java.util.ArrayList", kind, length=len(elements), elements=elements)


@pytest.mark.parametrize("has_index", [True, False], ids=["index", "no index"])
def test_an_object_is_as_it_was_last_seen(tmp_path: Path, has_index: bool) -> None:  # noqa: FBT001
    path = tmp_path / "again.jvmrec"
    one = ObjectDefinition(1, "java.lang.Integer", ObjectKind.BOXED, "7")
    later = ObjectDefinition(3, "java.lang.Integer", ObjectKind.BOXED, "8")
    with _writer(path) as writer:
        writer.add_objects([one, _list()])
        writer.add_chunk(1, 0, 10, *_columns([(16, 0), (17, 0)]))
        writer.add_chunk(1, 10, 20, *_columns([(17, 0)]))
        writer.add_objects([later, _list(1), _list(1, 3)])  # two reads of the agent in one
        writer.add_chunk(1, 20, 30, *_columns([(17, 0), (17, 0)]))
        writer.add_objects([_list(3)])
        if not has_index:
            shutil.copy(path, tmp_path / "killed.jvmrec")
            path = tmp_path / "killed.jvmrec"
    with RecordingReader(path) as reader:
        found = [reader.definition(2, (1, index)) for index in range(6)]
        assert found == [*[_list()] * 3, *[_list(1, 3)] * 3]
        assert reader.definition(2) == _list()
        assert reader.definition(2, (7, 0)) == _list()  # a thread without records
        assert reader.definition(3, (1, 0)) == later
        assert reader.definition(4, (1, 0)) is None
