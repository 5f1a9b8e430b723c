# SPDX-License-Identifier: Apache-2.0
"""The front end that the current task works for, in a session that several share.

The owner of a session has no name here: None. A guest has the one that others are shown,
`prompt (process 4712)`, and may be allowed only to read. Set by `jvmdebug.joining` around each
request of a guest; tasks that a request starts inherit it. Read by what records who did something,
and by the connection, which refuses what changes the program. Below everything.
"""

from __future__ import annotations

import contextlib
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator


@dataclass(frozen=True, slots=True)
class Acting:
    """A front end that acts in a session."""

    name: str | None = None
    is_read_only: bool = False


OWNER: Final = Acting()
_ACTING: ContextVar[Acting] = ContextVar("acting", default=OWNER)


def name() -> str | None:
    """The name of the guest that acts; None for the owner of the session."""
    return _ACTING.get().name


def is_read_only() -> bool:
    """Whether who acts may only read."""
    return _ACTING.get().is_read_only


@contextlib.contextmanager
def acting(who: Acting) -> Iterator[None]:
    """Have what is done inside, and the tasks that it starts, be done by `who`."""
    token = _ACTING.set(who)
    try:
        yield
    finally:
        _ACTING.reset(token)
