# SPDX-License-Identifier: Apache-2.0
"""Binds what a check is compiled of, beside its condition. Called by `probe`."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from jvmdebug.errors import EvaluationError
from jvmdebug.probes.codegen.check import compile_check
from jvmdebug.probes.codegen.log_code import BoundLog, written_as_text
from jvmdebug.probes.codegen.members import NotCompiledError
from jvmdebug.probes.codegen.written_code import OLD, Written
from jvmdebug.probes.numbers import ProbeNumbers

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from jvmdebug.evaluator import CompiledExpression
    from jvmdebug.evaluator.bind import bound
    from jvmdebug.model.field import Field
    from jvmdebug.model.location import Location
    from jvmdebug.model.variable import LocalVariable
    from jvmdebug.probes.codegen.check_form import Check, CheckForm
    from jvmdebug.probes.count_test import CountTest
    from jvmdebug.probes.question import ProbeQuestion


CheckInput: TypeAlias = tuple[
    int, str, "Location", "Sequence[LocalVariable]", "bound.Bound | None", "CountTest | None"
]


async def check_with_log(
    given: CheckInput,
    question: ProbeQuestion,
    names: Mapping[str, str] | None,
    form: CheckForm,
) -> tuple[Check, str | None, bool]:
    """The check of a log point, with why it does not write the messages, and whether it may be able
    to do that later. `given` is what `compile_check` takes.
    """
    location, parts, form = given[2], question.log or (), replace(form, has_log=True)
    why, may_write_later = None, True
    if not question.stands_in:
        try:
            log = await _bound_log(location, parts, names)
            return await compile_check(*given, log, form), None, False
        except (NotCompiledError, EvaluationError) as error:
            why = str(error)
            may_write_later = isinstance(error, EvaluationError) or _awaits_code(parts, location)
    if may_write_later:
        known = await _known_values(location, parts, names)
        with contextlib.suppress(NotCompiledError):
            check = await compile_check(*given, None, replace(form, later=known))
            return check, why, not question.stands_in
    return await compile_check(*given, None, form), why, False


async def _known_values(
    location: Location,
    parts: Sequence[str | CompiledExpression],
    names: Mapping[str, str] | None,
) -> tuple[bound.Bound, ...]:
    """The expressions of a message whose values are known already, bound."""
    found = []
    for part in parts:
        with contextlib.suppress(EvaluationError):
            value = None if isinstance(part, str) else await part.bound_at(location, names)
            if value is not None:
                found.append(value)
    return tuple(found)


async def _bound_log(
    location: Location,
    parts: Sequence[str | CompiledExpression],
    names: Mapping[str, str] | None,
) -> BoundLog:
    """The parts of a log message at a location, bound. `names`: additional names and their
    descriptors.
    """
    found: list[str | bound.Bound] = []
    for part in parts:
        if isinstance(part, str):
            found.append(part)
            continue
        value = await part.bound_at(location, names)
        if value is None:
            raise NotCompiledError(f"{part.text}: {part.why_unbound_at(location)}")
        found.append(written_as_text(value))
    return BoundLog(location.type.vm.companion(ProbeNumbers).take_format(), tuple(found))


def _awaits_code(parts: Sequence[str | CompiledExpression], location: Location) -> bool:
    """Whether javac has yet to compile one of these."""
    return any(not isinstance(each, str) and each.awaits_code_at(location) for each in parts)


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
