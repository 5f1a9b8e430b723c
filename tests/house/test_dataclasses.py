# SPDX-License-Identifier: Apache-2.0
"""The dataclasses of the core are those of `jvmdebug.records`: a session imports some hundred, and
those of the standard library take more than half of the time of its start.
"""

from __future__ import annotations

import re
from pathlib import Path

import jvmdebug

CORE = Path(jvmdebug.__file__).parent
_OF_STANDARD_LIBRARY = re.compile(r"^from dataclasses import .*\bdataclass\b", re.MULTILINE)
_ALLOWED = {"records.py", "sources/class_lines.py"}  # it makes them; `order`


def test_the_core_has_its_own_dataclasses() -> None:
    found = {
        str(file.relative_to(CORE))
        for file in CORE.rglob("*.py")
        if _OF_STANDARD_LIBRARY.search(file.read_text(encoding="utf-8"))
    }
    assert found - _ALLOWED == set(), "write `from jvmdebug.records import dataclass`"
