# SPDX-License-Identifier: Apache-2.0
"""A local variable of one frame: a slot of the method's variable table that is visible there."""

from __future__ import annotations

from dataclasses import dataclass

from jvmdebug.classfile.descriptors import java_name


@dataclass(frozen=True, slots=True)
class LocalVariable:
    """A variable in scope. Without debug information the name is `arg0`, … and `is_inferred`
    true.
    """

    name: str
    signature: str
    """Descriptor of the declared type."""
    generic: str | None
    slot: int
    is_argument: bool
    is_inferred: bool = False
    """Known from the method's descriptor only: the slot may hold something else by now."""
    start: int = 0
    """The code index where its range begins."""

    @property
    def type_name(self) -> str:
        """Java name of the declared type."""
        return java_name(self.signature)

    def __str__(self) -> str:
        return self.name
