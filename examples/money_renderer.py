# SPDX-License-Identifier: Apache-2.0
"""A renderer: objects of `values.Main$Money` are shown as `12.50 EUR` instead of by their fields.

Its fields are `long cents` and `String currency`. To have it used by every front end, install it
with an entry point (see docs/how-to/renderers.md).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug import RenderedChild, RenderedObject


class MoneyRenderer:
    """Shows amounts of money."""

    type_names = ("values.Main$Money",)

    async def text(self, it: RenderedObject) -> str:
        cents, currency = await it.get("cents"), await it.get("currency")
        if not isinstance(cents, int):
            raise TypeError(f"cents are a number, not {cents!r}")
        return f"{cents / 100:.2f} {currency}"

    async def children(self, it: RenderedObject) -> Sequence[RenderedChild]:
        return [await it.child("currency"), await it.child("cents", name="in cents")]
