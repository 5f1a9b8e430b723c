# SPDX-License-Identifier: Apache-2.0
"""What a check is compiled of, beside its condition. Called by `probe`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.probes.log_code import BoundLog
from jvmdebug.probes.members import NotCompiledError
from jvmdebug.probes.numbers import ProbeNumbers
from jvmdebug.probes.written_code import OLD, Written

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmdebug.evaluator import CompiledExpression
    from jvmdebug.evaluator.bind import bound
    from jvmdebug.model.field import Field
    from jvmdebug.model.location import Location
    from jvmdebug.probes.question import ProbeQuestion


async def bound_log(
    location: Location,
    parts: Sequence[str | CompiledExpression],
    names: Mapping[str, str] | None,
) -> BoundLog:
    """The parts of a log message at a location. `names`: additional ones, and their descriptors."""
    found: list[str | bound.Bound] = []
    for part in parts:
        if isinstance(part, str):
            found.append(part)
            continue
        value = await part.bound_at(location, names)
        if part.needs_javac:
            raise NotCompiledError(f"{part.text}: javac compiles it, for the debugger")
        if value is None:
            raise NotCompiledError(f"{part.text}: {part.why_unbound_at(location)}")
        found.append(value)
    return BoundLog(location.type.vm.companion(ProbeNumbers).take_format(), tuple(found))


async def written_by(
    field: Field | None, question: ProbeQuestion, location: Location, *, takes_object: bool
) -> Written | None:
    """What the check knows of the field that the instruction writes; None if it writes none."""
    if field is None:
        return None
    written = Written(field, takes_object)
    parts = [each for each in question.log or () if not isinstance(each, str)]
    asking = [*parts, *([] if question.condition is None else [question.condition])]
    if any(OLD in each.text for each in asking):
        return await written.with_old(location)
    return written
