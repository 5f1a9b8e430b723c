# SPDX-License-Identifier: Apache-2.0
"""Checks single messages against the official DAP schema.

The schema comes with debugpy, a test dependency; tools/dap_additions.json has what it lacks.
`problems` says what is wrong with a message; the DAP client of the tests asks it about every one.
"""

from __future__ import annotations

from functools import cache
from typing import Any

from jsonschema import Draft4Validator

from tools.dap_models import whole_schema

Json = Any


@cache
def schema() -> dict[str, Json]:
    """The whole schema."""
    return whole_schema()


@cache
def _by_word(kind: str, word: str) -> dict[str, str]:
    """`{"stopped": "StoppedEvent", ...}` for kind Event and word event; likewise requests."""
    found = {}
    for name, definition in schema()["definitions"].items():
        parts = definition.get("allOf", [])
        if name.endswith(kind) and len(parts) == 2:
            words = parts[1].get("properties", {}).get(word, {}).get("enum", [])
            found.update(dict.fromkeys(words, name))
    return found


def definition_of(message: dict[str, Json]) -> str | None:
    """The definition that judges the message; None for custom requests and events."""
    match message.get("type"):
        case "event":
            name = message.get("event", "")
            known = _by_word("Event", "event").get(name)
            return "Event" if known is None and name.startswith("jvmdebug/") else known
        case "request":
            return _by_word("Request", "command").get(message.get("command", ""))
        case "response" if message.get("success") is False:
            return "ErrorResponse"
        case "response":
            request = _by_word("Request", "command").get(message.get("command", ""))
            if request is None:
                return "Response"
            return request.removesuffix("Request") + "Response"
    return "ProtocolMessage"


@cache
def _validator(definition: str) -> Draft4Validator:
    return Draft4Validator({**schema(), "allOf": [{"$ref": f"#/definitions/{definition}"}]})


def problems(message: dict[str, Json]) -> list[str]:
    """What the schema has against the message; empty if nothing."""
    definition = definition_of(message)
    if definition is None:
        return [f"no event or request of this name: {message}"]
    return [
        f"{definition}: {'.'.join(map(str, error.absolute_path))}: {error.message}"
        for error in _validator(definition).iter_errors(message)
    ]
