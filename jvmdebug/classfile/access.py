# SPDX-License-Identifier: Apache-2.0
"""Access flags of types, methods and fields (JVMS 4.1, 4.5, 4.6)."""

from __future__ import annotations

from typing import Final


class Access:
    """The flags; some bits mean different things on methods and on fields.

    Plain numbers: each stop tests hundreds of them, and a flag of `enum` takes a microsecond.
    """

    PUBLIC: Final = 0x0001
    PRIVATE: Final = 0x0002
    PROTECTED: Final = 0x0004
    STATIC: Final = 0x0008
    FINAL: Final = 0x0010
    SYNCHRONIZED: Final = 0x0020
    VOLATILE: Final = 0x0040
    BRIDGE: Final = 0x0040
    TRANSIENT: Final = 0x0080
    VARARGS: Final = 0x0080
    NATIVE: Final = 0x0100
    INTERFACE: Final = 0x0200
    ABSTRACT: Final = 0x0400
    SYNTHETIC: Final = 0x1000
    ANNOTATION: Final = 0x2000
    ENUM: Final = 0x4000
