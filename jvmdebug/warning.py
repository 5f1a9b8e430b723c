# SPDX-License-Identifier: Apache-2.0
"""Warnings that point at the line of the user's program which led to them.

A stack level cannot be counted: the synchronous API waits in another thread than the one that the
work is done in. Called by whatever warns, and by `sync`, which says where it was called.
"""

from __future__ import annotations

import asyncio
import os
import sys
import warnings
from contextvars import ContextVar, copy_context
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from contextvars import Context

_NOT_THE_USERS: Final = tuple(
    f"{Path(file).parent}{os.sep}" for file in (__file__, asyncio.__file__)
)
"""Of a task that is made of a coroutine of ours, the user's line is where the loop runs."""

_Place = tuple[str, int, dict[str, Any]]
"""File, line, and the globals of the module."""

_called_at: ContextVar[_Place | None] = ContextVar("jvmdebug_called_at", default=None)


def warn(text: str) -> None:
    """A RuntimeWarning at the nearest line that is not of this package."""
    file, line, names = _called_at.get() or _nearest()
    registry = names.setdefault("__warningregistry__", {})
    module = names.get("__name__")
    warnings.warn_explicit(text, RuntimeWarning, file, line, module, registry, names)


def context_of_caller() -> Context:
    """Work that is begun in it, in another thread too, warns at the line that has called."""
    context = copy_context()
    if _called_at.get() is None:
        context.run(_called_at.set, _nearest())
    return context


def _nearest() -> _Place:
    frame = sys._getframe(1)  # noqa: SLF001 - inspect.currentframe is the same, and may be None
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_NOT_THE_USERS):
        frame = frame.f_back
    return frame.f_code.co_filename, frame.f_lineno, frame.f_globals
