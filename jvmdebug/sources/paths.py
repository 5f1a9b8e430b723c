# SPDX-License-Identifier: Apache-2.0
"""Class names ↔ source paths: `shop.Cart$Item` from `Cart.java` is in `shop/Cart.java`.

Pure functions. A class file knows its package and the bare name of its source file; where that file
is on the user's disk is not known, so paths are compared from their ends.
"""

from __future__ import annotations

from jvmdebug.classfile.descriptors import package_name


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


def is_same_source(requested: str, class_source_path: str, *, package: str | None = None) -> bool:
    """Whether a path that a user gave means the source of a class.

    `requested` is absolute (`/home/me/src/shop/Cart.java`), package-relative (`shop/Cart.java`) or
    just `Cart.java`. `package` is what the file at `requested` declares, when it could be read: it
    decides for languages whose directories need not follow packages.
    """
    wanted = requested.replace("\\", "/").removeprefix("./")
    if _ends_with(wanted, class_source_path) or _ends_with(class_source_path, wanted):
        return package is None or package == _directory(class_source_path).replace("/", ".")
    if package is None or wanted.rpartition("/")[2] != class_source_path.rpartition("/")[2]:
        return False
    return package == _directory(class_source_path).replace("/", ".")


def _directory(path: str) -> str:
    return path.rpartition("/")[0]


def _ends_with(path: str, end: str) -> bool:
    return path == end or path.endswith("/" + end)
