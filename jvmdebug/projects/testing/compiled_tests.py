# SPDX-License-Identifier: Apache-2.0
"""The test classes among the class files of a source set, with what they inherit.

Finds what the text of a source does not show: tests of superclasses (of other modules and jars
too), default methods of interfaces, `@Nested` classes of superclasses, annotations that stand for
`@Test`. The rule for JUnit's platform is its own: whatever is annotated with `@Testable`, directly
or through other annotations. Reads files; runs nothing. Called by `selection`.
"""

from __future__ import annotations

import os
import zipfile
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Self

from jvmdebug.classfile import ClassFile, annotation_types, inner_classes
from jvmdebug.errors import ClassFileError
from jvmdebug.regular_file import open_archive, read_bytes, read_entry

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmdebug.classfile import Member
    from jvmdebug.projects.layout import SourceSet

_PUBLIC, _PRIVATE, _STATIC, _INTERFACE, _ABSTRACT, _SYNTHETIC = 0x1, 0x2, 0x8, 0x200, 0x400, 0x1000
_NO_TEST_CLASS: Final = _INTERFACE | _ABSTRACT | _SYNTHETIC

_TESTABLE: Final = "org/junit/platform/commons/annotation/Testable"
_NESTED: Final = "org/junit/jupiter/api/Nested"
_ON_METHODS: Final = frozenset(
    {
        _TESTABLE,
        *("org/junit/jupiter/api/Test", "org/junit/jupiter/api/TestFactory"),
        *("org/junit/jupiter/api/TestTemplate", "org/junit/Test"),
        *("org/testng/annotations/Test", "org/testng/annotations/Factory"),
    }
)
_ON_CLASSES: Final = frozenset({_TESTABLE, "org/junit/runner/RunWith"})
_TESTNG: Final = "org/testng/annotations/Test"
_JUNIT3: Final = "junit/framework/TestCase"
_SUITE: Final = ("suite", "()Ljunit/framework/Test;")
_FROM_THE_JDK: Final = ("java/", "javax/", "jdk/", "sun/", "kotlin/", "scala/", "groovy/lang/")


def compiled_tests(source_set: SourceSet) -> dict[str, bool]:
    """The classes of a source set by binary name (`shop.CartTest`), and whether tests run in them.

    Nested classes are left out: the class around them runs them, or no build tool does. A class
    that cannot be read is one with tests: what loads it says what is wrong.
    """
    with _Types(source_set) as types:
        return {
            name.replace("/", "."): types.has_tests(name)
            for name in _names(source_set)
            if not types.is_nested(name)
        }


def _names(source_set: SourceSet) -> Iterator[str]:
    for root in source_set.class_folders:
        for folder, folders, files in os.walk(root):
            folders.sort()
            for file in sorted(files):
                if file.endswith(".class") and file != "module-info.class":
                    yield Path(folder, file).relative_to(root).as_posix().removesuffix(".class")


@dataclass(frozen=True, slots=True)
class _Type:
    access: int
    above: tuple[str, ...]
    """The superclass, then the interfaces."""
    annotations: tuple[str, ...]
    members: tuple[tuple[Member, tuple[str, ...]], ...]
    """Fields and methods with their annotations."""
    nested: tuple[str, ...]
    """Member classes that it declares."""
    is_nested: bool

    @classmethod
    def read(cls, content: bytes) -> Self:
        parsed = ClassFile.read(content)
        found = parsed.attribute("InnerClasses")
        names = parsed.constants
        inner = () if found is None else inner_classes(found.content)
        return cls(
            parsed.access,
            (*filter(None, (parsed.superclass,)), *parsed.interfaces),
            annotation_types(parsed, parsed),
            tuple((each, annotation_types(parsed, each)) for each in parsed.fields)
            + tuple((each, annotation_types(parsed, each)) for each in parsed.methods),
            tuple(
                names.class_name(each.inner)
                for each in inner
                if each.outer and names.class_name(each.outer) == parsed.name
            ),
            any(names.class_name(each.inner) == parsed.name for each in inner),
        )


_UNREADABLE: Final = _Type(0, (), (_TESTABLE,), (), (), is_nested=False)


