# SPDX-License-Identifier: Apache-2.0
"""Which variables of the frame a check takes: all, if the VM lets it. Called by `probe`."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from jvmdebug.probes.constructors import constructed

if TYPE_CHECKING:
    from jvmdebug.model.location import Location
    from jvmdebug.probes.question import ProbeQuestion


class Taken(Enum):
    """Which variables of the frame a check takes."""

    ALL = auto()
    NO_THIS = auto()
    """As in a constructor before it has called the one of the superclass."""
    NOTHING = auto()


async def variants(location: Location, question: ProbeQuestion) -> tuple[Taken, ...]:
    """What to try in turn: one that asks nothing may know less."""
    tried: tuple[Taken, ...] = (Taken.ALL,)
    if location.method.is_constructor:
        behind = await constructed(location.method)
        is_before = behind is not None and location.index < behind
        tried = (Taken.NO_THIS,) if is_before else (Taken.ALL, Taken.NO_THIS)
    if question.only_thread is None and not question.asks_nothing:
        return tried
    return (*tried, Taken.NOTHING)
