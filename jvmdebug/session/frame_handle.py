# SPDX-License-Identifier: Apache-2.0
"""A stack frame as the public API shows it; belongs to a Stop and is refused after it."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmdebug.session.stop import Stop
    from jvmdebug.session.thread_handle import ThreadHandle
    from jvmdebug.session.variable import Variable
    from jvmdebug.sources import SourceFile


class FrameHandle:
    """One frame of a suspended thread. `str(frame)` is `location`."""

    stop: Stop
    thread: ThreadHandle
    depth: int
    """0 is the topmost."""
    type_name: str
    """`shop.Cart$Item`"""
    method_name: str
    """`add`, `<init>`, `lambda$main$0`"""
    line: int | None
    """1-based; None without line table and in native methods."""
    index: int
    """The code index in the method; -1 in a native method."""
    is_native: bool
    source_name: str | None
    """`Cart.java`; None without the attribute."""
    source_path: str | None
    """`shop/Cart.java`: the package as directories and `source_name`."""

    @property
    def location(self) -> str:
        """`shop.Cart.add(Cart.java:42)`, as a stack trace prints it."""
        raise NotImplementedError

    @property
    def function(self) -> str:
        """`Cart.add(Item, int)`: what a call stack view shows."""
        raise NotImplementedError

    async def source(self) -> SourceFile | None:
        """The source file as found on the source path, in sources jars or in the JDK's src.zip."""
        raise NotImplementedError

    async def variables(self) -> list[Variable]:
        """Arguments and locals in scope, in slot order, their values in one round trip."""
        raise NotImplementedError

    async def this(self) -> Variable | None:
        """The receiver; None in static and native methods."""
        raise NotImplementedError

    async def get(self, name: str) -> Variable:
        """The variable `name` (or `this`); EvaluationError if there is none."""
        raise NotImplementedError

    async def set(self, name: str, text: str) -> Variable:
        """Assign the value of the expression `text` to the variable, field or element `name`."""
        raise NotImplementedError

    async def evaluate(self, text: str, *, deadline_s: float | None = None) -> Variable:
        """The value of a Java expression in this frame; its `name` is `text`.

        Raises EvaluationError (DebuggeeException if the program's own code threw).
        """
        raise NotImplementedError

    @property
    def can_pop(self) -> bool:
        """Whether `stop.pop_frame(frame)` can work: neither native nor the outermost."""
        raise NotImplementedError
