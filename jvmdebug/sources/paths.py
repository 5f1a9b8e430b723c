# SPDX-License-Identifier: Apache-2.0
"""Class names ↔ source paths: `shop.Cart$Item` from `Cart.java` is in `shop/Cart.java`.

Pure functions. A class file knows its package and the bare name of its source file; where that file
is on the user's disk is not known, so paths are compared from their ends.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.classfile.descriptors import package_name

if TYPE_CHECKING:
    from collections.abc import Collection


def source_path(type_name: str, source_name: str | None) -> str:
    """Package as directories and source file: `shop/Cart.java`. `source_name` None (no attribute):
    guessed from the outermost class's name.
    """
    package = package_name(type_name)
    if source_name is None:
        simple = type_name.rpartition(".")[2] if package else type_name
        outermost = simple[: simple.find("$", 1)] if simple.find("$", 1) > 0 else simple
        source_name = f"{outermost.partition('/')[0]}.java"
    directory = package.replace(".", "/")
    # Some compilers put a path into the attribute; its last part is the file.
    name = source_name.replace("\\", "/").rpartition("/")[2]
    return f"{directory}/{name}" if directory else name


def is_same_source(
    requested: str, class_source_path: str, *, packages: Collection[str] | None = None
) -> bool:
    """Whether a path that a user gave means the source of a class.

    `requested` is absolute (`/home/me/src/shop/Cart.java`), package-relative (`shop/Cart.java`) or
    just `Cart.java`. `packages` are those that the file at `requested` declares, when it could be
    read and its language has a package clause: they decide for languages whose directories need not
    follow packages.
    """
    wanted = requested.replace("\\", "/").removeprefix("./")
    if packages is not None:
        is_named = wanted.rpartition("/")[2] == class_source_path.rpartition("/")[2]
        return is_named and _directory(class_source_path).replace("/", ".") in packages
    of_class = class_source_path.lstrip("/")  # source maps of pages begin at the web application
    return _ends_with(wanted, of_class) or _ends_with(of_class, wanted)


def _directory(path: str) -> str:
    return path.rpartition("/")[0]


def _ends_with(path: str, end: str) -> bool:
    return path == end or path.endswith("/" + end)


def guessed_name(source_name: str) -> str | None:
    """How the name of the outermost class of a source ends, if the class file does not name the
    source. None if it does not tell: only `source_path` for Java guesses.
    """
    stem, _, suffix = source_name.rpartition(".")
    return stem if suffix == "java" else None
