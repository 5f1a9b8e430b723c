# SPDX-License-Identifier: Apache-2.0
"""What goes wrong with coverage."""

from __future__ import annotations

from jvmdebug.errors import JvmDebugError


class CoverageError(JvmDebugError):
    """Coverage cannot be recorded, read or written; the message is one sentence."""
