# SPDX-License-Identifier: Apache-2.0
"""Recordings made by hand: a class that javac has compiled, and records written one by one.

    with HandMade(tmp_path / "cart.jvmrec") as made:
        cart = made.class_("shop.Cart", class_file)
        cart.enter("add"); cart.line("add", 5); cart.local("add", 1, 42); cart.exit("add")

Sites are made when they are first used.
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Self

from jvmdebug.classfile.attributes import Code
from jvmdebug.classfile.class_file import ClassFile
from jvmdebug.recording.format import SITE, Ending, Header, ObjectDefinition, RecordKind
from jvmdebug.recording.writer import RecordingWriter

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

_MASK = (1 << 64) - 1
_SITES_OF_A_CLASS = 4096


class HandMade:
    """A recording that a test writes."""

    def __init__(self, path: Path, header: Header | None = None) -> None:
        self.path = path
        self.writer = RecordingWriter(path, header or Header(main="shop.Main", started=1))
        self._records: dict[int, list[tuple[int, int]]] = {}
        self._times: dict[int, tuple[int, int]] = {}
        self._classes: list[HandMadeClass] = []
        self._waiting: list[ObjectDefinition] = []
        self.thread = 1
        self.now_ns = 0

    def __enter__(self) -> Self:
        self.begin_thread(1, "main")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if kind is None:
            self.flush()
            self.writer.end(Ending("exited", exit_code=0))
        self.writer.close()

    def begin_thread(self, number: int, name: str) -> None:
        """Another thread, whose records follow."""
        self.writer.add_thread(number, name, is_virtual=False)
        self.thread = number

    def class_(self, name: str, content: bytes) -> HandMadeClass:
        """A class that makes records."""
        first = 16 + _SITES_OF_A_CLASS * len(self._classes)
        made = HandMadeClass(self, name, content, first)
        self._classes.append(made)
        return made

    def objects(self, *definitions: ObjectDefinition) -> None:
        """Define objects, with the next flush."""
        self._waiting += definitions

    def record(self, site: int, value: int = 0) -> None:
        """One record of the current thread."""
        self._records.setdefault(self.thread, []).append((site, value & _MASK))
        begun, _ = self._times.get(self.thread, (self.now_ns, 0))
        self.now_ns += 1000
        self._times[self.thread] = begun, self.now_ns

    def flush(self) -> None:
        """Write what has come since the last time: a chunk for each thread."""
        for each in self._classes:
            each.write()
        for thread, records in self._records.items():
            sites = struct.pack(f"<{len(records)}I", *(each[0] for each in records))
            values = struct.pack(f"<{len(records)}Q", *(each[1] for each in records))
            self.writer.add_chunk(thread, *self._times[thread], sites, values)
        self.writer.add_objects(self._waiting)
        self._records.clear()
        self._times.clear()
        self._waiting.clear()


class HandMadeClass:
    """One class: records of its methods, by their names (or name and descriptor) and lines."""

    def __init__(self, made: HandMade, name: str, content: bytes, first: int) -> None:
        self.name = name
        self.parsed = ClassFile.read(content)
        self._made = made
        self._content = content
        self._first = first
        self._sites: dict[tuple[int, int, int, int, int], int] = {}
        self._written = 0

    def write(self) -> None:
        """All its sites, once it is known which there are: a class comes before its records."""
        if self._written == 0:
            self._written = 1
            padding = SITE.pack(RecordKind.LINE, ord("V"), 0, 0, 0)
            sites = b"".join(SITE.pack(*each) for each in self._sites)
            sites += padding * (_SITES_OF_A_CLASS - len(self._sites))
            self._made.writer.add_class(self.name, self._first, self._content, sites)

    def site(self, kind: int, method: str, bci: int = 0, detail: int = 0, type_: str = "V") -> int:
        """The number of a site."""
        name, _, descriptor = method.partition("(")
        found = next(
            at
            for at, each in enumerate(self.parsed.methods)
            if each.name == name and each.descriptor.startswith("(" + descriptor)
        )
        key = (kind, ord(type_), found, bci, detail)
        if self._written and key not in self._sites:
            raise AssertionError("a site after the class was written")
        return self._first + self._sites.setdefault(key, len(self._sites))

    def bci(self, method: str, line: int) -> int:
        """The first code index of a line."""
        found = next(each for each in self.parsed.methods if each.name == method)
        code = found.attribute("Code")
        assert code is not None
        table = Code.read(code.content, self.parsed.constants).line_table
        return table.indexes_of(line)[0]

    def enter(self, method: str) -> None:
        """A frame begins."""
        self._made.record(self.site(RecordKind.ENTER, method))

    def line(self, method: str, line: int) -> None:
        """Control comes to a line."""
        self._made.record(self.site(RecordKind.LINE, method, self.bci(method, line)))

    def local(self, method: str, slot: int, value: int, bci: int = 0, type_: str = "I") -> None:
        """A local variable gets a value, from the code index on."""
        self._made.record(self.site(RecordKind.LOCAL, method, bci, slot, type_), value)

    def field(self, method: str, bci: int, object_: int, value: int, type_: str = "I") -> None:
        """A field of an object gets a value; a static one of object 0."""
        if object_:
            self._made.record(self.site(RecordKind.OBJECT, method, bci, 0, "L"), object_)
        self._made.record(self.site(RecordKind.FIELD, method, bci, 0, type_), value)

    def element(self, method: str, bci: int, array: int, index: int, value: int) -> None:
        """An element of an array gets a value."""
        self._made.record(self.site(RecordKind.OBJECT, method, bci, 0, "L"), array)
        self._made.record(self.site(RecordKind.INDEX, method, bci, 0, "I"), index)
        self._made.record(self.site(RecordKind.ELEMENT, method, bci, 0, "I"), value)

    def exit(self, method: str, value: int = 0, type_: str = "V") -> None:
        """The frame returns."""
        self._made.record(self.site(RecordKind.EXIT, method, 0, 0, type_), value)

    def thrown(self, method: str, exception: int) -> None:
        """The frame ends by an exception."""
        self._made.record(self.site(RecordKind.THROWN, method, 0, 0, "L"), exception)

    def caught(self, method: str, bci: int, exception: int) -> None:
        """Control comes to a handler."""
        self._made.record(self.site(RecordKind.CAUGHT, method, bci, 0, "L"), exception)
