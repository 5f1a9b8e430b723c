# SPDX-License-Identifier: Apache-2.0
"""The main type of a source file or jar. Reads text and manifests, runs nothing."""

from __future__ import annotations

import zipfile
from dataclasses import dataclass
from typing import TYPE_CHECKING

import tree_sitter
import tree_sitter_java

from jvmdebug.errors import LaunchError
from jvmdebug.os_errors import reason
from jvmdebug.regular_file import open_archive, read_entry

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_TYPE_DECLARATIONS = frozenset(
    {"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"}
)
_BODIES = frozenset({"class_body", "interface_body", "enum_body"})


@dataclass(frozen=True, slots=True)
class MainType:
    """The type to start."""

    package: str
    simple_name: str

    @property
    def name(self) -> str:
        """`shop.Main`"""
        return f"{self.package}.{self.simple_name}" if self.package else self.simple_name


def find_main_type(source: bytes, file_stem: str) -> MainType:
    """The first top-level type with a `main` method, else the first, as the java launcher does.

    A file with a `main` method and no type around it (JDK 25) is named after the file.
    """
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_java.language()))
    root = parser.parse(source).root_node
    package = ""
    first: str | None = None
    for node in root.named_children:
        if node.type == "package_declaration":
            package = _text(node.named_children[-1])
        elif node.type == "method_declaration":
            return MainType("", file_stem)
        elif node.type in _TYPE_DECLARATIONS:
            name_node = node.child_by_field_name("name")
            name = _text(name_node) if name_node is not None else file_stem
            first = first or name
            if "main" in _method_names(node):
                return MainType(package, name)
    return MainType(package, first or file_stem)


def jar_main_class(jar: Path) -> str | None:
    """`Main-Class` of the jar's manifest; LaunchError if it is no jar at all."""
    try:
        with open_archive(jar) as archive:
            manifest = read_entry(archive, "META-INF/MANIFEST.MF").decode("utf-8", "replace")
    except KeyError:
        return None
    except (OSError, zipfile.BadZipFile) as error:
        raise LaunchError(f"cannot read the jar {jar}: {reason(error)}") from error
    unfolded = manifest.replace("\r\n", "\n").replace("\n ", "")
    for line in unfolded.splitlines():
        name, _, value = line.partition(":")
        if name.strip().lower() == "main-class":
            return value.strip()
    return None


def _method_names(declaration: tree_sitter.Node) -> Iterator[str]:
    for body in declaration.named_children:
        if body.type not in _BODIES:
            continue
        members = list(body.named_children)
        for part in body.named_children:
            if part.type == "enum_body_declarations":
                members += part.named_children
        for member in members:
            name = member.child_by_field_name("name")
            if member.type == "method_declaration" and name is not None:
                yield _text(name)


def _text(node: tree_sitter.Node) -> str:
    return (node.text or b"").decode("utf-8", errors="replace")
