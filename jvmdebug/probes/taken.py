# SPDX-License-Identifier: Apache-2.0
"""Decides which variables of the frame a check takes: all, if the VM allows it. Called by `probe`.

Without debug information it is not known how long a slot keeps a stored value, and the VM refuses
code that reads a slot at a place which can be reached without the store. Then a check takes the
arguments and the variables that it names.
"""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import TYPE_CHECKING, Final

from jvmdebug.probes.constructors import constructed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.model.field import Field
    from jvmdebug.model.location import Location
    from jvmdebug.model.variable import LocalVariable
    from jvmdebug.probes.question import ProbeQuestion

_SLOT: Final = re.compile(r"\bslot\d+\b")


class Taken(Enum):
    """The variables of the frame that a check takes."""

    ALL = auto()
    NAMED = auto()
    """All, but of slots without debug information only those that the question names."""
    NO_THIS = auto()
    """No `this`, as in a constructor before it has called that of the superclass."""
    NOTHING = auto()

    @property
    def has_this(self) -> bool:
        """Whether it takes `this`."""
        return self in {Taken.ALL, Taken.NAMED}


def is_certain(variable: LocalVariable) -> bool:
    """Whether the VM lets a check take the variable wherever it is in scope."""
    return not variable.is_inferred or variable.is_argument


def named(variables: Sequence[LocalVariable], question: ProbeQuestion) -> tuple[LocalVariable, ...]:
    """The variables without slots that have no debug information and that the question does not
    name.
    """
    texts = [] if question.condition is None else [question.condition.text]
    texts += [each if isinstance(each, str) else each.text for each in question.log or ()]
    used = {name for text in texts for name in _SLOT.findall(text)}
    return tuple(each for each in variables if is_certain(each) or each.name in used)


async def variants(
    location: Location, question: ProbeQuestion, field: Field | None, *, hands_over: bool
) -> list[tuple[Taken, bool]]:
    """The variants to try in turn, each with whether it takes the object whose field is written
    there. A constructor may write a field before the VM lets other code see its object.
    `hands_over`: whether the debugger sees no variables but those that the check takes.
    """
    has_object = field is not None and not field.is_static
    frame = await _of_frame(location, question, hands_over=hands_over)
    found = [(each, has_object) for each in frame]
    if has_object and not found[0][0].has_this:
        found += [(each, False) for each, _ in found]
    return found


async def _of_frame(
    location: Location, question: ProbeQuestion, *, hands_over: bool
) -> tuple[Taken, ...]:
    """The variants for the variables of the frame. A question about no variable may take fewer."""
    tried: tuple[Taken, ...] = (Taken.ALL,)
    if await location.method.variable_table() is None:
        tried = (Taken.ALL, Taken.NAMED) if hands_over else (Taken.NAMED,)
    if location.method.is_constructor:
        behind = await constructed(location.method)
        is_before = behind is not None and location.index < behind
        tried = (Taken.NO_THIS,) if is_before else (*tried, Taken.NO_THIS)
    return tried if question.needs_frame else (*tried, Taken.NOTHING)
