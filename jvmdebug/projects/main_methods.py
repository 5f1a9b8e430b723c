# SPDX-License-Identifier: Apache-2.0
"""The `main` methods that a Java or Kotlin source declares, and the classes that they start.

Pure: text in, names and lines out. Called by `main_classes`, and for editors by `source_questions`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from jvmdebug.projects.outline import outline

if TYPE_CHECKING:
    from jvmdebug.projects.outline import Language, Outline

_STRINGS: Final = re.compile(
    r"(?:final\s+|@[\w.]+\s+)*(?:java\.lang\.)?String"
    r"\s*(?:(?:\[\s*\]|\.\.\.)\s*[\w$]+|[\w$]+\s*\[\s*\])"
)
_KOTLIN_STRINGS: Final = re.compile(
    r"(?:\w+\s*:\s*Array\s*<\s*(?:out\s+)?String\s*>|vararg\s+\w+\s*:\s*String)\s*,?"
)
_FILE_NAME: Final = re.compile(r'@file\s*:\s*(?:\[\s*)?JvmName\s*\(\s*"([^"]+)"')


@dataclass(frozen=True, slots=True)
class MainMethod:
    """One `main` that a java launcher may start."""

    class_name: str
    """Binary name: `shop.Main$Demo`."""
    line: int
    """Of its name, from 1."""
    is_static_main: bool
    """`public static void main(String[])`, which every release starts."""
    is_top_level: bool
    """Of a file without a type around it, named after the file."""

    @property
    def is_unambiguous(self) -> bool:
        """Whether a launcher that knows instance methods certainly starts it."""
        return self.is_top_level or not self.is_static_main


def main_methods(source: bytes, language: Language, file_stem: str) -> list[MainMethod]:
    """The main methods in the order of the file, at most one for each class."""
    found = outline(source, language)
    if language == "kotlin":
        return _of_kotlin(found, source, file_stem)
    return _of_java(found, file_stem)


def _of_java(found: Outline, file_stem: str) -> list[MainMethod]:
    interfaces = {each.name for each in found.types if each.keyword == "interface"}
    mains: dict[str, MainMethod] = {}
    for each in found.methods:
        takes_arguments = _STRINGS.fullmatch(each.parameters) is not None
        if each.name != "main" or each.returns != "void" or "private" in each.modifiers:
            continue
        if each.parameters and not takes_arguments:
            continue
        is_public = "public" in each.modifiers or each.type_name in interfaces
        made = MainMethod(
            file_stem if each.type_name is None else each.type_name,
            each.line,
            is_static_main=is_public and takes_arguments and "static" in each.modifiers,
            is_top_level=each.type_name is None,
        )
        before = mains.get(made.class_name)
        if before is None or (made.is_static_main and not before.is_static_main):
            mains[made.class_name] = made  # of two the launcher takes the static one with arguments
    return list(mains.values())


def _of_kotlin(found: Outline, source: bytes, file_stem: str) -> list[MainMethod]:
    for each in found.methods:
        if (
            each.name == "main"
            and each.type_name is None
            and not each.is_extension
            and "private" not in each.modifiers
            and (not each.parameters or _KOTLIN_STRINGS.fullmatch(each.parameters))
        ):
            name = kotlin_file_class(found, source, file_stem)
            return [MainMethod(name, each.line, is_static_main=True, is_top_level=True)]
    return []


def kotlin_file_class(found: Outline, source: bytes, file_stem: str) -> str:
    """The class with the functions and properties of a file."""
    named = _FILE_NAME.search(source.decode("utf-8", "replace"))
    simple = named[1] if named else f"{file_stem[:1].upper()}{file_stem[1:]}Kt"
    return f"{found.package}.{simple}" if found.package else simple
