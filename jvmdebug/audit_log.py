# SPDX-License-Identifier: Apache-2.0
"""The log of what others did through a server of ours: a line of JSON for each event.

Appended, and readable by this user only. Callers see to it that no token is in it.
"""

from __future__ import annotations

import json
import logging
import os
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

from jvmdebug.platform.files import flags

if TYPE_CHECKING:
    from pathlib import Path

_LOG = logging.getLogger(__name__)

Noted: TypeAlias = "str | int | float | bool | list[Noted] | dict[str, Noted] | None"


class AuditLog:
    """One line of JSON for each event: time, peer, what."""

    def __init__(self, path: Path) -> None:
        descriptor = os.open(path, flags("O_WRONLY", "O_CREAT", "O_APPEND", "O_CLOEXEC"), 0o600)
        self._file = os.fdopen(descriptor, "a", encoding="utf-8", buffering=1)

    def write(self, peer: str, event: str, **details: Noted) -> None:
        """Note an event; a log that cannot be written ends no session."""
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        try:
            self._file.write(
                json.dumps({"time": now, "peer": peer, "event": event, **details}) + "\n"
            )
        except OSError:
            _LOG.exception("cannot write the audit log")

    def close(self) -> None:
        self._file.close()
