# SPDX-License-Identifier: Apache-2.0
"""The file format of recordings, `.jvmrec`: the numbers, and each kind of block as bytes.

A file is `MAGIC` and blocks one after another; the last one is the index, and a trailer of 16 bytes
behind it says where that begins. Numbers are little-endian. A reader reads a file without an index
block by block. The reference page is docs/reference/recording-format.md. Pure: bytes in, objects
out; files are `writer`'s and `reader`'s.
"""

from __future__ import annotations

import dataclasses
import json
import struct
import sys
from array import array
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from jvmdebug.recording.compression import compressed, expanded
from jvmdebug.recording.errors import RecordingError, damaged

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

MAGIC: Final = b"JVMREC\x00\x01"
VERSION: Final = MAGIC[-1]
TRAILER: Final = struct.Struct("<Q8s")
"""Offset of the index, and INDEX_MAGIC."""
INDEX_MAGIC: Final = b"JVMRECIX"
HEAD: Final = struct.Struct("<BBII")
"""Kind of a block, compression, size of its content, size as stored."""
FIRST_SITE: Final = 16
"""The lowest number that a class's site has."""
MAX_CHUNK: Final = 65_536
"""Records of one chunk in the file, at most."""
MAX_BLOCK: Final = 64 << 20
"""Bytes of the content of one block, at most: that bounds what a small file can expand to."""
_SMALL: Final = 64
"""Bytes below which compressing gains nothing."""
REDACTED: Final = "<redacted>"
"""What is shown in place of a secret."""
REDACTED_TYPE: Final = ord("R")
"""The type of sites whose values are not recorded; the values of their records are 0."""
_MAX_DEFINITIONS: Final = 4096
_FULL_BLOCK: Final = 4 << 20
"""Bytes of definitions after which another block begins."""
_MOST_ELEMENTS: Final = 2**31 - 1


class BlockKind(IntEnum):
    """What a block holds."""

    HEADER = 1
    CLASS = 2
    THREAD = 3
    OBJECTS = 4
    CHUNK = 5
    END = 6
    INDEX = 7
    AGAIN = 8
    """Objects that were defined before, as they were when the next chunk was taken."""


class RecordKind(IntEnum):
    """What a record says: kinds of sites, and from CLOCK on those of the reserved sites."""

    NONE = 0
    ENTER = 1
    LINE = 2
    LOCAL = 3
    OBJECT = 4
    INDEX = 5
    FIELD = 6
    ELEMENT = 7
    EXIT = 8
    THROWN = 9
    CAUGHT = 10
    CALL = 11
    ARGUMENT = 12
    RETURNED = 13
    THROWS = 14
    CLOCK = 101
    LOST = 102
    UNWOUND = 103


RESERVED_SITES: Final = {
    1: RecordKind.CLOCK,
    2: RecordKind.LOST,
    3: RecordKind.UNWOUND,
}


class ObjectKind(IntEnum):
    """What is known of an object beside its class."""

    PLAIN = 0
    STRING = 1
    BOXED = 2
    ENUM = 3
    ARRAY = 4
    CLASS = 5
    COLLECTION = 6
    THROWABLE = 7
    TEXT = 8
    MAP = 9
    REDACTED = 10
    """Nothing is known of it, since it may be a secret."""


class Site(NamedTuple):
    """A place in a class that makes records."""

    kind: int
    type: int
    """The first character of the value's descriptor, as a number."""
    method: int
    """Index in the class file."""
    bci: int
    detail: int


SITE: Final = struct.Struct("<BBHHH")


@dataclass(frozen=True, slots=True)
class Header:
    """What a recording says of the program before it ran."""

    started: int = 0
    """Milliseconds since 1970."""
    pid: int = 0
    java_version: str = ""
    main: str = ""
    """The program, for people: its main class, or what was attached to."""
    what: str = "all"
    """`calls`, `lines` or `all`."""
    only: tuple[str, ...] = ()
    """Patterns of the recorded classes."""
    tool_version: str = ""
    class_path: tuple[str, ...] = ()
    source_roots: tuple[str, ...] = ()
    redacted: tuple[str, ...] = ()
    """Names of variables, fields and parameters whose values are not in it; `*` as in `only`."""
    version: int = VERSION


