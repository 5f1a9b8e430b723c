# SPDX-License-Identifier: Apache-2.0
"""The error of profiling: what cannot be sampled or written."""

from jvmdebug.errors import JvmDebugError


class ProfileError(JvmDebugError):
    """A profile cannot be made or written; the message says why."""
