# SPDX-License-Identifier: Apache-2.0
"""When what was impossible is tried again. Called by `probing`."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jvmdebug.jdwp.ids import RequestId

_EVERY_S: Final = 0.5


class Retries:
    """The last try for each request."""

    def __init__(self) -> None:
        self._tried: dict[RequestId, float] = {}

    def is_due(self, request_id: RequestId) -> bool:
        """Whether it may be tried again now; that counts as a try."""
        now = time.monotonic()
        if now < self._tried.get(request_id, -math.inf) + _EVERY_S:
            return False
        self._tried[request_id] = now
        return True

    def forget(self, request_id: RequestId) -> None:
        """The request is gone."""
        self._tried.pop(request_id, None)
