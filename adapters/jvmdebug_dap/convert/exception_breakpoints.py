# SPDX-License-Identifier: Apache-2.0
"""Exception breakpoints: filters with conditions and paths of types, to what the core takes.

Each filter and each option of the client is answered by one breakpoint; the two filters share one
when they ask the same. A filter's condition is Java, or a list of types.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_dap.convert.breakpoints import CAUGHT, UNCAUGHT, suspended_by
from jvmdebug_dap.models.generated import types as dap

if TYPE_CHECKING:
    from jvmdebug import BreakpointSpec
    from jvmdebug_dap.models.generated.arguments import SetExceptionBreakpointsArguments

_CONDITION = (
    "A Java condition such as `$exception.getMessage() != null`, "
    "or types: `com.acme.*, !com.acme.ExpectedException`"
)
FILTERS = [
    dap.ExceptionBreakpointsFilter(
        filter=CAUGHT,
        label="Caught Exceptions",
        description="Stops where an exception is thrown that the program catches.",
        default=False,
        supports_condition=True,
        condition_description=_CONDITION,
    ),
    dap.ExceptionBreakpointsFilter(
        filter=UNCAUGHT,
        label="Uncaught Exceptions",
        description="Stops where an exception is thrown that nothing catches.",
        default=True,
        supports_condition=True,
        condition_description=_CONDITION,
    ),
]
_TYPES = re.compile(r"\s*!?[\w$.*]+\s*(,\s*!?[\w$.*]+\s*)*")


@dataclass(slots=True)
class AskedExceptions:
    """What the core is asked for, and which request answers each filter and option."""

    requests: list[jvmdebug.BreakpointRequest] = field(default_factory=list)
    answers: list[int | None] = field(default_factory=list)
    """In the client's order; None for what never stops."""

    def add(self, spec: jvmdebug.ExceptionSpec, options: jvmdebug.BreakpointOptions) -> None:
        """Ask for it, and answer the next filter or option by it."""
        for at, known in enumerate(self.requests):
            both = _joined(known.spec, spec)
            if both is not None and known.options == options:
                self.requests[at] = jvmdebug.BreakpointRequest(both, options)
                self.answers.append(at)
                return
        self.answers.append(len(self.requests))
        self.requests.append(jvmdebug.BreakpointRequest(spec, options))


def _joined(known: BreakpointSpec, spec: jvmdebug.ExceptionSpec) -> jvmdebug.ExceptionSpec | None:
    """Joins both in one, if they are about the same types."""
    if not isinstance(known, jvmdebug.ExceptionSpec) or known.type_name != spec.type_name:
        return None
    return jvmdebug.ExceptionSpec(
        spec.type_name, known.caught or spec.caught, known.uncaught or spec.uncaught
    )


def asked_exceptions(arguments: SetExceptionBreakpointsArguments) -> AskedExceptions:
    """All filters, then all options, as the answer lists them."""
    asked = AskedExceptions()
    for name in arguments.filters:
        asked.add(*_filtered(name, None, None))
    for option in arguments.filter_options or []:
        asked.add(*_filtered(option.filter_id, option.condition, option.mode))
    for each in arguments.exception_options or []:
        if each.break_mode == "never":
            asked.answers.append(None)
        else:
            types = _types_of(each.path or [])
            spec = jvmdebug.ExceptionSpec(types, caught=each.break_mode == "always")
            asked.add(spec, jvmdebug.BreakpointOptions())
    return asked


def _filtered(
    name: str, condition: str | None, mode: str | None
) -> tuple[jvmdebug.ExceptionSpec, jvmdebug.BreakpointOptions]:
    spec = jvmdebug.ExceptionSpec(caught=name == CAUGHT, uncaught=name != CAUGHT)
    options = jvmdebug.BreakpointOptions(suspend=suspended_by(mode))
    if condition is None or not condition.strip():
        return spec, options
    if is_type_list(condition):
        return replace(spec, type_name=condition.strip()), options
    return spec, replace(options, condition=condition)


def is_type_list(condition: str) -> bool:
    """Whether it names types: `java.io.*`, `IOException, !EOFException`; else it is Java."""
    if _TYPES.fullmatch(condition) is None:
        return False
    return all(_is_type_name(each.strip()) for each in condition.split(","))


def _is_type_name(text: str) -> bool:
    last = text.rpartition(".")[2]
    is_class = last[:1].isupper() and not last.isupper()
    return text.startswith("!") or "*" in text or is_class


def _types_of(path: list[dap.ExceptionPathSegment]) -> str:
    """The last step of the path has the types; what is before it are only its groups."""
    if not path or not path[-1].names:
        return jvmdebug.ExceptionSpec().type_name
    mark = "!" if path[-1].negate else ""
    return ", ".join(f"{mark}{name}" for name in path[-1].names)
