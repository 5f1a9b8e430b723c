# SPDX-License-Identifier: Apache-2.0
"""What is recorded: of which classes, how much, and from where to where."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from jvmdebug.recording.errors import RecordingError

LEVELS: Final = {"calls": 1, "lines": 2, "all": 3}
"""How much is recorded, each with what the one before has."""
MOST_WAITING: Final = 2_000_000
"""Records that may wait in the program: about 30 MB of its heap."""
_FOREVER: Final = 2**31 - 1


@dataclass(frozen=True)
class RecordingPlan:
    """What to record."""

    included: tuple[str, ...] = ("*",)
    """Names of classes like `shop.Cart`, in which `*` stands for any characters."""
    excluded: tuple[str, ...] = ()
    what: str = "all"
    """`calls`: with parameters and results. `lines`: those, and which lines run. `all`: also what
    is stored in variables, fields and arrays, and the calls of classes that are not recorded.
    """
    root: tuple[str, str] | None = None
    """The class and the method from whose beginning to whose end a thread is recorded; None: every
    thread is, all the time.
    """
    times: int = 0
    """How often that method is recorded; 0: without a limit."""
    most: int = MOST_WAITING
    share: int = 0
    """Percent of the program's processor time that the recording may take; 0: without a limit."""

    def __post_init__(self) -> None:
        if self.what not in LEVELS:
            raise RecordingError(f"what is recorded is one of {', '.join(LEVELS)}: {self.what!r}")

    @property
    def level(self) -> int:
        """The number of `what` on the wire."""
        return LEVELS[self.what]

    @property
    def roots(self) -> int:
        """How often the root method is recorded, as on the wire."""
        return 0 if self.root is None else self.times or _FOREVER


def root_of(method: str) -> tuple[str, str]:
    """The class and the method of `shop.OrderController#post`. RecordingError for another text."""
    type_name, separator, name = method.partition("#")
    if not separator or not type_name or not name or "*" in method or " " in method:
        raise RecordingError(f"{method!r} is no method: write one like shop.OrderController#post")
    return type_name, name
