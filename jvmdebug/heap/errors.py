# SPDX-License-Identifier: Apache-2.0
"""What goes wrong with heap dumps."""

from jvmdebug.errors import JvmDebugError


class HeapError(JvmDebugError):
    """A heap dump cannot be read or written, or has not what was asked for."""
