# SPDX-License-Identifier: Apache-2.0
"""The classes of a project that can be started: from its sources, and from class files.

Java sources are parsed (tree-sitter), of other languages the compiled classes tell, and before
there are any, Kotlin's `fun main` by its text. Reads files; runs nothing.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import ClassFileError
from jvmdebug.projects.main_methods import main_methods
from jvmdebug.source_text import package_declared

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmdebug.projects.layout import SourceSet

_MAY_HAVE_MAIN: Final = re.compile(rb"\bmain\s*\(")
_KOTLIN_MAIN: Final = re.compile(r"^(?:suspend\s+)?fun\s+main\s*\(", re.MULTILINE)
_KOTLIN_NAME: Final = re.compile(r"@file\s*:\s*(?:\[\s*)?JvmName\s*\(\s*\"([^\"]+)\"")
_INSTANCE_MAIN: Final = 25
"""The release from which `void main()` is enough (JEP 512)."""
_SKIPPED: Final = frozenset({"node_modules", "__pycache__"})
_PUBLIC_STATIC: Final = 0x9
_DESCRIPTOR: Final = "([Ljava/lang/String;)V"


@dataclass(frozen=True, slots=True)
class MainClass:
    """A class with a `main` method."""

    name: str
    """Binary name: `shop.Main`, `shop.Main$Demo`."""
    file: Path | None
    """Its source; None if only the class file is there."""
    line: int
    """Of the method's name, from 1; 0 if unknown."""
    is_test: bool = False
    source_set: SourceSet | None = None


def main_classes_of(source_set: SourceSet, release: int | None) -> list[MainClass]:
    """Those of one source set, by name."""
    found: dict[str, MainClass] = {}
    has_others = False
    for file in source_files(source_set):
        has_others = has_others or file.suffix != ".java"
        for each in _declared(file, source_set, release):
            found.setdefault(each.name, each)
    if has_others or not source_set.source_folders:
        for each in _compiled(source_set):
            found.setdefault(each.name, each)
    return sorted(found.values(), key=lambda each: each.name)


def main_classes_in(file: Path, release: int | None) -> list[MainClass]:
    """Those that one source file declares, in its order."""
    return list(_declared(file, None, release))


def source_files(source_set: SourceSet) -> Iterator[Path]:
    """All its sources, generated ones too, in a fixed order."""
    for root in source_set.all_source_folders:
        for folder, folders, files in os.walk(root):
            folders[:] = sorted(
                each
                for each in folders
                if not each.startswith(".")
                and each not in _SKIPPED
                and Path(folder, each) != source_set.output
            )
            for name in sorted(files):
                if name.endswith((".java", ".kt", ".groovy", ".scala")):
                    yield Path(folder, name)


def _declared(file: Path, source_set: SourceSet | None, release: int | None) -> Iterator[MainClass]:
    try:
        source = file.read_bytes()
    except OSError:
        return
    if not _MAY_HAVE_MAIN.search(source):
        return
    is_test = source_set is not None and source_set.is_test
    if file.suffix == ".java":
        has_instance_mains = release is None or release >= _INSTANCE_MAIN
        for each in main_methods(source, file.stem):
            if each.is_static_main or (has_instance_mains and each.is_unambiguous):
                yield MainClass(each.class_name, file, each.line, is_test, source_set)
    elif file.suffix == ".kt":
        yield from _kotlin(file, source.decode("utf-8", "replace"), source_set, is_test=is_test)


def _kotlin(
    file: Path, text: str, source_set: SourceSet | None, *, is_test: bool
) -> Iterator[MainClass]:
    """Functions of a file are methods of the class `FileKt`."""
    found = _KOTLIN_MAIN.search(text)
    if found is None:
        return
    named = _KOTLIN_NAME.search(text)
    simple = named[1] if named else f"{file.stem[:1].upper()}{file.stem[1:]}Kt"
    package = package_declared(text)
    name = f"{package}.{simple}" if package else simple
    yield MainClass(name, file, text.count("\n", 0, found.start()) + 1, is_test, source_set)


def _compiled(source_set: SourceSet) -> Iterator[MainClass]:
    for output in source_set.class_folders:
        for folder, folders, files in os.walk(output):
            folders.sort()
            for name in sorted(files):
                if name.endswith(".class") and (found := _class_name(Path(folder, name))):
                    yield MainClass(found, None, 0, source_set.is_test, source_set)


def _class_name(file: Path) -> str | None:
    """The name of the class if it has a `main` method of the classic form."""
    try:
        content = file.read_bytes()
        if b"main" not in content or _DESCRIPTOR.encode() not in content:
            return None
        from jvmdebug.classfile import ClassFile  # noqa: PLC0415 - slow to import

        parsed = ClassFile.read(content)
    except (OSError, ClassFileError):
        return None
    for method in parsed.methods:
        is_main = method.name == "main" and method.descriptor == _DESCRIPTOR
        if is_main and method.access & _PUBLIC_STATIC == _PUBLIC_STATIC:
            return parsed.java_name
    return None