class _Types:
    """The types of a class path, read once each; those that are not there are None."""

    def __init__(self, source_set: SourceSet) -> None:
        self._own = frozenset(source_set.class_folders)
        self._path = tuple(dict.fromkeys((*source_set.class_folders, *source_set.class_path)))
        self._open = ExitStack()
        self._archives: dict[Path, zipfile.ZipFile | None] = {}
        self._types: dict[str, _Type | None] = {}
        self._meanings: dict[str, frozenset[str]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._open.close()

    def is_nested(self, name: str) -> bool:
        found = self._type(name)
        return found is not None and found.is_nested

    def has_tests(self, name: str, *, around: frozenset[str] = frozenset()) -> bool:
        """`around`: the classes that are being looked at, as a class may be nested in itself by
        what it inherits.
        """
        of = self._type(name)
        if of is None or of.access & _NO_TEST_CLASS:
            return False
        line = list(self._line(name))
        return (
            any(self._means(each.annotations) & _ON_CLASSES for _, each in line)
            or self._has_test_members(line)
            or any(
                nested not in around
                and _NESTED in self._means(inner.annotations)
                and self.has_tests(nested, around=around | {name})
                for _, each in line
                for nested in each.nested
                if (inner := self._type(nested)) is not None
            )
        )

    def _has_test_members(self, line: list[tuple[str, _Type]]) -> bool:
        """A member that others override or hide is not looked at again."""
        seen: set[tuple[str, str]] = set()
        is_junit3 = any(name == _JUNIT3 for name, _ in line)
        is_testng = any(_TESTNG in each.annotations for _, each in line)
        for name, each in line:
            if name.startswith("junit/framework/"):
                continue
            for member, marks in each.members:
                key = member.name, member.descriptor
                if key in seen or member.access & (_ABSTRACT | _SYNTHETIC | _PRIVATE):
                    continue
                seen.add(key)
                by_name = _is_named(member, is_junit3=is_junit3, is_testng=is_testng)
                if by_name or self._means(marks) & _ON_METHODS:
                    return True
        return False

    def _line(self, name: str) -> Iterator[tuple[str, _Type]]:
        """The type, its superclasses, then all interfaces, each once."""
        waiting, seen, interfaces = [name], set[str](), list[str]()
        while waiting or interfaces:
            each = waiting.pop() if waiting else interfaces.pop(0)
            found = None if each in seen else self._type(each)
            seen.add(each)
            if found is None:
                continue
            yield each, found
            for above in found.above:
                other = self._type(above)
                is_class = other is not None and not other.access & _INTERFACE
                (waiting if is_class else interfaces).append(above)

    def _means(self, annotations: tuple[str, ...]) -> frozenset[str]:
        """The annotations meant: these and what they are annotated with, through any number of
        annotations.
        """
        found: set[str] = set()
        waiting = list(annotations)
        while waiting:
            each = waiting.pop()
            if each in found:
                continue
            found.add(each)
            if (declared := self._type(each)) is not None:
                waiting += declared.annotations
        return frozenset(found)

    def _type(self, name: str) -> _Type | None:
        if name not in self._types:
            self._types[name] = self._read(name)
        return self._types[name]

    def _read(self, name: str) -> _Type | None:
        if name.startswith(_FROM_THE_JDK):
            return None
        for place in self._path:
            try:
                content = self._content(place, f"{name}.class")
                if content is not None:
                    return _Type.read(content)
            except (ClassFileError, OSError, zipfile.BadZipFile):
                return _UNREADABLE if place in self._own else None
        return None

    def _content(self, place: Path, file: str) -> bytes | None:
        if place.is_dir():
            path = place / file
            return read_bytes(path) if path.is_file() else None
        archive = self._archive(place)
        if archive is None:
            return None
        with suppress(KeyError):
            return read_entry(archive, file)
        return None

    def _archive(self, place: Path) -> zipfile.ZipFile | None:
        if place not in self._archives:
            self._archives[place] = None
            with suppress(OSError, zipfile.BadZipFile):
                self._archives[place] = self._open.enter_context(open_archive(place))
        return self._archives[place]


def _is_named(member: Member, *, is_junit3: bool, is_testng: bool) -> bool:
    """Whether it is a test without an annotation of its own."""
    if (member.name, member.descriptor) == _SUITE:
        return bool(member.access & _STATIC)
    is_plain = member.access & (_PUBLIC | _STATIC) == _PUBLIC and member.descriptor.startswith("(")
    if not is_plain or member.name == "<init>":
        return False
    if is_junit3:
        return member.name.startswith("test") and member.descriptor == "()V"
    return is_testng
