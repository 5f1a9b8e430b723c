# SPDX-License-Identifier: Apache-2.0
"""How objects of libraries are shown, a module for each library, by the fields of its classes.

Nothing runs in the debuggee. A version of a library that keeps other fields is not an error: its
objects are shown by their fields, as any others. To add a library: 1. a module with tables by class
name, `TEXTS` (one line, as in `texts`) and `VIEWS` (contents, as in `views`), 2. its line here,
3. its packages in `layout`, 4. values in tests/debuggees/library_collections. What stands for
another object (a proxy) is in `stand_ins`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.display.libraries import guava, hibernate, jackson, kotlin, netty, reactor, scala

if TYPE_CHECKING:
    from jvmdebug.display.line import TextOf
    from jvmdebug.display.views.view import View
    from jvmdebug.display.views.wrapper import Wrapper

_MODULES: Final = (guava, hibernate, jackson, kotlin, netty, reactor, scala)
LIBRARY_TEXTS: Final[dict[str, TextOf]] = {
    name: text for module in _MODULES for name, text in module.TEXTS.items()
}
LIBRARY_VIEWS: Final[dict[str, View | Wrapper]] = {
    name: view for module in _MODULES for name, view in module.VIEWS.items()
}
_NAMES: Final = {
    "scala.collection.immutable.$colon$colon": "List",
    "scala.collection.immutable.Nil$": "List",
    **{f"scala.collection.immutable.Vector{depth}": "Vector" for depth in range(7)},
    **{f"scala.collection.immutable.Map$Map{size}": "Map" for size in range(1, 5)},
    **{f"scala.collection.immutable.Set$Set{size}": "Set" for size in range(1, 5)},
}
_OF_OTHER_METHODS: Final = ("scala.", "io.netty.")


def shown_class(name: str) -> str | None:
    """What people call a collection whose class has another name; None for all others."""
    return _NAMES.get(name)


def has_java_methods(name: str) -> bool:
    """Whether `get(index)` or `get(key)` gives an entry, so that it has an expression."""
    if name.startswith("com.google.common.collect."):
        return not name.endswith(("Multiset", "Table"))
    return not name.startswith(_OF_OTHER_METHODS)