@dataclass(frozen=True, slots=True)
class Ending:
    """How a recording ended."""

    how: str = "stopped"
    """`exited`, `exception`, `killed`, `lost`, `stopped`."""
    exit_code: int | None = None
    exception: str = ""
    lost: int = 0
    """Records that were dropped, in all."""
    notes: tuple[str, ...] = ()
    """Sentences about what was thinned or left out."""


@dataclass(frozen=True, slots=True)
class ObjectDefinition:
    """What is known of one object. `serial` is its number, from 1 on."""

    serial: int
    class_name: str
    """As Class.getName gives it: `shop.Cart`, `[I`, `[Ljava.lang.String;`."""
    kind: ObjectKind = ObjectKind.PLAIN
    text: str = ""
    """Of a string its text, of a boxed value, an enum, a class or a throwable what it says (the
    message), of others their own text.
    """
    length: int = 0
    """Of a string in UTF-16 units, an array, a collection or a map (entries): its true size."""
    elements: tuple[int, ...] = ()
    """The first ones, 64 bits each as values of records. Of a map key, value, key, value."""
    stack: str = ""
    """The stack of a throwable: lines of text."""

    @property
    def objects(self) -> tuple[int, ...]:
        """The numbers of the objects among its elements; null is 0."""
        is_of_primitives = len(self.class_name) == len("[I") and self.class_name.startswith("[")
        return () if is_of_primitives else self.elements


class FrameState(NamedTuple):
    """One open frame at the start of a chunk."""

    method_site: int
    """A site of its method: that of the enter record, or of the first record seen in it."""
    entered: int
    """Record index of the enter; -1 if it ran before the recording began."""
    line_site: int
    """The line that it is at; 0: none was seen."""
    at: int
    """Index of the last line record in it; -1: none."""
    locals: tuple[tuple[int, int, int], ...]
    """For each slot that was set: the site and index of its last record, and the value's bits."""


class Checkpoint(NamedTuple):
    """The stack at the start of a chunk. Frames from depth `first` on are in it; those below are
    where `below` says: `(depth, sequence)`, from this depth on in the checkpoint of that chunk.
    """

    below: tuple[tuple[int, int], ...]
    first: int
    frames: tuple[FrameState, ...]


class Chunk(NamedTuple):
    """The head of a chunk of one thread, its checkpoint, and its columns."""

    thread: int
    sequence: int
    start_ns: int
    end_ns: int
    first: int
    """Record index of its first record in the thread."""
    size: int
    """Number of records."""
    checkpoint: Checkpoint
    sites: bytes
    values: bytes


class RecordedClass(NamedTuple):
    """A class block."""

    name: str
    first_site: int
    class_file: bytes
    sites: bytes


class RecordedThread(NamedTuple):
    """A thread block."""

    number: int
    name: str
    is_virtual: bool


# Blocks


def block(kind: BlockKind, content: bytes) -> bytes:
    """A block with its head."""
    stored, method = content, 0
    if len(content) >= _SMALL:
        small = compressed(content)
        if len(small) < len(content):
            stored, method = small, 1
    return HEAD.pack(kind, method, len(content), len(stored)) + stored


def content_of(method: int, size: int, stored: bytes) -> bytes:
    """The content of a block. RecordingError for one that is damaged."""
    if method not in (0, 1):
        raise RecordingError("a block is compressed in a way that this version does not know")
    check_size(size)
    found = stored if method == 0 else expanded(stored, size)
    if len(found) != size:
        raise RecordingError(f"a block has {len(found)} bytes where its head says {size}")
    return found


def check_size(size: int) -> None:
    """RecordingError for more than a block can have."""
    if size > MAX_BLOCK:
        raise RecordingError(f"a block would have {size:,} bytes, more than any can have")


# Their contents

