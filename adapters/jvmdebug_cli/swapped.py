# SPDX-License-Identifier: Apache-2.0
"""Why edited sources were not given to the program. Used by `swap`, at the prompt and beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import jvmdebug


def why_not(compiled: jvmdebug.ReplacedSources) -> list[str]:
    """Errors of the compiler, else which sources the program has no class of; empty if all are."""
    lines = [str(each) for each in compiled.messages if each.is_error]
    return lines or [
        f"{each}: the program has not loaded a class of this source" for each in compiled.strangers
    ]
