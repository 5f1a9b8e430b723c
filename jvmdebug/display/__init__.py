# SPDX-License-Identifier: Apache-2.0
"""How values are shown: one line for each, and what is inside, page by page.

Reads the debuggee, in few round trips, and never runs code in it. Knows no front end. Called by
the session.
"""

from jvmdebug.display.children import Child, child_count, children, is_indexed
from jvmdebug.display.rendering import (
    DEFAULT_MAX_LENGTH,
    full_text,
    render,
    render_all,
    type_name,
)

__all__ = [
    "DEFAULT_MAX_LENGTH",
    "Child",
    "child_count",
    "children",
    "full_text",
    "is_indexed",
    "render",
    "render_all",
    "type_name",
]
