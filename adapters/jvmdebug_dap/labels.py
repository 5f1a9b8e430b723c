# SPDX-License-Identifier: Apache-2.0
"""What leaves the adapter as text for people: safe to show, whatever the debuggee chose as a name.

The channel passes every body of an event or a response through `safe`, so that no field can be
forgotten. Fields that the client sends back or opens, and what the program has printed, are left
as they are; the core has made values safe.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug import one_line, several_lines

if TYPE_CHECKING:
    from jvmdebug_dap.models.base import Json

_AS_IT_IS: Final = frozenset(
    {
        *("output", "content", "path", "value", "result", "evaluateName", "expression", "data"),
        *("memoryReference", "dataId", "sortText", "breakpointId"),
    }
)
"""`output` of our own is made safe where it is made: it may be styled."""
_LABELS: Final = frozenset(
    {"name", "label", "origin", "type", "title", "detail", "version", "symbol", "instruction"}
    | {"typeName", "fullTypeName", "exceptionId", "dateTimeStamp", "addressRange"}
)
"""One line each."""


def safe(body: Json, field: str = "") -> Json:
    """The body with what cannot be seen escaped, and names cut that are too long to be shown."""
    if isinstance(body, dict):
        return {name: safe(each, name) for name, each in body.items()}
    if isinstance(body, list):
        return [safe(each, field) for each in body]
    if not isinstance(body, str) or field in _AS_IT_IS:
        return body
    return one_line(body) if field in _LABELS else several_lines(body)
