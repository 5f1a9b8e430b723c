# SPDX-License-Identifier: Apache-2.0
"""Writes adapters/jvmdebug_dap/capabilities.json: what the handlers of the adapter declare.

The adapter answers `initialize` with it before they are imported. Run without arguments to write;
`tests/conformance/dap/test_models.py` calls `render` and compares.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final

import jvmdebug_dap
from jvmdebug_dap.requests import load_handlers

TARGET: Final = Path(jvmdebug_dap.__file__).with_name("capabilities.json")


def render() -> str:
    return json.dumps(load_handlers().capabilities().to_wire(), indent=1) + "\n"


if __name__ == "__main__":
    TARGET.write_text(render(), encoding="utf-8")
    print(f"wrote {TARGET}")
