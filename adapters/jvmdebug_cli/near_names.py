# SPDX-License-Identifier: Apache-2.0
"""Suggests the class or command that a mistyped name may mean.

Owns what counts as near. Used by the prompt for breakpoints of classes that are not loaded, and by
the commands that observe.
"""

from __future__ import annotations

import asyncio
import difflib
import re
from typing import TYPE_CHECKING, Final

import jvmdebug

if TYPE_CHECKING:
    from collections.abc import Iterable

_CLASS: Final = re.compile(r"[\w.$]+")
_SOURCE: Final = re.compile(r".*\.(java|kt|scala|groovy|cljc?|jsp)|.*/.*")


def near(name: str, known: Iterable[str]) -> str | None:
    """The known name that is most like it: another case, or one or two other letters."""
    by_case = {each.lower(): each for each in known}
    found = difflib.get_close_matches(name.lower(), by_case, 1, cutoff=0.75)
    return by_case[found[0]] if found else None


async def near_class(session: jvmdebug.Session, spec: str) -> str | None:
    """A class of the program that the class of a breakpoint, watch or pattern may mean.

    None if there is such a class, or none that is near. A simple name is compared with simple
    names. Asks for the loaded classes while the session is connected, and reads the class path.
    """
    name = _class_of(spec)
    if name is None:
        return None
    names = session.code.names
    try:
        known = set(await names.classes())
    except jvmdebug.JvmDebugError:  # it has ended
        known = set(await names.classes_on_class_path())
    return await asyncio.to_thread(_near_class, name, known)


def _class_of(spec: str) -> str | None:
    """`shop.Cart` of `shop.Cart#add`, `shop.Cart:42` and `shop.Cart.total write`."""
    place, mark, _ = spec.partition("#")
    if not mark:
        place, mark, _ = spec.partition(":")
    if not mark:
        place = spec.partition(" ")[0].rpartition(".")[0]
    return place if _CLASS.fullmatch(place) and not _SOURCE.fullmatch(place) else None


def _near_class(name: str, known: set[str]) -> str | None:
    if name in known:
        return None
    package, _, simple = name.rpartition(".")
    simple_names = {each.rpartition(".")[2]: each for each in sorted(known, reverse=True)}
    if simple in simple_names:  # in another package
        return simple_names[simple]
    found = near(name, known) if package else near(simple, simple_names)
    return found if package or found is None else simple_names[found]
