# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: PYI021  (this is where an editor finds the words about a compiled module)
"""The bytes of JDWP: packets, and payloads of the generated dataclasses. Heap dumps.

The sources are in native/python.
"""

from collections.abc import Callable, Iterator
from typing import Final, TypeVar, final

_MessageT = TypeVar("_MessageT")

HANDSHAKE: Final[bytes]
"""What both sides send first."""

REJOIN: Final[bytes]
NOT_REJOINED: Final[bytes]
TAKE_OVER: Final[bytes]
"""What a debugger sends instead, to our agent, to end the session of the one that is connected."""

BUSY: Final[bytes]
"""What our agent answers instead while a debugger is connected; who it is follows, then for how
many seconds, and a line end.
"""

TOKEN_GREETING: Final[bytes]
"""What a debugger sends first to our agent when it has a token."""

TOKEN_NEEDED: Final[bytes]
"""What our agent answers to a debugger that gives no token, if it asks for one."""

HEADER_SIZE: Final[int]
MAXIMUM_PACKET_SIZE: Final[int]

class WireError(ValueError):
    """The bytes are not the JDWP that was expected, or a value does not fit the wire."""

@final
class IdSizes:
    """The sizes of a VM's ids in bytes: 1, 2, 4 or 8; other sizes raise WireError."""

    def __init__(
        self,
        field: int = 8,
        method: int = 8,
        object: int = 8,  # noqa: A002
        reference_type: int = 8,
        frame: int = 8,
    ) -> None: ...
    @property
    def field(self) -> int: ...
    @property
    def method(self) -> int: ...
    @property
    def object(self) -> int: ...
    @property
    def reference_type(self) -> int: ...
    @property
    def frame(self) -> int: ...

@final
class Codec:
    """Encodes and decodes payloads for one VM's id sizes.

    It takes any dataclass with a LAYOUT (jvmdebug.jdwp.command) and compiles that once.
    """

    def __init__(self, sizes: IdSizes) -> None: ...
    @property
    def sizes(self) -> IdSizes: ...
    def encode(self, message: object) -> bytes:
        """The payload of a generated dataclass.

        Raises WireError when a value does not fit its place, TypeError when it is of another type.
        """

    def decode(self, message_class: type[_MessageT], content: bytes) -> _MessageT:
        """The object of this class that the bytes are.

        Raises WireError when they are truncated, malformed, or too many.
        """

@final
class Packet:
    """One packet. A reply has an error code, a command has its command set and number."""

    @property
    def id(self) -> int: ...
    @property
    def flags(self) -> int: ...
    @property
    def is_reply(self) -> bool: ...
    @property
    def command_set(self) -> int: ...
    @property
    def command(self) -> int: ...
    @property
    def error(self) -> int: ...
    @property
    def payload(self) -> bytes: ...
    @property
    def is_cut(self) -> bool:
        """Longer than its framer keeps: the payload was left out."""

    @property
    def length(self) -> int:
        """Of the whole packet in bytes, as its header has it."""

@final
class Framer:
    """Cuts a stream into packets; does no I/O. It begins after the handshake."""

    def __init__(self, longest_kept: int = ...) -> None: ...
    def feed(self, content: bytes | bytearray | memoryview) -> None:
        """Takes the next bytes of the stream."""

    def packets(self) -> Iterator[Packet]:
        """The packets that are whole, each given once.

        Raises WireError after them if the stream has lost its frame (a length less than that of a
        header, or more than 2 GiB; flags that JDWP does not have), and then always.
        """

    def next(self) -> Packet | None:
        """The next packet that is whole, None when there is none; WireError as `packets`.

        The cheaper way: the end of an iteration costs more than a packet.
        """

    @property
    def pending(self) -> int:
        """Bytes that were fed and belong to no whole packet yet."""

def pack_command(
    id: int,  # noqa: A002
    command_set: int,
    command: int,
    payload: bytes = b"",
) -> bytes:
    """A whole command packet; WireError if it would be longer than 64 MiB."""

def pack_reply(id: int, error: int, payload: bytes = b"") -> bytes:  # noqa: A002
    """A whole reply packet; WireError if it would be longer than 64 MiB."""

def recorded_calls(records: bytes, formats: set[int]) -> dict[int, tuple[int, int]]:
    """The numbers of the first and the last record that each thread has written in one of these
    formats, by the index of the thread. WireError if the records of `Probes.ReadLog` are cut.
    """

