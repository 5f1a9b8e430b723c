# SPDX-License-Identifier: Apache-2.0
"""Which variables of the frame a check takes: all, if the VM lets it. Called by `probe`."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from jvmdebug.probes.constructors import constructed

if TYPE_CHECKING:
    from jvmdebug.model.field import Field
    from jvmdebug.model.location import Location
    from jvmdebug.probes.question import ProbeQuestion


class Taken(Enum):
    """Which variables of the frame a check takes."""

    ALL = auto()
    NO_THIS = auto()
    """As in a constructor before it has called the one of the superclass."""
    NOTHING = auto()


async def variants(
    location: Location, question: ProbeQuestion, field: Field | None
) -> list[tuple[Taken, bool]]:
    """What to try in turn, with whether it takes the object that has the field which is written
    there. A constructor may write one before the VM lets anybody else see its object.
    """
    has_object = field is not None and not field.is_static
    found = [(each, has_object) for each in await _of_frame(location, question)]
    if has_object and found[0][0] is not Taken.ALL:
        found += [(each, False) for each, _ in found]
    return found


async def _of_frame(location: Location, question: ProbeQuestion) -> tuple[Taken, ...]:
    """One that asks nothing may know less."""
    tried: tuple[Taken, ...] = (Taken.ALL,)
    if location.method.is_constructor:
        behind = await constructed(location.method)
        is_before = behind is not None and location.index < behind
        tried = (Taken.NO_THIS,) if is_before else (Taken.ALL, Taken.NO_THIS)
    if question.only_thread is None and not question.asks_nothing:
        return tried
    return (*tried, Taken.NOTHING)
