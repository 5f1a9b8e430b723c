# SPDX-License-Identifier: Apache-2.0
"""Numbers and names of the checks in one VM, and of the formats of their records. Called by `probe`
and `call_records`.
"""

from __future__ import annotations

import secrets
from typing import Final

_MOST_PROBES: Final = 0xFFFF
_MOST_FORMATS: Final = 0x7FFFFFFF


class ProbeNumbers:
    """The numbers of the probes of one VM; a companion of it."""

    def __init__(self) -> None:
        # Begin anywhere: another session may have left probes in frames that still run.
        self._next = secrets.randbelow(_MOST_PROBES)
        self._last = self._next or _MOST_PROBES
        self._suffix = secrets.token_hex(4)
        self._next_format = secrets.randbelow(_MOST_FORMATS)

    def take(self) -> int:
        if self._next == self._last:  # all are taken, and their classes keep their names
            self._suffix = secrets.token_hex(4)
        self._next = self._next % _MOST_PROBES + 1
        return self._next

    def name(self, signature: str, number: int) -> str:
        """The name of a check's class, in the package of the class with this signature."""
        package = signature[1:-1].rpartition("/")[0]
        own = f"JvmdebugProbe_{self._suffix}_{number}"
        return f"{package}/{own}" if package else own

    def take_format(self) -> int:
        self._next_format = self._next_format % _MOST_FORMATS + 1
        return self._next_format

    async def close(self) -> None:
        """Nothing to do."""
