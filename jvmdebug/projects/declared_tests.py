# SPDX-License-Identifier: Apache-2.0
"""The tests that Java and Kotlin sources declare: JUnit 3 to 6, TestNG, jqwik, by their text.

What a runner finds at run time (dynamic tests, inherited ones) is not here. Reads files; runs
nothing.
"""

from __future__ import annotations

import dataclasses
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.printable import one_line
from jvmdebug.projects.main_classes import source_files
from jvmdebug.projects.outline import LANGUAGES, outline
from jvmdebug.regular_file import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from jvmdebug.projects.layout import SourceSet
    from jvmdebug.projects.outline import Language, Method, Type

_MAY_HAVE_TESTS: Final = re.compile(rb"@\s*(?:[\w.]+\.)?\w*Test|\bTestCase\b|@\s*Property\b")
_TESTS: Final = frozenset(
    {"Test", "ParameterizedTest", "RepeatedTest", "TestFactory", "TestTemplate", "Property"}
)
_WITH_ARGUMENTS: Final = _TESTS - {"Test"}
_DISPLAY_NAME: Final = re.compile(
    r'@\s*(?:[\w.]+\.)?DisplayName\s*\(\s*(?:value\s*=\s*)?"((?:\\.|[^"\\\n])*)"\s*\)'
)
_ESCAPE: Final = re.compile(r"\\(?:u+([0-9a-fA-F]{4})|(.))")
_KEYWORDS: Final = frozenset({"class", "interface", "record"})
_NOT_MADE: Final = frozenset({"abstract", "sealed", "enum", "annotation"})


@dataclass(frozen=True, slots=True)
class TestMethod:
    """One method that a test runner calls."""

    __test__ = False

    name: str
    line: int
    """Of the name, from 1."""
    is_parameterized: bool = False
    """Whether it may be called several times: parameterised, repeated, a factory."""
    first_line: int = 0
    """Of its first annotation or modifier."""
    display_name: str | None = None
    """What `@DisplayName` says, if that is a literal."""


@dataclass(frozen=True, slots=True)
class TestClass:
    """A class with tests of its own."""

    __test__ = False

    name: str
    """Binary name: `shop.CartTest$Empty`."""
    file: Path
    line: int
    methods: tuple[TestMethod, ...]
    source_set: SourceSet | None = None
    first_line: int = 0
    """Of its first annotation or modifier."""
    display_name: str | None = None
    """What `@DisplayName` says, if that is a literal."""


def classes_of(source_set: SourceSet) -> Iterator[TestClass]:
    """The tests of one source set, by file."""
    for file in source_files(source_set):
        if file.suffix in LANGUAGES:
            yield from classes_in(file, source_set)


def classes_in(file: Path, source_set: SourceSet | None = None) -> Iterator[TestClass]:
    """The tests that one file declares."""
    try:
        source = read_bytes(file)
    except OSError:
        return
    for each in test_classes(source, LANGUAGES[file.suffix]):
        yield dataclasses.replace(each, file=file, source_set=source_set)


def test_classes(source: bytes, language: Language) -> Iterator[TestClass]:
    """The test classes that a text declares; their `file` is empty."""
    if not _MAY_HAVE_TESTS.search(source):
        return
    found = outline(source, language)
    is_test = _is_kotlin_test if language == "kotlin" else _is_java_test
    names = _display_names(source) if b"DisplayName" in source else {}
    for type_ in found.types:
        if not _is_made(type_, language):
            continue
        methods = tuple(
            TestMethod(
                each.name,
                each.line,
                bool(each.annotations & _WITH_ARGUMENTS),
                each.first_line,
                _display_name(names, each),
            )
            for each in found.methods
            if each.type_name == type_.name and is_test(each, type_)
        )
        if methods:
            yield TestClass(
                type_.name,
                Path(),
                type_.line,
                methods,
                first_line=type_.first_line,
                display_name=_display_name(names, type_),
            )


test_classes.__test__ = False  # type: ignore[attr-defined]


def _display_names(source: bytes) -> dict[int, str]:
    """The names in a text that `@DisplayName` has as literals, by the line of the annotation."""
    text = source.decode("utf-8", "replace")
    found = {}
    for match in _DISPLAY_NAME.finditer(text):
        name = one_line(_ESCAPE.sub(_unescaped, match[1]).strip())
        if name:
            found[text.count("\n", 0, match.start()) + 1] = name
    return found


def _unescaped(escape: re.Match[str]) -> str:
    digits, letter = escape[1], escape[2]
    return chr(int(digits, 16)) if digits else {"n": "\n", "t": "\t"}.get(letter, letter)


def _display_name(names: Mapping[int, str], declared: Method | Type) -> str | None:
    if "DisplayName" not in declared.annotations:
        return None
    lines = range(declared.first_line, declared.line + 1)
    return next((names[each] for each in lines if each in names), None)


def _is_made(type_: Type, language: Language) -> bool:
    """Whether runners make instances of it: a Java interface may have tests all the same."""
    keywords = _KEYWORDS if language == "java" else {"class"}
    return type_.keyword in keywords and not (type_.modifiers & _NOT_MADE or type_.is_in_object)


def _is_java_test(method: Method, around: Type) -> bool:
    if method.annotations & _TESTS:
        return True
    is_public = "public" in method.modifiers and "static" not in method.modifiers
    if not is_public or method.returns != "void":
        return False
    named = (around.superclass or "").endswith("TestCase") and method.name.startswith("test")
    return named or "Test" in around.annotations  # TestNG's @Test on a class


def _is_kotlin_test(method: Method, around: Type) -> bool:
    """No for internal ones: their names in the class file are others, so runners find none."""
    if method.is_extension or method.modifiers & {"private", "internal", "abstract"}:
        return False
    if method.annotations & _TESTS:
        return True
    if "protected" in method.modifiers or method.returns != "Unit":
        return False
    named = (around.superclass or "").endswith("TestCase") and method.name.startswith("test")
    return named or "Test" in around.annotations
