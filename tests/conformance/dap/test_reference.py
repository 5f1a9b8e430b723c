# SPDX-License-Identifier: Apache-2.0
"""docs/reference/dap.md names what there is: requests, attributes, error ids."""

from __future__ import annotations

import re
from pathlib import Path

from jvmdebug_dap.errors import ErrorId
from jvmdebug_dap.models.base import wire_name
from jvmdebug_dap.models.launch import AttachArguments, LaunchArguments
from jvmdebug_dap.requests import load_handlers

REFERENCE = Path(__file__).parents[3] / "docs" / "reference" / "dap.md"


def test_every_request_is_documented() -> None:
    named = set(re.findall(r"`([\w/]+)`", REFERENCE.read_text(encoding="utf-8")))
    assert {spec.command for spec in load_handlers().specs} <= named


def test_every_attribute_is_documented() -> None:
    named = set(re.findall(r"`(\w+)`", REFERENCE.read_text(encoding="utf-8")))
    fields = {**LaunchArguments.model_fields, **AttachArguments.model_fields}
    assert {wire_name(name) for name in fields} - {"__restart"} <= named


def test_every_error_id_is_documented() -> None:
    rows = re.findall(r"^\| (\d{4}) \|", REFERENCE.read_text(encoding="utf-8"), re.MULTILINE)
    assert {int(row) for row in rows} == set(ErrorId)
