# SPDX-License-Identifier: Apache-2.0
"""A value on one line, as Java would write it: `42`, `"abc"`, `Cart@1f {total=3}`.

No code runs in the debuggee: what is not known structurally is shown by type, id and a few fields.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.model.values import Value

DEFAULT_MAX_LENGTH: Final = 200


async def render(value: Value, *, max_length: int = DEFAULT_MAX_LENGTH) -> str:
    """One line of at most `max_length` characters; what was cut ends in `…`."""
    raise NotImplementedError


async def render_all(values: Sequence[Value], *, max_length: int = DEFAULT_MAX_LENGTH) -> list[str]:
    """`render` for many values, their requests sent together."""
    raise NotImplementedError


async def full_text(value: Value) -> str:
    """What copying the value gives: a string's whole text, unquoted; else the line uncut."""
    raise NotImplementedError


async def type_name(value: Value) -> str:
    """The Java name of the value's own type: `int`, `java.util.ArrayList`, `a.B$C[]`."""
    raise NotImplementedError
