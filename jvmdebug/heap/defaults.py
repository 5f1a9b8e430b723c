# SPDX-License-Identifier: Apache-2.0
"""What allocations are watched with if the user says nothing: named by signatures of the session,
which are there before the rest is imported.
"""

from typing import Final

DEFAULT_INTERVAL: Final = 512 * 1024
"""Bytes between two samples, on average: what HotSpot has."""
