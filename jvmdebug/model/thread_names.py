# SPDX-License-Identifier: Apache-2.0
"""What a thread is called where people read it.

Owns the text for a thread without a name, as most virtual threads are: what `Thread.toString()`
begins with on new JDKs. Our agent gives names in this form (native/agent/jvm/thread_name.cpp).
"""

from __future__ import annotations

from jvmdebug.printable import one_line


def shown_name(name: str, number: int, *, is_virtual: bool) -> str:
    """The name in one line; `VirtualThread[#29]` or `Thread[#29]` for a thread without a name.

    `number` is what `Thread.threadId()` returns.
    """
    return one_line(name) or f"{'VirtualThread' if is_virtual else 'Thread'}[#{number}]"


def name_of_ended(thread_id: int) -> str:
    """`thread 1005`, by the debugger's id: for a thread that ended before its name was read."""
    return f"thread {thread_id}"
