# SPDX-License-Identifier: Apache-2.0
"""Log messages: text with `{expression}` parts. Parsed once, rendered at each hit.

A literal brace is doubled: `{{` and `}}`. Braces, quotes and characters inside of an
expression are followed, so `{map.get("}")}` is one part.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug import display, evaluator
from jvmdebug.errors import (
    BreakpointError,
    ConnectionLost,
    EvaluationError,
    JvmDebugError,
    ReadOnlyError,
)
from jvmdebug.model.primitives import BOXES
from jvmdebug.model.values import ArrayReference, ObjectReference, StringReference
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jvmdebug.evaluator import CompiledExpression
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value

_VALUE: Final = "$value"
_CONCATENATED: Final = f'"" + {_VALUE}'
_BOX_NAMES: Final = frozenset(BOXES.values())
Part: TypeAlias = "str | CompiledExpression"


@dataclass(frozen=True, slots=True)
class LogMessage:
    """The parts of a log message, literal text and expressions."""

    parts: tuple[Part, ...]

    @classmethod
    def parse(cls, text: str, *, may_be_kotlin: bool = True, read_only: bool = False) -> LogMessage:
        """Parse `text`; BreakpointError for braces that do not match or a wrong expression."""
        parts: list[Part] = []
        literal: list[str] = []
        position = 0
        while position < len(text):
            character = text[position]
            if text[position : position + 2] in ("{{", "}}"):
                literal.append(character)
                position += 2
            elif character == "{":
                end = _end_of_expression(text, position)
                if literal:
                    parts.append("".join(literal))
                    literal = []
                expression = text[position + 1 : end]
                parts.append(
                    _compiled(expression, text, may_be_kotlin=may_be_kotlin, read_only=read_only)
                )
                position = end + 1
            else:
                literal.append(character)
                position += 1
        if literal:
            parts.append("".join(literal))
        return cls(tuple(parts))

    async def render(
        self, frame: Frame, *, names: Mapping[str, Value], deadline_s: float, max_length: int
    ) -> str:
        """Make the text at this hit. A part that fails shows its error in place of the value."""
        shown: list[str] = []
        for part in self.parts:
            if isinstance(part, str):
                shown.append(part)
                continue
            try:
                value = await part.evaluate(frame, deadline_s=deadline_s, names=names)
                text = await _text_of(value, frame, deadline_s, max_length)
                # Escaped, so that a value can forge no line of the log and no control sequence of a
                # terminal.
                shown.append(one_line(text, None))
            except ConnectionLost:
                raise
            except JvmDebugError as error:
                shown.append(one_line(f"<{part.text}: {error}>"))
        return "".join(shown)


async def _text_of(value: Value, frame: Frame, deadline_s: float, max_length: int) -> str:
    """What string concatenation makes of a value; arrays are shown with their elements.

    The program's own toString() runs, as it would if the program wrote the line. Where it must not,
    the text is computed by reading, or the object is shown as elsewhere.
    """
    if not await _has_own_text(value):
        return await display.plain_text(value, max_length)
    try:
        made = await evaluator.evaluate(
            frame, _CONCATENATED, deadline_s=deadline_s, names={_VALUE: value}
        )
    except ReadOnlyError:
        return await display.plain_text(value, max_length)
    return await display.plain_text(made, max_length)


async def _has_own_text(value: Value) -> bool:
    """Whether a method of the program makes the text of a value."""
    if not isinstance(value, ObjectReference) or isinstance(
        value, StringReference | ArrayReference
    ):
        return False
    return (await value.type()).name not in _BOX_NAMES


def _compiled(
    expression: str, text: str, *, may_be_kotlin: bool, read_only: bool
) -> CompiledExpression:
    if not expression.strip():
        raise BreakpointError(f"log message {text!r} has an empty {{}}: write {{{{}}}} for braces")
    try:
        return evaluator.compile_expression(
            expression, may_be_kotlin=may_be_kotlin, read_only=read_only
        )
    except EvaluationError as error:
        raise BreakpointError(f"log message {text!r}: {{{expression}}}: {error}") from error


def _end_of_expression(text: str, start: int) -> int:
    """The index of the brace that closes the one at `start`."""
    depth = 0
    quote: str | None = None
    position = start
    while position < len(text):
        character = text[position]
        if quote is not None:
            if character == "\\":
                position += 1
            elif character == quote:
                quote = None
        elif character in "\"'":
            quote = character
        elif character == "{":
            depth += 1
        elif character == "}":
            depth -= 1
            if depth == 0:
                return position
        position += 1
    raise BreakpointError(f"log message {text!r} opens a brace that it does not close")
