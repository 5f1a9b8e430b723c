# SPDX-License-Identifier: Apache-2.0
"""The Java release that a class file needs, by its first bytes (JVMS 4.1)."""

from __future__ import annotations

from typing import Final

MAGIC: Final = 0xCAFEBABE
HEAD_SIZE: Final = 8
"""Bytes of a class file that tell its release."""
BEFORE_JAVA: Final = 44
"""The major version of class files of Java N is that much more than N: 52 is Java 8."""


def release_of(head: bytes) -> int | None:
    """The release; None if the bytes do not begin a class file."""
    is_class = len(head) >= HEAD_SIZE and int.from_bytes(head[:4]) == MAGIC
    return int.from_bytes(head[6:HEAD_SIZE]) - BEFORE_JAVA if is_class else None
