# SPDX-License-Identifier: Apache-2.0
"""What stands in for the reader of heap dumps, which is too slow in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


class HeapFileError(ValueError):
    """The file cannot be read, or is no heap dump."""


class HeapColumn:
    """There is none."""


class HeapDump:
    """Refuses every file."""

    def __init__(self, path: str, progress: Callable[[float], object] | None = None) -> None:
        del progress
        raise HeapFileError(
            f"{path}: this installation of jvmdebug has no compiled module, which reads heap dumps;"
            " install a compiled wheel if there is one for this system"
        )
