# SPDX-License-Identifier: Apache-2.0
"""Packages whose names are imported when they are first used.

A session has doors to much that most sessions never enter: heap dumps, profiles, traces. Such a
package assigns `names(...)` to its `__getattr__`, and says under TYPE_CHECKING what the names are.
"""

from __future__ import annotations

import importlib
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


def names(package: str, homes: Mapping[str, tuple[str, ...]]) -> Callable[[str], object]:
    """The `__getattr__` of `package`; `homes`: module → its names that the package has too.

    A module of another package is named in full: `jvmdebug.sources.spec`.
    """
    modules = {
        name: module if module.startswith("jvmdebug.") else f"{package}.{module}"
        for module, inside in homes.items()
        for name in inside
    }

    def get(name: str) -> object:
        module = modules.get(name)
        if module is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}", name=name)
        value: object = getattr(importlib.import_module(module), name)
        setattr(sys.modules[package], name, value)
        return value

    return get
