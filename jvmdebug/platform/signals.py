# SPDX-License-Identifier: Apache-2.0
"""Signals on the event loop. Windows has no handlers of the loop, but those of the process."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from typing import TYPE_CHECKING, Final

from jvmdebug.platform import system

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

INTERRUPT: Final = (signal.SIGINT,)
"""Ctrl-C."""
END: Final = (signal.SIGINT, signal.SIGTERM)
"""What asks a program to end."""


@contextlib.contextmanager
def handled(numbers: Sequence[int], action: Callable[[], object]) -> Iterator[Callable[[], None]]:
    """Calls `action` on the running event loop for each of these signals, instead of what was done
    before. Gives a function that ends that earlier than the context does.
    """
    loop = asyncio.get_running_loop()
    previous = {number: signal.getsignal(number) for number in numbers}

    def on_loop(_number: int, _frame: object) -> None:
        loop.call_soon_threadsafe(action)

    def undo() -> None:
        while previous:
            number, before = previous.popitem()
            if not system.is_windows():
                loop.remove_signal_handler(number)
            signal.signal(number, signal.SIG_DFL if before is None else before)

    for number in numbers:
        if system.is_windows():
            signal.signal(number, on_loop)
        else:
            loop.add_signal_handler(number, action)
    try:
        yield undo
    finally:
        undo()
