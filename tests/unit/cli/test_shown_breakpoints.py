# SPDX-License-Identifier: Apache-2.0
"""What the prompt says of breakpoints by itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, cast

from jvmdebug_cli.shell import Shell


@dataclass(frozen=True)
class Stub:
    """A breakpoint, as far as the prompt shows it on one line."""

    id: int = 1
    spec: str = "Cart.java:42"
    locations: tuple[str, ...] = ()
    message: str | None = None
    enabled: bool = True
    is_pending: bool = True


class Lines:
    """A console."""

    is_interactive = False

    def __init__(self) -> None:
        self.lines: list[str] = []

    def write(self, line: str) -> None:
        self.lines.append(line)


def test_a_breakpoint_is_shown_again_only_when_something_is_new() -> None:
    """The program asks its condition now, say: that is in `breakpoints`."""
    console = Lines()
    shell = Shell(cast("Any", object()), cast("Any", console))
    pending = Stub()
    shell.show_breakpoint(cast("Any", pending))
    placed = replace(pending, locations=("Cart.add(Cart.java:42)",))
    for changed in (placed, placed, replace(placed, id=2)):
        shell.show_breakpoint(cast("Any", changed), again=False)
    shell.show_breakpoint(cast("Any", placed))  # a command asks
    assert console.lines == [
        "Breakpoint 1: Cart.java:42 -> pending, no class loaded that matches",
        "Breakpoint 1: Cart.java:42 -> Cart.add(Cart.java:42)",
        "Breakpoint 2: Cart.java:42 -> Cart.add(Cart.java:42)",
        "Breakpoint 1: Cart.java:42 -> Cart.add(Cart.java:42)",
    ]
