# SPDX-License-Identifier: Apache-2.0
"""Hibernate: persistent collections that are loaded. Others, and proxies, are in `stand_ins`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.display.views.wrapper import Wrapper

if TYPE_CHECKING:
    from jvmdebug.display.line import TextOf
    from jvmdebug.display.views.view import View

_PACKAGES: Final = ("org.hibernate.collection.spi.", "org.hibernate.collection.internal.")
"""Of Hibernate 6, and of those before it."""
_FIELDS: Final = {
    "PersistentBag": "bag",
    "PersistentIdentifierBag": "values",
    "PersistentList": "list",
    "PersistentSet": "set",
    "PersistentMap": "map",
}

TEXTS: Final[dict[str, TextOf]] = {}
VIEWS: Final[dict[str, View | Wrapper]] = {
    f"{package}{name}": Wrapper(field) for package in _PACKAGES for name, field in _FIELDS.items()
}
