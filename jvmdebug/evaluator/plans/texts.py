# SPDX-License-Identifier: Apache-2.0
"""The text of an object's own toString(), where that only joins fields. Called by the session."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.errors import InvalidObjectError
from jvmdebug.evaluator.plans.decoding import UnplannedError
from jvmdebug.evaluator.plans.jdk_calls import OF_JDK
from jvmdebug.evaluator.plans.planned import NotMadeError, Plans
from jvmdebug.evaluator.plans.writing import Writer
from jvmdebug.model.text_of_reading import TextOfReading

if TYPE_CHECKING:
    from jvmdebug.model.values import ObjectReference, StringReference


class PlanLaterError(Exception):
    """Whether the object has such a text is not known yet."""


async def planned_text(reference: ObjectReference, *, may_plan: bool) -> StringReference | None:
    """What the object's toString() gives; None where it does more than join fields, and where the
    JDK has made it. PlanLaterError if that is not known yet and it may not be found out now.

    Nothing runs in the program. `may_plan`: reading the code of a class takes commands, once;
    without it only code is read that our agent has sent with the stop.
    """
    vm = reference.vm
    is_older = vm.version.writes_numbers_longer
    writer = Writer(vm.companion(Plans), is_older=is_older, may_make=may_plan)
    try:
        if (await reference.type()).signature[1:].startswith(OF_JDK):
            return None
        text = await writer.text(reference)
    except NotMadeError as error:
        raise PlanLaterError from error
    except (UnplannedError, InvalidObjectError):
        return None
    return None if text is None else TextOfReading(vm, text)
