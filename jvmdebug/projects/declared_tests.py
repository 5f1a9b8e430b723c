# SPDX-License-Identifier: Apache-2.0
"""The tests that Java and Kotlin sources declare: JUnit 3, 4 and 5, TestNG, by their text.

What a runner finds at run time (dynamic tests, inherited ones) is not here. Reads files; runs
nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import tree_sitter
import tree_sitter_java

from jvmdebug.projects.kotlin_tests import KotlinMember, kotlin_classes
from jvmdebug.projects.main_classes import source_files
from jvmdebug.regular_file import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from jvmdebug.projects.layout import SourceSet

_MAY_HAVE_TESTS: Final = re.compile(rb"@\s*(?:[\w.]+\.)?\w*Test|\bTestCase\b|@\s*Property\b")
_TESTS: Final = frozenset({b"Test", b"ParameterizedTest", b"RepeatedTest", b"TestFactory",
                           b"TestTemplate", b"Property"})  # fmt: skip
_WITH_ARGUMENTS: Final = frozenset(
    {b"ParameterizedTest", b"RepeatedTest", b"TestFactory", b"TestTemplate", b"Property"}
)
LANGUAGES: Final = frozenset({".java", ".kt"})
"""The suffixes of sources whose tests are found."""
_TYPES: Final = frozenset({"class_declaration", "interface_declaration", "record_declaration"})


@dataclass(frozen=True, slots=True)
class TestMethod:
    """One method that a test runner calls."""

    __test__ = False

    name: str
    line: int
    """Of the name, from 1."""
    is_parameterized: bool = False
    """Whether it may be called several times: parameterised, repeated, a factory."""


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
    if not _MAY_HAVE_TESTS.search(source):
        return
    if file.suffix == ".kt":
        yield from _of_kotlin(source.decode("utf-8", "replace"), file, source_set)
        return
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_java.language()))
    prefix = ""
    for node in parser.parse(source).root_node.named_children:
        if node.type == "package_declaration":
            prefix = _text(node.named_children[-1]) + "."
        elif node.type in _TYPES:
            yield from _of_type(node, prefix, file, source_set)


def _of_kotlin(text: str, file: Path, source_set: SourceSet | None) -> Iterator[TestClass]:
    for each in kotlin_classes(text):
        methods = [
            TestMethod(function.name, function.line, bool(_kinds(function) & _WITH_ARGUMENTS))
            for function in each.functions
            if _is_kotlin_test(function, each)
        ]
        if methods and not each.modifiers & {"abstract", "sealed", "enum", "annotation"}:
            yield TestClass(each.name, file, each.line, tuple(methods), source_set)


def _is_kotlin_test(function: KotlinMember, around: KotlinMember) -> bool:
    """No for internal ones: their names in the class file are others, so runners find none."""
    if function.modifiers & {"private", "internal", "abstract"}:
        return False
    if _kinds(function):
        return True
    named = around.is_junit3 and function.name.startswith("test")
    is_public = "protected" not in function.modifiers
    return is_public and function.returns_nothing and (named or "Test" in around.annotations)


def _kinds(function: KotlinMember) -> frozenset[bytes]:
    return _TESTS & {each.encode() for each in function.annotations}


def _of_type(
    declaration: tree_sitter.Node, prefix: str, file: Path, source_set: SourceSet | None
) -> Iterator[TestClass]:
    name_node = declaration.child_by_field_name("name")
    body = declaration.child_by_field_name("body")
    if name_node is None or body is None:
        return
    name = prefix + _text(name_node)
    modifiers = _annotations(declaration)
    superclass = declaration.child_by_field_name("superclass")
    is_junit3 = superclass is not None and _text(superclass).endswith("TestCase")
    methods = [
        found
        for member in body.named_children
        if (found := _method(member, all_public=b"Test" in modifiers, is_junit3=is_junit3))
    ]
    if methods and "abstract" not in _words(declaration):
        yield TestClass(name, file, name_node.start_point[0] + 1, tuple(methods), source_set)
    for member in body.named_children:
        if member.type in _TYPES:
            yield from _of_type(member, f"{name}$", file, source_set)


def _method(member: tree_sitter.Node, *, all_public: bool, is_junit3: bool) -> TestMethod | None:
    """`all_public`: TestNG's @Test on a class makes tests of all public methods."""
    name_node = member.child_by_field_name("name")
    if member.type != "method_declaration" or name_node is None:
        return None
    name, words = _text(name_node), _words(member)
    kinds = _TESTS & _annotations(member)
    is_public = "public" in words and "static" not in words
    type_ = member.child_by_field_name("type")
    is_void = type_ is not None and type_.type == "void_type"
    named = is_junit3 and is_public and is_void and name.startswith("test")
    if not kinds and not named and not (all_public and is_public and is_void):
        return None
    return TestMethod(name, name_node.start_point[0] + 1, bool(kinds & _WITH_ARGUMENTS))


def _annotations(declaration: tree_sitter.Node) -> frozenset[bytes]:
    """Simple names of the annotations on a declaration."""
    return frozenset(
        (name.text or b"").rpartition(b".")[2]
        for part in declaration.named_children
        if part.type == "modifiers"
        for each in part.named_children
        if each.type in ("marker_annotation", "annotation")
        if (name := each.child_by_field_name("name")) is not None
    )


def _words(declaration: tree_sitter.Node) -> list[str]:
    found = [part for part in declaration.named_children if part.type == "modifiers"]
    return [_text(each) for part in found for each in part.children]


def _text(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode("utf-8", "replace")
