# SPDX-License-Identifier: Apache-2.0
"""The names of classes that a user may mean by what is typed."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

_PRIMITIVES: Final = ("boolean", "byte", "char", "double", "float", "int", "long", "short")
_PLATFORM: Final = re.compile(r"(?:java|javax|jdk|sun|com\.sun|kotlin|scala|groovy)\.")


def matching(names: Iterable[str], text: str) -> list[str]:
    """The names that contain the text, whatever its case: first those whose simple name it is, then
    those that begin with it, then the others; the program's own before those of the platform.
    `Item[]` gives arrays.
    """
    typed = text.strip()
    element = typed.rstrip("[]")
    arrays = typed[len(element) :]
    suffix = "[]" * arrays.count("[")
    wanted = element.lower()
    candidates = (*names, *_PRIMITIVES) if suffix else names
    found = [each for each in candidates if wanted in each.lower()]
    return [each + suffix for each in sorted(found, key=lambda name: _rank(name, wanted))]


def _rank(name: str, wanted: str) -> tuple[int, bool, str]:
    low = name.lower()
    simple = re.split(r"[.$]", low)[-1]
    if wanted in (low, simple):
        rank = 0
    elif simple.startswith(wanted) or low.startswith(wanted):
        rank = 1
    else:
        rank = 2 if wanted in simple else 3
    return rank, _PLATFORM.match(name) is not None, name