_TEXT: Final = struct.Struct("<I")
_CHUNK: Final = struct.Struct("<IIQQQIII")
_CHECKPOINT: Final = struct.Struct("<III")
_BELOW: Final = struct.Struct("<II")
_FRAME: Final = struct.Struct("<IqIqH")
_LOCAL: Final = struct.Struct("<IqQ")
_DEFINITION: Final = struct.Struct("<QBIQIII")
_THREAD: Final = struct.Struct("<I?")
_CLASS: Final = struct.Struct("<I")


class _Cursor:
    def __init__(self, content: bytes) -> None:
        self.content = content
        self.at = 0

    def take(self, form: struct.Struct) -> tuple[Any, ...]:
        try:
            found = form.unpack_from(self.content, self.at)
        except struct.error:
            raise RecordingError("a block is shorter than what it should hold") from None
        self.at += form.size
        return found

    def raw(self, size: int) -> bytes:
        found = self.content[self.at : self.at + size]
        if len(found) != size:
            raise RecordingError("a block is shorter than what it should hold")
        self.at += size
        return found

    def sized(self) -> bytes:
        return self.raw(self.take(_TEXT)[0])

    def text(self) -> str:
        return decoded(self.sized())


def decoded(content: bytes) -> str:
    """A text of the file, which may have surrogates of its own."""
    return content.decode("utf-8", "surrogatepass")


def _sized(content: bytes) -> bytes:
    return _TEXT.pack(len(content)) + content


def _text(text: str) -> bytes:
    return _sized(text.encode("utf-8", "surrogatepass"))


def json_content(data: Header | Ending) -> bytes:
    """The content of a header or an ending."""
    return json.dumps(dataclasses.asdict(data), separators=(",", ":")).encode()


def read_header(content: bytes) -> Header:
    """The inverse of `json_content`; what is not known is left out."""
    return Header(**_known(Header, content))


def read_ending(content: bytes) -> Ending:
    """The inverse of `json_content`; what is not known is left out."""
    return Ending(**_known(Ending, content))


def _known(of: type, content: bytes) -> dict[str, Any]:
    found: dict[str, Any] = {}
    with damaged(f"its {of.__name__.lower()}"):
        data = json.loads(content)
        for each in dataclasses.fields(of):
            if each.name in data:
                value = data[each.name]
                found[each.name] = tuple(value) if isinstance(value, list) else value
                _check(each, found[each.name])
    return found


def _check(of: dataclasses.Field[Any], value: object) -> None:
    wanted: type = int if of.default is None else type(of.default)
    is_good = type(value) is wanted or (value is None and of.default is None)
    if isinstance(value, tuple):
        is_good = wanted is tuple and all(isinstance(each, str) for each in value)
    if not is_good:
        raise RecordingError(f"its {of.name} cannot be {type(value).__name__}")


def class_content(recorded: RecordedClass) -> bytes:
    """The content of a class block."""
    head = _text(recorded.name) + _CLASS.pack(recorded.first_site)
    return head + _sized(recorded.sites) + _sized(recorded.class_file)


def read_class(content: bytes) -> RecordedClass:
    """The inverse of `class_content`."""
    cursor = _Cursor(content)
    name, (first,), sites = cursor.text(), cursor.take(_CLASS), cursor.sized()
    return RecordedClass(name, first, cursor.sized(), sites)


def thread_content(thread: RecordedThread) -> bytes:
    """The content of a thread block."""
    return _THREAD.pack(thread.number, thread.is_virtual) + _text(thread.name)


def read_thread(content: bytes) -> RecordedThread:
    """The inverse of `thread_content`."""
    cursor = _Cursor(content)
    number, is_virtual = cursor.take(_THREAD)
    return RecordedThread(number, cursor.text(), is_virtual)


def in_blocks(definitions: Iterable[ObjectDefinition]) -> Iterator[list[ObjectDefinition]]:
    """Cut definitions into what becomes one block each, in order of their numbers."""
    group: list[ObjectDefinition] = []
    size = 0
    for each in sorted(definitions, key=lambda each: each.serial):
        group.append(each)
        size += 8 * len(each.elements) + len(each.text) + len(each.stack)
        if len(group) >= _MAX_DEFINITIONS or size >= _FULL_BLOCK:
            yield group
            group, size = [], 0
    if group:
        yield group


