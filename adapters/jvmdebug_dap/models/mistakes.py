# SPDX-License-Identifier: Apache-2.0
"""What is wrong with the arguments of a request, in words: where, what is asked for, what is there.

`models` calls it with the error of msgspec, which names Python's types and no value. Imported only
when there is a mistake.
"""

import re
from typing import Final

import msgspec
from msgspec import inspect

from jvmdebug_dap.models.base import Json, Model

_PLACE: Final = re.compile(r" - at `(?:key` in `)?\$(?P<path>[^`]*)`$")
_STEP: Final = re.compile(r"\.(?P<name>[^.\[]+)|\[(?P<index>\d+)\]")
_MISSING: Final = re.compile(r"Object missing required field `(?P<name>[^`]+)`")
_EXPECTED: Final = re.compile(
    r"Expected `(?P<types>[^`]+)`(?P<limit>.*?)(?:, got `(?P<got>\w+)`)?$"
)
_TYPES: Final = {
    "int": "an integer",
    "float": "a number",
    "str": "a string",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
}
_SOME_KEY: Final = "[...]"
"""How msgspec writes a step into a dictionary."""
_MAX_SHOWN: Final = 60


def explained(model: type[Model], given: dict[str, Json], error: msgspec.ValidationError) -> str:
    """`arguments.breakpoints[1].line: should be an integer, got None`."""
    text = str(error)
    place = _PLACE.search(text)
    path = "" if place is None else place["path"]
    what = text if place is None else text[: place.start()]
    if missing := _MISSING.match(what):
        return f"arguments{path}.{missing['name']}: is missing"
    expected = _EXPECTED.match(what)
    if path.endswith(_SOME_KEY) and expected is not None:
        path = path.removesuffix(_SOME_KEY)
        found = _at(given, _steps(path)).items()
        path += next((f".{key}" for key, value in found if _kind(value) == expected["got"]), "")
    steps = _steps(path)
    if what.startswith("Invalid enum value"):
        what = f"should be one of {', '.join(_words(model, steps))}"
    elif expected is not None:
        types = (each for each in expected["types"].split(" | ") if each != "null")
        kinds = " or ".join(_TYPES.get(each, each) for each in types)
        what = f"should be {kinds}{expected['limit']}"
    return f"arguments{path}: {what}{_shown(_at(given, steps)) if steps else ''}"


def _steps(path: str) -> list[str | int]:
    return [step["name"] or int(step["index"]) for step in _STEP.finditer(path)]


def _at(given: Json, steps: list[str | int]) -> Json:
    for step in steps:
        given = given[step]
    return given


def _kind(value: Json) -> str:
    """What msgspec calls its type."""
    name = type(value).__name__
    return {"list": "array", "dict": "object", "NoneType": "null"}.get(name, name)


def _shown(value: Json) -> str:
    text = repr(value)
    return f", got {text if len(text) <= _MAX_SHOWN else text[:_MAX_SHOWN] + '...'}"


def _words(model: type[Model], steps: list[str | int]) -> list[str]:
    """The words that are accepted there."""
    kinds: list[inspect.Type] = [inspect.type_info(model)]
    for step in steps:
        kinds = [inner for kind in kinds for inner in _within(kind, step)]
    return [
        str(word) for kind in kinds if isinstance(kind, inspect.LiteralType) for word in kind.values
    ]


def _within(kind: inspect.Type, step: str | int) -> list[inspect.Type]:
    if isinstance(kind, inspect.StructType):
        found = [field.type for field in kind.fields if field.encode_name == step]
    elif isinstance(kind, inspect.ListType):
        found = [kind.item_type]
    else:
        found = []
    return [each for one in found for each in _alternatives(one)]


def _alternatives(kind: inspect.Type) -> tuple[inspect.Type, ...]:
    return kind.types if isinstance(kind, inspect.UnionType) else (kind,)
