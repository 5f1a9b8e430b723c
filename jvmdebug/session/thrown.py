# SPDX-License-Identifier: Apache-2.0
"""The exception of a stop, told as a stack trace tells it. Reads fields and runs no code."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jvmdebug.model.values import ObjectReference, StringReference

if TYPE_CHECKING:
    from jvmdebug.model.values import Value

_MOST_CAUSES = 20


@dataclass(frozen=True, slots=True)
class Thrown:
    """A Throwable: its class, its message as it was given to it, and what caused it."""

    type_name: str
    message: str | None
    cause: Thrown | None = None

    def __str__(self) -> str:
        """`java.lang.IllegalStateException: closed`"""
        return self.type_name if self.message is None else f"{self.type_name}: {self.message}"


async def read_thrown(exception: ObjectReference, causes: int = _MOST_CAUSES) -> Thrown:
    """Read the fields `detailMessage` and `cause` of java.lang.Throwable, at most so many deep."""
    type_ = await exception.type()
    fields = {
        field.name: field
        for field in await type_.all_fields()
        if field.declaring_type.name == "java.lang.Throwable"
    }
    wanted = [fields[name] for name in ("detailMessage", "cause") if name in fields]
    values: dict[str, Value] = {}
    for field, value in zip(wanted, await exception.get_values(wanted), strict=True):
        values[field.name] = value
    message, cause = values.get("detailMessage"), values.get("cause")
    text = await message.text() if isinstance(message, StringReference) else None
    # A Throwable whose cause was not set refers to itself.
    if isinstance(cause, ObjectReference) and cause != exception and causes > 0:
        return Thrown(type_.name, text, await read_thrown(cause, causes - 1))
    return Thrown(type_.name, text)
