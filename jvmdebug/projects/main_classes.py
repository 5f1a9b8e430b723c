# SPDX-License-Identifier: Apache-2.0
"""The classes of a project that can be started: from its sources, and from class files.

Of what has no Java or Kotlin source (generated, of another language, or not here) the class files
tell. Reads files; runs nothing.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import ClassFileError
from jvmdebug.projects.main_methods import main_methods
from jvmdebug.projects.outline import LANGUAGES
from jvmdebug.regular_file import MOST_SETTINGS_BYTES, read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmdebug.classfile import ClassFile
    from jvmdebug.projects.layout import SourceSet

_MAY_HAVE_MAIN: Final = re.compile(rb"\bmain\s*\(")
_INSTANCE_MAIN: Final = 25
"""The release from which `void main()` is enough (JEP 512)."""
_SKIPPED: Final = frozenset({"node_modules", "__pycache__"})
_PUBLIC_STATIC: Final = 0x9
_PRIVATE: Final = 0x2
_DESCRIPTOR: Final = "([Ljava/lang/String;)V"


@dataclass(frozen=True, slots=True)
class MainClass:
    """A class with a `main` method."""

    name: str
    """Binary name: `shop.Main`, `shop.Main$Demo`."""
    file: Path | None
    """Its source; None if that is not there."""
    line: int
    """Of the method's name, from 1; 0 if unknown."""
    is_test: bool = False
    source_set: SourceSet | None = None


def main_classes_of(source_set: SourceSet, release: int | None) -> list[MainClass]:
    """The main classes of one source set, by name."""
    found: dict[str, MainClass] = {}
    sources: dict[str, Path] = {}
    for file in source_files(source_set):
        sources[_below(file, source_set)] = file
        for each in _declared(file, source_set, release):
            found.setdefault(each.name, each)
    for each in _compiled(source_set, sources, release):
        found.setdefault(each.name, each)
    return sorted(found.values(), key=lambda each: each.name)


def _below(file: Path, source_set: SourceSet) -> str:
    """`shop/Main.java`"""
    roots = [each for each in source_set.all_source_folders if file.is_relative_to(each)]
    return file.relative_to(max(roots, key=lambda each: len(each.parts))).as_posix()


def main_classes_in(file: Path, release: int | None) -> list[MainClass]:
    """The main classes that one source file declares, in its order."""
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
        source = read_bytes(file, MOST_SETTINGS_BYTES)
    except OSError:
        return
    if not _MAY_HAVE_MAIN.search(source):
        return
    is_test = source_set is not None and source_set.is_test
    language = LANGUAGES.get(file.suffix)
    if language is None:
        return
    has_instance_mains = release is None or release >= _INSTANCE_MAIN
    for each in main_methods(source, language, file.stem):
        if each.is_static_main or (has_instance_mains and each.is_unambiguous):
            yield MainClass(each.class_name, file, each.line, is_test, source_set)


def _compiled(
    source_set: SourceSet, sources: dict[str, Path], release: int | None
) -> Iterator[MainClass]:
    """The main classes of class files whose outermost class has no Java source of its name: that
    was parsed.

    `sources`: by their paths below the source folders.
    """
    for output in source_set.class_folders:
        for folder, folders, files in os.walk(output):
            folders.sort()
            package = Path(folder).relative_to(output)
            for name in sorted(files):
                outermost = name.removesuffix(".class").partition("$")[0]
                has_source = (package / f"{outermost}.java").as_posix() in sources
                if has_source or not name.endswith(".class"):
                    continue
                if (found := _main_of(Path(folder, name), release)) is not None:
                    class_name, source = found
                    file = None if source is None else sources.get((package / source).as_posix())
                    yield MainClass(class_name, file, 0, source_set.is_test, source_set)


def main_of_class_file(file: Path) -> str | None:
    """The class, if it has a `main` method that the java of its release starts."""
    found = _main_of(file, None)
    return None if found is None else found[0]


def _main_of(file: Path, release: int | None) -> tuple[str, str | None] | None:
    """The name of the class and of its source, if it has a `main` method that java starts."""
    try:
        content = read_bytes(file)
        if b"main" not in content:
            return None
        from jvmdebug import classfile  # noqa: PLC0415 - slow to import

        parsed = classfile.ClassFile.read(content)
    except (OSError, ClassFileError):
        return None
    has_instance_mains = parsed.java_release >= _INSTANCE_MAIN and (release or 99) >= _INSTANCE_MAIN
    for method in parsed.methods:
        is_classic = (
            method.descriptor == _DESCRIPTOR and method.access & _PUBLIC_STATIC == _PUBLIC_STATIC
        )
        is_newer = has_instance_mains and method.descriptor in (_DESCRIPTOR, "()V")
        if method.name == "main" and (is_classic or (is_newer and not method.access & _PRIVATE)):
            return parsed.java_name, _source_name(parsed)
    return None


def _source_name(parsed: ClassFile) -> str | None:
    attribute = parsed.attribute("SourceFile")
    if attribute is None:
        return None
    try:
        return parsed.constants.utf8(int.from_bytes(attribute.content[:2]))
    except ClassFileError:
        return None
