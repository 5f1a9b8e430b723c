# SPDX-License-Identifier: Apache-2.0
"""The `main` methods that a Java source declares, and the classes that they start.

Pure: bytes in, names and lines out. Called by `main_classes`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import tree_sitter
import tree_sitter_java

if TYPE_CHECKING:
    from collections.abc import Iterator

_TYPES: Final = frozenset(
    {"class_declaration", "interface_declaration", "enum_declaration", "record_declaration"}
)
_STRING: Final = (b"String", b"java.lang.String")


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


def main_methods(source: bytes, file_stem: str) -> list[MainMethod]:
    """The main methods in the order of the file, at most one for each class."""
    parser = tree_sitter.Parser(tree_sitter.Language(tree_sitter_java.language()))
    root = parser.parse(source).root_node
    package = ""
    found: dict[str, MainMethod] = {}
    for node in root.named_children:
        if node.type == "package_declaration":
            package = _text(node.named_children[-1]).decode("utf-8", "replace") + "."
        elif node.type == "method_declaration" and _is_main(node):
            found.setdefault(
                file_stem,
                MainMethod(file_stem, _line(node), is_static_main=False, is_top_level=True),
            )
        elif node.type in _TYPES:
            for each in _of_type(node, package):
                _keep_better(found, each)
    return list(found.values())


def _keep_better(found: dict[str, MainMethod], method: MainMethod) -> None:
    """Keeps the `main` of a class that the launcher takes: the static one with arguments."""
    before = found.get(method.class_name)
    if before is None or (method.is_static_main and not before.is_static_main):
        found[method.class_name] = method


def _of_type(declaration: tree_sitter.Node, prefix: str) -> Iterator[MainMethod]:
    name_node = declaration.child_by_field_name("name")
    if name_node is None:
        return
    name = prefix + _text(name_node).decode("utf-8", "replace")
    is_interface = declaration.type == "interface_declaration"
    for member in _members(declaration):
        if member.type in _TYPES:
            yield from _of_type(member, f"{name}$")
        elif member.type == "method_declaration" and _is_main(member):
            words = _modifiers(member)
            is_public = is_interface or b"public" in words
            has_arguments = bool(_parameters(member))
            is_static = b"static" in words
            if b"private" in words or b"abstract" in words:
                continue
            if is_interface and not is_static and b"default" not in words:
                continue
            yield MainMethod(
                name,
                _line(member),
                is_static_main=is_public and is_static and has_arguments,
                is_top_level=False,
            )


def _is_main(method: tree_sitter.Node) -> bool:
    """`void main()` or `void main(String[])`."""
    name, type_ = method.child_by_field_name("name"), method.child_by_field_name("type")
    if name is None or name.text != b"main" or type_ is None or type_.type != "void_type":
        return False
    parameters = _parameters(method)
    return not parameters or (len(parameters) == 1 and _is_strings(parameters[0]))


def _is_strings(parameter: tree_sitter.Node) -> bool:
    """`String[] a`, `String a[]`, `String... a`."""
    words = b"".join(_text(parameter).split())
    type_ = next((each for each in parameter.named_children if each.type != "modifiers"), None)
    if type_ is None:
        return False
    is_array = b"..." in words or words.count(b"[]") == 1
    return is_array and _text(type_).partition(b"[")[0].strip() in _STRING


def _parameters(method: tree_sitter.Node) -> list[tree_sitter.Node]:
    found = method.child_by_field_name("parameters")
    wanted = ("formal_parameter", "spread_parameter")
    return [] if found is None else [each for each in found.named_children if each.type in wanted]


def _modifiers(method: tree_sitter.Node) -> list[bytes]:
    found = next((each for each in method.children if each.type == "modifiers"), None)
    return [] if found is None else [_text(each) for each in found.children]


def _members(declaration: tree_sitter.Node) -> Iterator[tree_sitter.Node]:
    body = declaration.child_by_field_name("body")
    for member in body.named_children if body is not None else ():
        if member.type == "enum_body_declarations":
            yield from member.named_children
        else:
            yield member


def _line(method: tree_sitter.Node) -> int:
    node = method.child_by_field_name("name") or method
    return node.start_point[0] + 1


def _text(node: tree_sitter.Node) -> bytes:
    return node.text or b""
