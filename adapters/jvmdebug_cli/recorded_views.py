# SPDX-License-Identifier: Apache-2.0
"""How the prompt and `jvmdebug replay` show what a recording has of values."""

from __future__ import annotations

from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_cli.rows import Rows

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.recording import Write


def writes_table(found: Iterable[Write]) -> Rows:
    """Writes as a table, each in one row: texts and names of threads are the program's."""
    rows = [
        [jvmdebug.one_line(cell) for cell in (each.text, each.where, each.moment.thread.name)]
        for each in found
    ]
    return Rows(("value", "written in", "thread"), rows)
