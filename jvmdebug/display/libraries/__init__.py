# SPDX-License-Identifier: Apache-2.0
"""How objects of libraries are shown, a module for each library, by the fields of its classes.

Nothing runs in the debuggee. A version of a library that keeps other fields is not an error: its
objects are shown by their fields, as any others. To add a library: 1. a module with tables by class
name, `TEXTS` (one line, as in `texts`) and `VIEWS` (contents, as in `views`), 2. its line here,
3. its packages in `layout`, 4. values in tests/debuggees/library_collections. What stands for
another object (a proxy) is in `stand_ins`.

A module is imported when a class of its packages is shown: most programs have none of them.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

    from jvmdebug.display.line import TextOf
    from jvmdebug.display.views.view import View
    from jvmdebug.display.views.wrapper import Wrapper

_MODULES: Final = {
    "com.fasterxml.jackson.": "jackson",
    "com.google.common.": "guava",
    "io.netty.": "netty",
    "kotlin.": "kotlin",
    "org.hibernate.": "hibernate",
    "reactor.": "reactor",
    "scala.": "scala",
    "tools.jackson.": "jackson",
}
"""The beginning of the names of its classes → the module."""
_NAMES: Final = {
    "scala.collection.immutable.$colon$colon": "List",
    "scala.collection.immutable.Nil$": "List",
    **{f"scala.collection.immutable.Vector{depth}": "Vector" for depth in range(7)},
    **{f"scala.collection.immutable.Map$Map{size}": "Map" for size in range(1, 5)},
    **{f"scala.collection.immutable.Set$Set{size}": "Set" for size in range(1, 5)},
}
_OF_OTHER_METHODS: Final = ("scala.", "io.netty.")


def text_of(name: str) -> TextOf | None:
    """The text of objects of that class; None if no library here has it."""
    module = _module_of(name)
    if module is None:
        return None
    texts: dict[str, TextOf] = module.TEXTS
    return texts.get(name)


def view_of(name: str) -> View | Wrapper | None:
    """The view of objects of that class; None if no library here has it."""
    module = _module_of(name)
    if module is None:
        return None
    views: dict[str, View | Wrapper] = module.VIEWS
    return views.get(name)


def all_names() -> frozenset[str]:
    """The classes of all libraries that have a text or a view. Imports every module."""
    return frozenset(name for module in _all_modules() for name in (*module.TEXTS, *module.VIEWS))


def _module_of(name: str) -> ModuleType | None:
    for beginning, module in _MODULES.items():
        if name.startswith(beginning):
            return _imported(module)
    return None


def _all_modules() -> Iterator[ModuleType]:
    return (_imported(module) for module in sorted(set(_MODULES.values())))


def _imported(module: str) -> ModuleType:
    return importlib.import_module(f"{__name__}.{module}")


def shown_class(name: str) -> str | None:
    """What people call a collection whose class has another name; None for all others."""
    return _NAMES.get(name)


def has_java_methods(name: str) -> bool:
    """Whether `get(index)` or `get(key)` gives an entry, so that it has an expression."""
    if name.startswith("com.google.common.collect."):
        return not name.endswith(("Multiset", "Table"))
    return not name.startswith(_OF_OTHER_METHODS)
