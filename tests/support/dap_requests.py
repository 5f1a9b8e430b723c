# SPDX-License-Identifier: Apache-2.0
"""Every request of the protocol, and arguments for it that are missing, extra and of wrong types.

All of it comes from the schema, with our own requests and attributes from their handlers: nothing
is listed by hand, so that a request of a later schema is tried too. Sends nothing.
"""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from jvmdebug_dap.models.base import wire_name
from jvmdebug_dap.requests import load_handlers
from tests.support.dap_schema import schema

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

Json = Any
WRONG_VALUES: Sequence[Json] = (None, "text", -1, 2**70, 1.5, True, [], [[]], {}, {"path": 5})
_WRONG_INSIDE: Sequence[Json] = (None, 1.5, [[]])
_REFERENCE = "#/definitions/"


def commands() -> tuple[str, ...]:
    """The commands of the schema, those that no client may send too, and our own."""
    return tuple(sorted({*_by_command(), *(each.command for each in load_handlers().specs)}))


def shapes(
    command: str, real: Mapping[str, Json], wrong_values: Sequence[Json] = WRONG_VALUES
) -> Iterator[Json]:
    """Arguments of a wrong type, none, extra ones, each attribute missing, each with every wrong
    value. `real`: values that mean something now, by the names of attributes.
    """
    known, _required = attributes(command)
    whole = plausible_arguments(command, real)
    yield from (None, [], "text", 7, True, {}, {**whole, "extra": {"deep": [1]}})
    for name in whole:
        yield {other: value for other, value in whole.items() if other != name}
    for name in known:
        yield from ({**whole, name: value} for value in wrong_values)
        for inside, wrap in _inside(known[name]):
            some: Json = whole[name] if name in whole else _plausible(known[name])
            inner: dict[str, Json] = some[0] if isinstance(some, list) else some
            for value in _WRONG_INSIDE:
                yield {**whole, name: wrap({**inner, inside: value})}


def plausible_arguments(command: str, real: Mapping[str, Json]) -> dict[str, Json]:
    """Every attribute that must be there or is in `real`, with a value of its type."""
    known, required = attributes(command)
    needed = [name for name in known if name in required or name in real]
    return {name: real.get(name, _plausible(known[name])) for name in needed}


def attributes(command: str) -> tuple[dict[str, Json], tuple[str, ...]]:
    """The attributes of the arguments with their schemas, and which of them must be there."""
    found: dict[str, Json] = {}
    required: list[str] = []
    spec = load_handlers().get(command)
    if spec is not None:
        found.update((wire_name(name), {}) for name in spec.arguments.model_fields)
    for part in _parts(_by_command().get(command, {})):
        found.update(part.get("properties", {}))
        required += part.get("required", [])
    return found, tuple(required)


@cache
def _by_command() -> dict[str, Json]:
    """The schema of the arguments of each request; {} for one without."""
    found: dict[str, Json] = {}
    for name, definition in schema()["definitions"].items():
        parts = definition.get("allOf", [])
        if name.endswith("Request") and len(parts) == 2:
            members = parts[1]["properties"]
            for command in members["command"].get("enum", ()):
                found[command] = members.get("arguments", {})
    return found


def _parts(described: Json) -> Iterator[Json]:
    """What a schema consists of, references followed."""
    if "$ref" in described:
        name = described["$ref"].removeprefix(_REFERENCE)
        yield from _parts(schema()["definitions"][name])
        return
    yield described
    for part in described.get("allOf", ()):
        yield from _parts(part)


def _inside(described: Json) -> Iterator[tuple[str, Callable[[Json], Json]]]:
    """The members of the object, or of the objects in the list, that an attribute takes."""
    for part in _parts(described):
        for name in part.get("properties", {}):
            yield name, lambda one: one
        if "items" in part:
            for name, wrap in _inside(part["items"]):
                yield name, lambda one, wrap=wrap: [wrap(one)]  # type: ignore[misc]


def _plausible(described: Json) -> Json:
    """A value of the type."""
    for part in _parts(described):
        if part.get("enum") or part.get("_enum"):
            return (part.get("enum") or part["_enum"])[0]
        kind = part.get("type")
        match kind[0] if isinstance(kind, list) else kind:
            case "integer" | "number":
                return 1
            case "boolean":
                return True
            case "array":
                return [_plausible(part.get("items", {}))]
            case "object":
                needed = part.get("required", ())
                return {name: _plausible(part["properties"][name]) for name in needed}
            case _:
                continue
    return "text"
