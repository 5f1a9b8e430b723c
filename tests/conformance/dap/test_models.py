# SPDX-License-Identifier: Apache-2.0
"""The message models match the official schema, and were not edited by hand."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jvmdebug_dap.models.base import wire_name
from jvmdebug_dap.requests import HOMES, load_handlers
from tests.support.dap_schema import schema
from tools import dap_capabilities
from tools.dap_models import (
    TARGET,
    additions,
    properties_of,
    render,
    schema_path,
    to_snake,
)


def property_names(part: Any) -> set[str]:
    """All names of properties below a part of the schema."""
    if isinstance(part, list):
        return set().union(*map(property_names, part))
    if not isinstance(part, dict):
        return set()
    own = part.get("properties")
    names = set(own) if isinstance(own, dict) else set()
    return names.union(*map(property_names, part.values()))


def test_every_name_on_the_wire_is_spelled_as_in_the_schema() -> None:
    names = property_names(schema()) - {"request_seq"}  # of the envelope, which has no model
    wrong = {name for name in names if wire_name(to_snake(name)) != name}
    assert wrong == set()


@pytest.mark.parametrize("name", sorted(render(schema()["definitions"])))
def test_generated_models_are_fresh(name: str) -> None:
    written = (TARGET / name).read_text(encoding="utf-8")
    assert render(schema()["definitions"])[name] == written, "run `python tools/dap_models.py`"


def test_the_written_capabilities_are_those_of_the_handlers() -> None:
    written = dap_capabilities.TARGET.read_text(encoding="utf-8")
    assert dap_capabilities.render() == written, "run `python -m tools.dap_capabilities`"


def test_the_modules_of_handlers_are_those_of_the_handlers() -> None:
    written = HOMES.read_text(encoding="utf-8")
    assert dap_capabilities.render_homes() == written, "run `python -m tools.dap_capabilities`"


def test_no_addition_has_become_unnecessary() -> None:
    """What debugpy's schema has by now is taken out of tools/dap_additions.json."""
    alone = json.loads(schema_path().read_text(encoding="utf-8"))
    more = additions()
    known = set(more["definitions"]) & set(alone["definitions"])
    for place, members in more["members"].items():
        known |= {f"{place}.{name}" for name in set(members) & set(properties_of(alone, place))}
    assert known == set()


def test_every_advertised_capability_is_in_the_schema() -> None:
    known = schema()["definitions"]["Capabilities"]["properties"]
    assert set(load_handlers().capabilities().to_wire()) <= set(known)


@pytest.mark.parametrize("spec", load_handlers().specs, ids=lambda spec: spec.command)
def test_optional_requests_are_advertised_as_capabilities(spec: Any) -> None:
    """A client sends these only when the capability is announced."""
    definitions = schema()["definitions"].values()
    for definition in definitions:
        parts = definition.get("allOf", [])
        if len(parts) != 2:
            continue
        words = parts[1].get("properties", {}).get("command", {}).get("enum", [])
        if spec.command in words:
            text = parts[1].get("description", "")
            claimed = load_handlers().capabilities().to_wire()
            flags = [flag for flag in claimed if f"`{flag}`" in text]
            if "only call this request if the corresponding capability" in text:
                assert flags, f"{spec.command} is served but its capability is not announced"
