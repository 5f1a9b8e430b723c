# SPDX-License-Identifier: Apache-2.0
"""Names of types as users write them, held against the names of loaded types.

    shop.Cart           that type; `shop.Cart.Item` is the nested `shop.Cart$Item` too
    Cart   Cart.Item    without a package: in every package
    com.acme.*Service   a pattern: each `*` matches anything
    Bad*                a pattern without a package: in every package, nested ones too

Pure text. Called by the resolver and the `*_locations` modules.
"""

from __future__ import annotations

from fnmatch import fnmatchcase

from jvmdebug.classfile.descriptors import binary_names


def is_pattern(name: str) -> bool:
    """Whether it is a pattern."""
    return "*" in name or _has_no_package(name)


def is_named(type_name: str, spec_name: str) -> bool:
    """Whether the user's text names the loaded type with this Java name."""
    if "*" in spec_name:
        pattern = spec_name.replace("[", "[[]")
        if not _begins_a_class(spec_name):
            return fnmatchcase(type_name, pattern)
        parts = (
            type_name[i:] for i in range(len(type_name)) if type_name[i - 1 : i] in ("", *".$")
        )
        return any(fnmatchcase(part, pattern) for part in parts)
    names = binary_names(spec_name)
    if type_name in names:
        return True
    ends = tuple(f"{mark}{name}" for name in names for mark in ".$")
    return _has_no_package(spec_name) and type_name.endswith(ends)


def is_nested_in(type_name: str, spec_name: str) -> bool:
    """Whether the type is nested, at any depth, in the named one."""
    ends = [at for at, mark in enumerate(type_name) if mark == "$"]
    return any(is_named(type_name[:end], spec_name) for end in ends)


def prepare_patterns(spec_name: str) -> tuple[str, ...]:
    """The patterns of class prepare requests for this name, each with one `*` at an end. They may
    match more types; `is_named` decides.
    """
    if "*" not in spec_name:
        names = binary_names(spec_name)
        return tuple(f"*{name}" for name in names) if _has_no_package(spec_name) else names
    if _begins_a_class(spec_name):
        return ("*",)
    before, _, after = spec_name.partition("*")
    if not before and "*" not in after:
        return (spec_name,)
    return (f"{before}*",)


def _has_no_package(name: str) -> bool:
    return "." not in name or _begins_a_class(name)


def _begins_a_class(name: str) -> bool:
    return name[:1].isupper()
