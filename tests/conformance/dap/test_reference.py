# SPDX-License-Identifier: Apache-2.0
"""docs/reference/dap.md lists all requests, attributes and error ids."""

from __future__ import annotations

import re
from pathlib import Path

import jvmdebug_dap
from jvmdebug_dap.errors import ErrorId
from jvmdebug_dap.models.base import wire_name
from jvmdebug_dap.models.launch import AttachArguments, LaunchArguments
from jvmdebug_dap.requests import load_handlers
from tests.support.dap_schema import schema

ADAPTER = Path(jvmdebug_dap.__file__).parent
REFERENCE = Path(__file__).parents[3] / "docs" / "reference" / "dap.md"


def test_every_request_is_documented() -> None:
    named = set(re.findall(r"`([\w/]+)`", REFERENCE.read_text(encoding="utf-8")))
    assert {spec.command for spec in load_handlers().specs} <= named


def test_every_request_and_event_of_the_protocol_is_mentioned() -> None:
    """Served or not: the reference says so."""
    named = set(re.findall(r"`([\w/]+)`", REFERENCE.read_text(encoding="utf-8")))
    definitions = schema()["definitions"]
    known = set()
    for kind, word in (("Request", "command"), ("Event", "event")):
        for name, definition in definitions.items():
            if name.endswith(kind) and len(definition.get("allOf", [])) == 2:
                known |= set(definition["allOf"][1]["properties"][word].get("enum", ()))
    assert known - named == set()


def test_every_event_that_is_sent_is_documented() -> None:
    text = REFERENCE.read_text(encoding="utf-8").partition("## Events")[2].partition("### ")[0]
    named = set(re.findall(r"`([\w/]+)`", text))
    sent = set()
    for file in ADAPTER.rglob("*.py"):
        source = file.read_text(encoding="utf-8")
        sent |= set(re.findall(r'send_event\(\s*"([\w/]+)"', source))
        pairs = r'\(\s*"([\w/]+)", (?:body|None|events\.|thread\(|redefined)'
        sent |= set(re.findall(pairs, source))
    assert {"stopped", "memory", "jvmdebug/classesRedefined"} <= sent
    assert sent <= named


def test_every_attribute_is_documented() -> None:
    named = set(re.findall(r"`(\w+)`", REFERENCE.read_text(encoding="utf-8")))
    fields = {**LaunchArguments.model_fields, **AttachArguments.model_fields}
    assert {wire_name(name) for name in fields} - {"__restart"} <= named


def test_every_error_id_is_documented() -> None:
    rows = re.findall(r"^\| (\d{4}) \|", REFERENCE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {int(row) for row in rows} == set(ErrorId)
