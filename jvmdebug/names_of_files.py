# SPDX-License-Identifier: Apache-2.0
"""The locale of a Java program that we start: Java cannot open files whose names it cannot write.

In containers it is often C or POSIX (`LC_ALL=C`), whose names are ASCII: Java then takes every
other character of a path for `?`. Called by what starts Java and build tools.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_ASCII: Final = frozenset({"", "C", "POSIX"})
_UTF_8: Final = "C.UTF-8"


def environment_for(env: Mapping[str, str] | None, names: Sequence[object]) -> dict[str, str]:
    """The environment (None: ours) with another locale, if one of the names cannot be written in
    its own.
    """
    found = dict(os.environ if env is None else env)
    chosen = found.get("LC_ALL") or found.get("LC_CTYPE") or found.get("LANG") or ""
    if chosen in _ASCII and not all(str(each).isascii() for each in names):
        found["LC_ALL"] = _UTF_8
    return found
