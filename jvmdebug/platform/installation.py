# SPDX-License-Identifier: Apache-2.0
"""How this jvmdebug was installed: with pip into a Python, or frozen, as an archive without Python.

A frozen one cannot take further packages, so what an error recommends depends on it. Used by
messages about packages that are missing.
"""

from __future__ import annotations

import sys


def is_frozen() -> bool:
    """Whether this is the program of the archive, which has its own Python inside."""
    return bool(getattr(sys, "frozen", False))


def how_to_get(extra: str) -> str:
    """What to do for the missing packages of an extra (`heap`), as the end of a sentence."""
    command = f"`pip install 'jvmdebug[{extra}]'`"
    if is_frozen():
        return (
            f"this jvmdebug has its own Python and takes no packages; {command} installs one beside"
            " it that does"
        )
    return f"install it with {command}"
