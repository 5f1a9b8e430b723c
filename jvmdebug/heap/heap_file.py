# SPDX-License-Identifier: Apache-2.0
"""A heap dump in a file (HPROF), whoever wrote it: `jcmd PID GC.heap_dump`, a JVM that ran out of
memory, `session.heap.dump`.

Owns the questions as Python sees them: names instead of numbers. The reader is native; what costs
(references, the dominator tree) is made when it is first needed and kept. Not safe for use by
several threads at once. Made by `open_dump`.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import jvmdebug.jdwp  # noqa: F401 - decides which module is the compiled one
from jvmdebug._native import HeapDump, HeapFileError
from jvmdebug.classfile.descriptors import binary_names
from jvmdebug.heap import report, tables
from jvmdebug.heap.errors import HeapError
from jvmdebug.heap.heap_objects import (
    ClassUsage,
    DuplicateString,
    HeapObject,
    HeapRoot,
    PathStep,
    RootPath,
    StackPlace,
)
from jvmdebug.heap.unpacking import is_packed, unpacked
from jvmdebug.model.thread_names import shown_name
from jvmdebug.printable import size_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from jvmdebug.heap.tables import QueryResult

    Progress = Callable[[str, float], None]
    """Told what is being done, and how far it is: 0 to 1. What it raises ends the work."""

_SHOWN_TEXT: Final = 80
_ROOTS: Final = {
    0x01: "JNI global",
    0x02: "JNI local",
    0x03: "local variable",
    0x04: "native stack",
    0x05: "system class",
    0x06: "thread block",
    0x07: "monitor in use",
    0x08: "thread",
}
_FRAME: Final = 0x03


def open_dump(path: str | os.PathLike[str], progress: Progress | None = None) -> HeapFile:
    """Open a heap dump: about two seconds for each gigabyte.

    One that is compressed (gzip) is unpacked into the folder for temporary files first. Of one that
    was cut off there is what was written: `warnings` says so. Raises HeapError for a file that
    cannot be read or is no heap dump.
    """
    name = os.fspath(path)
    if not is_packed(name):
        return HeapFile(name, _read(name, name, progress), progress)
    with unpacked(name, _reporting("unpacking", progress)) as (file, is_cut):
        # The reader keeps what it has mapped when the file is removed.
        return HeapFile(name, _read(file, name, progress), progress, is_cut=is_cut)


def _read(file: str, name: str, progress: Progress | None) -> HeapDump:
    """`name`: what messages call it."""
    try:
        return HeapDump(file, _reporting("reading", progress))
    except HeapFileError as error:
        raise HeapError(str(error).replace(file, name, 1)) from None


class HeapFile:
    """An open heap dump. `jvmdebug.heap.open(path)` makes it."""

    def __init__(
        self, path: str, dump: HeapDump, progress: Progress | None, *, is_cut: bool = False
    ) -> None:
        self.path = path
        self._is_cut = is_cut or dump.is_cut
        self.native = dump
        """The reader, for who needs more than is here; objects are numbers there."""
        self._progress = progress
        self._classes = dump.classes()
        self._names = [each[1] or f"class@{each[0]:x}" for each in self._classes]
        self._by_name: dict[str, list[int]] = {}
        for index, name in enumerate(self._names):
            self._by_name.setdefault(name, []).append(index)

    def __repr__(self) -> str:
        return f"HeapFile({self.path!r}, {len(self)} objects)"

    def __len__(self) -> int:
        return self.native.object_count

    @property
    def warnings(self) -> tuple[str, ...]:
        """What is wrong with the file though it can be read, a sentence each: that its end is
        missing, so that there may have been more objects; that there are bytes behind its end.
        """
        found = []
        size = self.native.file_size
        if self._is_cut:
            found.append(
                f"{self.path} was cut off, or is still being written: its end is missing. What is"
                f" there was read: {len(self):,} objects in {size_text(size)}; sizes and paths are"
                " those of these objects alone"
            )
        if ignored := self.native.ignored_bytes:
            found.append(
                f"{self.path} has {ignored:,} bytes behind the end of the dump: they are ignored"
            )
        return tuple(found)

    def class_names(self) -> list[str]:
        """The names of all classes, by their number in `native`."""
        return list(self._names)

    def histogram(self) -> list[ClassUsage]:
        """How many objects each class has, the most bytes first. Classes of one name by several
        loaders are one.
        """
        found: dict[str, tuple[int, int]] = {}
        for index, count, size in self.native.histogram():
            before = found.get(self._names[index], (0, 0))
            found[self._names[index]] = (before[0] + count, before[1] + size)
        usages = [ClassUsage(name, *each) for name, each in found.items()]
        return sorted(usages, key=lambda each: (-each.shallow_size, each.type_name))

    def has_class(self, type_name: str) -> bool:
        """Whether there is a class of that name, `shop.Cart.Item` or `shop.Cart$Item`."""
        return any(each in self._by_name for each in binary_names(type_name))

    def object(self, id_: int) -> HeapObject:
        """The object with an id. HeapError if there is none."""
        return self._object(self._number(id_))

    def instances(
        self, type_name: str, *, subclasses: bool = True, first: int = 0, most: int = 100
    ) -> list[HeapObject]:
        """Objects of a class and its subclasses, in the order of the dump.

        Raises HeapError for a class that the dump has not.
        """
        classes = self._classes_named(type_name)
        if subclasses:
            classes = self._with_subclasses(classes)
        return [self._object(each) for each in self.native.instances(classes, first, most)]

    def string(self, id_: int, most: int = 1_000_000) -> str | None:
        """The text of a string; None for an object that is none, or when texts were left out."""
        found = self.native.string(self._number(id_), most)
        return None if found is None else found[0]

    def referrers(self, obj: HeapObject | int, most: int = 100) -> list[PathStep]:
        """The objects that refer to an object, and how. Weak references do not count."""
        self._find_references()
        number = self._number(obj)
        return [
            PathStep(self._object(each), via) for each, via in self.native.referrers(number, most)
        ]

    def paths_to_roots(self, obj: HeapObject | int, most: int = 3) -> list[RootPath]:
        """Why an object is alive: shortest paths, each from another root or another first step.

        Empty when nothing but weak references leads to it.
        """
        self._find_references()
        return [self._path(*each) for each in self.native.paths(self._number(obj), most)]

    def retained_size(self, what: HeapObject | int | str) -> int:
        """Bytes that would be freed with an object, or with all instances of a class (its name)
        and its subclasses.
        """
        self._find_dominators()
        if isinstance(what, str):
            return self.native.retained_by(self._with_subclasses(self._classes_named(what)))
        return self.native.retained(self._number(what))

    def dominators(
        self, under: HeapObject | int | None = None, most: int = 20
    ) -> list[tuple[HeapObject, int]]:
        """The objects that keep most alive with their retained sizes, largest first: of the whole
        heap, or of what an object keeps alive.
        """
        self._find_dominators()
        above = None if under is None else self._number(under)
        found = self.native.dominated(above, most)
        return [(self._object(each), self.native.retained(each)) for each in found]

    def duplicate_strings(self, most: int = 20) -> list[DuplicateString]:
        """Texts that several strings have, those that waste most first."""
        found = []
        rows = self.native.duplicates(most, _reporting("comparing strings", self._progress))
        for number, count, wasted in rows:
            text, length = self.native.string(number, _SHOWN_TEXT) or ("", 0)
            found.append(DuplicateString(text, length, count, wasted))
        return found

    def roots(self) -> list[HeapRoot]:
        """What the VM keeps alive by itself."""
        names: dict[int, str | None] = {}
        found = []
        for number, kind, thread, _, _ in self.native.roots():
            if thread not in names:
                known = self.native.thread_object(thread) is not None
                names[thread] = self._thread_name(thread) if known else None
            found.append(HeapRoot(self._object(number), _root_kind(kind), names[thread]))
        return found

    def sql(self, query: str) -> QueryResult:
        """Ask by SQL (DuckDB's).

        The tables are `instances(id, class, shallow_size, retained_size)`, `classes`,
        `"references"`, `strings(id, value, length)` and `roots`.

        Needs the extra `jvmdebug[heap]`; HeapError without it, and for a query that fails.
        """
        return tables.query(self, query)

    def arrow(self, table: str) -> Any:  # noqa: ANN401 - pyarrow has no types
        """A table as a `pyarrow.Table`. Needs the extra `jvmdebug[heap]`."""
        return tables.arrow_table(self, table)

    def export(
        self, folder: str | os.PathLike[str], names: Iterable[str] = tables.TABLES
    ) -> list[Path]:
        """Write tables as Parquet, `instances.parquet` and so on; the files.

        Needs the extra `jvmdebug[heap]`.
        """
        return tables.export(self, Path(folder), tuple(names))

    def report(self, path: str | os.PathLike[str], title: str | None = None) -> Path:
        """Write what fills the heap as one HTML file that a browser opens: who keeps most alive,
        why, the classes, equal strings. HeapError if it cannot be written.
        """
        return report.write(self, path, title or f"Heap of {Path(self.path).name}")

    def _find_references(self) -> None:
        self.native.find_references(_reporting("finding references", self._progress))

    def _find_dominators(self) -> None:
        self._find_references()
        self.native.find_dominators(_reporting("finding dominators", self._progress))

    def _number(self, obj: HeapObject | int) -> int:
        id_ = obj.id if isinstance(obj, HeapObject) else obj
        number = self.native.find(id_) if 0 <= id_ < 1 << 64 else None
        if number is None:
            raise HeapError(f"{self.path} has no object with the id {id_:#x}")
        return number

    def _object(self, number: int) -> HeapObject:
        id_, class_index, size, length, mirror = self.native.describe(number)
        text: str | None
        if mirror is not None:
            text = self._names[mirror]
        else:
            found = self.native.string(number, _SHOWN_TEXT)
            text = None if found is None else found[0]
        return HeapObject(id_, self._names[class_index], size, length, text)

    def _path(
        self, root: tuple[int, int, int, int, int] | None, steps: Sequence[tuple[int, str]]
    ) -> RootPath:
        found = tuple(PathStep(self._object(each), via) for each, via in steps)
        if root is None or found[0].object.type_name == "java.lang.Class":
            return RootPath("static field" if len(found) > 1 else "class", found)
        _, kind, thread, depth, slot = root
        place = None
        if kind == _FRAME and depth >= 0:
            place = StackPlace(
                self._thread_name(thread),
                depth,
                self._method(thread, depth),
                None if slot < 0 else slot,
            )
        return RootPath(_root_kind(kind), found, place)

    def _thread_name(self, serial: int) -> str:
        if told := self.native.thread_name(serial):
            return told
        thread = self.native.thread_object(serial)
        name = None if thread is None else self.native.field(thread, "name")
        found = None if name is None else self.native.string(name, _SHOWN_TEXT)
        if thread is None or found is None:
            return f"number {serial}"
        return found[0] or self._name_by_number(thread)

    def _name_by_number(self, thread: int) -> str:
        """What a thread without a name is called."""
        _, fields, _, values, _, names = self.native.primitive_columns(thread, 1)
        found = zip(memoryview(fields).tolist(), memoryview(values).tolist(), strict=True)
        number = next((int(value) for field, value in found if names[field] == "tid"), 0)
        type_name = self._names[self.native.describe(thread)[1]]
        return shown_name("", number, is_virtual="Virtual" in type_name)

    def _method(self, thread: int, depth: int) -> str:
        frames = self.native.frames(thread)
        if depth >= len(frames):
            return ""
        class_name, method, source, line = frames[depth]
        where = f"({source}:{line})" if source and line > 0 else f"({source})" if source else ""
        return f"{class_name}.{method}{where}"

    def _classes_named(self, type_name: str) -> list[int]:
        for name in binary_names(type_name):
            if name in self._by_name:
                return self._by_name[name]
        raise HeapError(
            f"{self.path} has no class {type_name}: give its full name, shop.Cart$Item for a nested"
            " one"
        )

    def _with_subclasses(self, classes: Iterable[int]) -> list[int]:
        ids = {self._classes[each][0] for each in classes}
        subclasses: dict[int, list[tuple[int, int]]] = {}
        for index, (id_, _, super_id, _, _) in enumerate(self._classes):
            subclasses.setdefault(super_id, []).append((index, id_))
        found = list(classes)
        open_ids = list(ids)
        while open_ids:
            for index, id_ in subclasses.get(open_ids.pop(), ()):
                if index not in found:
                    found.append(index)
                    open_ids.append(id_)
        return found


def _root_kind(tag: int) -> str:
    return _ROOTS.get(tag, "unknown root")


def _reporting(stage: str, progress: Progress | None) -> Callable[[float], Any] | None:
    return None if progress is None else lambda done: progress(stage, done)
