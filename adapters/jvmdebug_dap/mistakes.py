# SPDX-License-Identifier: Apache-2.0
"""What is wrong with the arguments of a request, in the words of JSON: `arguments.cwd: should be a
string, got 5`. Called by the router with what pydantic says about them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pydantic import ValidationError

_KINDS: Final = {
    "int_type": "an integer",
    "float_type": "a number",
    "string_type": "a string",
    "bool_type": "true or false",
    "list_type": "a list",
    "dict_type": "an object",
    "model_type": "an object",
}
_OF_UNIONS: Final = frozenset({"int", "str", "list[str]"})
"""Which of several types was tried: pydantic writes it behind the path."""
_MAX_SHOWN: Final = 60


def explained(error: ValidationError) -> str:
    """All mistakes, each with its path."""
    found: dict[tuple[str, str], list[str]] = {}
    for each in error.errors(include_url=False, include_context=False):
        shown = _shown(each["type"], each["input"]) if each["loc"] else ""
        place = (json_path(each["loc"]), shown)
        found.setdefault(place, []).append(_expected(each["type"], each["msg"]))
    return "; ".join(f"{path}: {_joined(what)}{got}" for (path, got), what in found.items())


def json_path(location: Iterable[int | str]) -> str:
    """`("breakpoints", 0, "line")` as `arguments.breakpoints[0].line`."""
    steps = (each for each in location if each not in _OF_UNIONS)
    return "arguments" + "".join(f"[{it}]" if isinstance(it, int) else f".{it}" for it in steps)


def _expected(kind: str, message: str) -> str:
    if kind == "missing":
        return "is missing"
    if kind in _KINDS:
        return f"should be {_KINDS[kind]}"
    return message.removeprefix("Value error, ").replace("Input should", "should", 1)


def _joined(expected: Sequence[str]) -> str:
    """`should be a string or a list`, of an attribute that takes both."""
    first, *more = expected
    return " or ".join([first, *(each.removeprefix("should be ") for each in more)])


def _shown(kind: str, given: Any) -> str:  # noqa: ANN401 - any JSON
    if kind == "missing":
        return ""
    text = repr(given)
    return f", got {text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + '...'}"