def objects_content(definitions: Sequence[ObjectDefinition]) -> bytes:
    """The content of an objects block: names of classes once, then the definitions."""
    names = list(dict.fromkeys(each.class_name for each in definitions))
    number = {name: at for at, name in enumerate(names)}
    parts = [_TEXT.pack(len(names)), *map(_text, names), _TEXT.pack(len(definitions))]
    for each in definitions:
        text = each.text.encode("utf-8", "surrogatepass")
        stack = each.stack.encode("utf-8", "surrogatepass")
        parts.append(
            _DEFINITION.pack(
                each.serial,
                each.kind,
                number[each.class_name],
                each.length,
                len(each.elements),
                len(text),
                len(stack),
            )
        )
        parts.append(struct.pack(f"<{len(each.elements)}Q", *each.elements))
        parts += [text, stack]
    return b"".join(parts)


def read_objects(content: bytes) -> list[ObjectDefinition]:
    """The inverse of `objects_content`."""
    cursor = _Cursor(content)
    names = [cursor.text() for _ in range(cursor.take(_TEXT)[0])]
    (definitions,) = cursor.take(_TEXT)
    if definitions > _MAX_DEFINITIONS:
        raise RecordingError("a block has more objects than it can have")
    found = []
    for _ in range(definitions):
        serial, kind, name, length, count, text, stack = cursor.take(_DEFINITION)
        if length > _MOST_ELEMENTS:
            raise RecordingError("an object has more elements than it can have")
        elements = struct.unpack(f"<{count}Q", cursor.raw(8 * count))
        found.append(
            ObjectDefinition(
                serial,
                names[name],
                ObjectKind(kind),
                decoded(cursor.raw(text)),
                length,
                elements,
                decoded(cursor.raw(stack)),
            )
        )
    return found


def chunk_content(chunk: Chunk) -> bytes:
    """The content of a chunk block."""
    point = _checkpoint(chunk.checkpoint)
    head = _CHUNK.pack(
        chunk.thread,
        chunk.sequence,
        chunk.start_ns,
        chunk.end_ns,
        chunk.first,
        chunk.size,
        len(point),
        0,
    )
    return b"".join((head, chunk.sites, chunk.values, point))


def read_chunk(content: bytes) -> Chunk:
    """The inverse of `chunk_content`."""
    cursor = _Cursor(content)
    thread, sequence, start, end, first, count, size, _ = cursor.take(_CHUNK)
    sites, values = cursor.raw(4 * count), cursor.raw(8 * count)
    point = _read_checkpoint(cursor.raw(size))
    return Chunk(thread, sequence, start, end, first, count, point, sites, values)


def numbers_of(sites: bytes, values: bytes) -> tuple[array[int], array[int]]:
    """The columns of a chunk as numbers."""
    found = array("I", sites), array("Q", values)
    if sys.byteorder == "big":
        for each in found:
            each.byteswap()
    return found


def _checkpoint(point: Checkpoint) -> bytes:
    parts = [_CHECKPOINT.pack(len(point.below), point.first, len(point.frames))]
    parts += [_BELOW.pack(*each) for each in point.below]
    for frame in point.frames:
        parts.append(
            _FRAME.pack(
                frame.method_site, frame.entered, frame.line_site, frame.at, len(frame.locals)
            )
        )
        parts += [_LOCAL.pack(*each) for each in frame.locals]
    return b"".join(parts)


def _read_checkpoint(content: bytes) -> Checkpoint:
    cursor = _Cursor(content)
    count, first, depth = cursor.take(_CHECKPOINT)
    below = tuple((each[0], each[1]) for each in (cursor.take(_BELOW) for _ in range(count)))
    frames = []
    for _ in range(depth):
        site, entered, line, at, variables = cursor.take(_FRAME)
        found = tuple((site, index, value) for site, index, value in _locals(cursor, variables))
        frames.append(FrameState(site, entered, line, at, found))
    return Checkpoint(below, first, tuple(frames))


def _locals(cursor: _Cursor, count: int) -> Iterator[tuple[int, int, int]]:
    for _ in range(count):
        site, index, value = cursor.take(_LOCAL)
        yield site, index, value