@final
class LogRenderer:
    """Writes the records of log points, which `Probes.ReadLog` gives, as lines."""

    def __init__(self, escape: Callable[[str], str]) -> None:
        """`escape` is asked for what is not printable ASCII."""

    def add(self, format: int, parts: list[bytes | str]) -> None:  # noqa: A002
        """What records of this format mean.

        Texts are bytes in UTF-8; values are given by the letter of their type: Z B S C I J F D,
        and s for a String.
        """

    def forget(self, format: int) -> None:  # noqa: A002
        """Its records are left out from now on; none for one that is not known."""

    def render(
        self, records: bytes, longest: int, *, by_line: bool
    ) -> list[tuple[int, int, int, str]]:
        """Tuples of a format, the index of the thread, how many lines, and their text.

        Each tuple is a line, or all lines of one format that follow each other. Numbers longer
        than `longest` are cut. Raises WireError when a record is not what its format says.
        """

class HeapFileError(ValueError):
    """The file cannot be read, or is no heap dump."""

@final
class HeapColumn:
    """A slice of a column of a table, as a buffer."""

    def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class HeapDump:
    """A heap dump (HPROF) in a file; objects are numbers, in the order of the file.

    `progress` is called with how far the work is (0 to 1); what it raises ends the work.
    """

    def __init__(self, path: str, progress: Callable[[float], object] | None = None) -> None:
        """Reads what there is; contents stay in the file. HeapFileError if that fails."""

    @property
    def object_count(self) -> int: ...
    @property
    def is_cut(self) -> bool:
        """Whether the end is missing."""

    @property
    def ignored_bytes(self) -> int:
        """How many are behind the end."""

    @property
    def file_size(self) -> int: ...
    def classes(self) -> list[tuple[int, str, int, int, int]]:
        """By number: id, name, id of the superclass, of the loader, shallow size of instances."""

    def histogram(self) -> list[tuple[int, int, int]]:
        """Class, objects, bytes."""

    def instances(self, classes: list[int], skip: int, most: int) -> list[int]: ...
    def find(self, id: int) -> int | None: ...  # noqa: A002
    def describe(self, object: int) -> tuple[int, int, int, int | None, int | None]:  # noqa: A002
        """Id, class, shallow size, length of an array, of a class object the class."""

    def field(self, object: int, name: str) -> int | None:  # noqa: A002
        """The object that a field refers to."""

    def string(self, object: int, most: int) -> tuple[str, int] | None:  # noqa: A002
        """The first `most` UTF-16 units of a string, and the length of the whole."""

    def duplicates(
        self, most: int, progress: Callable[[float], object] | None = None
    ) -> list[tuple[int, int, int]]:
        """A string of each text that several have, how many, bytes that one would save."""

    def roots(self) -> list[tuple[int, int, int, int, int]]:
        """Object, kind (HPROF's tag), serial number of the thread, depth of the frame, slot."""

    def paths(
        self,
        object: int,  # noqa: A002
        most: int,
    ) -> list[tuple[tuple[int, int, int, int, int] | None, list[tuple[int, str]]]]:
        """Root (None: a class), then objects with how each refers to the next."""

    def frames(self, thread: int) -> list[tuple[str, str, str, int]]:
        """Of a thread by its serial number, topmost first: class, method, source, line."""

    def thread_name(self, thread: int) -> str:
        """Empty where it is but in the fields of the object."""

    def thread_object(self, thread: int) -> int | None: ...
    def referrers(self, object: int, most: int) -> list[tuple[int, str]]: ...  # noqa: A002
    def find_references(self, progress: Callable[[float], object] | None = None) -> None: ...
    def find_dominators(self, progress: Callable[[float], object] | None = None) -> None: ...
    def reference_count(self) -> int: ...
    def is_reachable(self, object: int) -> bool: ...  # noqa: A002
    def reachable(self) -> tuple[int, int]:
        """Objects and bytes that roots reach through strong references."""

    def retained(self, object: int) -> int: ...  # noqa: A002
    def retained_by(self, classes: list[int]) -> int: ...
    def retained_by_classes(self) -> list[int]: ...
    def dominator(self, object: int) -> int | None: ...  # noqa: A002
    def dominated(self, object: int | None, most: int) -> list[int]: ...  # noqa: A002
    def instance_columns(
        self, first: int, count: int
    ) -> tuple[HeapColumn, HeapColumn, HeapColumn, HeapColumn]:
        """Of so many objects: id, class, shallow size, retained size."""

    def reference_columns(
        self, first: int, count: int
    ) -> tuple[HeapColumn, HeapColumn, HeapColumn, HeapColumn, list[str]]:
        """From so many objects: ids of both ends, number of the field in the names (-1: an
        element), index of the element (-1: a field), the names.
        """

    def primitive_columns(
        self, first: int, count: int
    ) -> tuple[HeapColumn, HeapColumn, HeapColumn, HeapColumn, HeapColumn, list[str]]:
        """From the fields of so many objects, and static ones of classes: id of the object, number
        of the field in the names, type, integer, real, the names.
        """

    def string_columns(
        self, first: int, count: int, most: int
    ) -> tuple[HeapColumn, HeapColumn, HeapColumn, HeapColumn]:
        """Of the strings among so many objects: id, offsets of the texts, their UTF-8, lengths."""
