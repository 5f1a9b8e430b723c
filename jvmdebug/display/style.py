# SPDX-License-Identifier: Apache-2.0
"""How values are written. A style is passed down through the whole package; a session has one, and
a request may override it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import simple_name

if TYPE_CHECKING:
    from jvmdebug.display.renderers import Renderer

DEFAULT_MAX_LENGTH: Final = 200


@dataclass(frozen=True, slots=True)
class ValueStyle:
    """The defaults are for a line of a view."""

    max_length: int = DEFAULT_MAX_LENGTH
    """Longer texts are cut, in characters; `full_text` gives the whole."""
    hex: bool = False
    """Integers as `0x2a`, negative ones in two's complement of their type."""
    qualified_names: bool = False
    """`shop.Cart@1f` instead of `Cart@1f`."""
    renderers: tuple[Renderer, ...] = ()
    """Asked in this order, before the built-in texts and views."""

    def within(self, max_length: int) -> ValueStyle:
        """This style with another maximum length."""
        return replace(self, max_length=max_length)

    def class_name(self, name: str) -> str:
        """`Item` of `shop.Cart$Item`; `Cart$$Lambda` of the hidden `shop.Cart$$Lambda/0x1f`."""
        visible = name.partition("/")[0]
        if self.qualified_names:
            return visible
        return visible.rpartition(".")[2] if "$$" in visible else simple_name(name)
