# SPDX-License-Identifier: Apache-2.0
"""Writes what the handlers of the adapter declare: capabilities.json, with which it answers
`initialize` before they are imported, and handlers.json: which module of `handlers` serves what.

Run without arguments to write;
`tests/conformance/dap/test_models.py` calls `render` and compares.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import jvmdebug_dap
from jvmdebug_dap.requests import HOMES, load_handlers

TARGET: Final = Path(jvmdebug_dap.__file__).with_name("capabilities.json")


def render() -> str:
    return json.dumps(load_handlers().capabilities().to_wire(), indent=1) + "\n"


def render_homes() -> str:
    homes = {each.command: each.handler.__module__ for each in load_handlers().specs}
    found = {command: homes[command].rpartition(".")[2] for command in sorted(homes)}
    return json.dumps(found, indent=1) + "\n"


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
    HOMES.write_text(render_homes(), encoding="utf-8")
    print(f"wrote {TARGET} and {HOMES}")
