# SPDX-License-Identifier: Apache-2.0
"""The debuggee's standard streams as text, and the agent's own line taken out of them.

Sans I/O: bytes in, text out; the agent's line says where to connect and is not the program's
output. Called by `debuggee_process`.
"""

from __future__ import annotations

import codecs
import re

_LISTENING = re.compile(
    rb"^Listening for transport dt_socket at address: (?:\S*:)?(\d+)[ \t]*\r?\n", re.MULTILINE
)
_LISTENING_START = b"Listening for transport "


class StreamDecoder:
    """Decodes one stream piece by piece; a character cut in two waits for its second half."""

    def __init__(self, encoding: str) -> None:
        self._decoder = codecs.getincrementaldecoder(encoding)(errors="replace")

    def decode(self, data: bytes, *, final: bool = False) -> str:
        """The text of `data`; the undecodable becomes U+FFFD."""
        return self._decoder.decode(data, final)


class ListeningLine:
    """Waits for the agent's line in standard output and removes it."""

    def __init__(self) -> None:
        self._held = b""
        self.port: int | None = None

    def filter(self, data: bytes, *, final: bool = False) -> bytes:
        """The part of `data` that is the program's output.

        Before the line has come, an unfinished line that could be the agent's is held back.
        """
        if self.port is not None:
            return data
        self._held += data
        found = _LISTENING.search(self._held)
        if found is not None:
            self.port = int(found.group(1))
            passed = self._held[: found.start()] + self._held[found.end() :]
            self._held = b""
            return passed
        keep_from = len(self._held) if final else self._start_of_candidate()
        passed, self._held = self._held[:keep_from], self._held[keep_from:]
        return passed

    def _start_of_candidate(self) -> int:
        """Where the last, unfinished line starts if it may become the agent's."""
        start = self._held.rfind(b"\n") + 1
        line = self._held[start:]
        may_be = _LISTENING_START.startswith(line) or line.startswith(_LISTENING_START)
        return start if may_be else len(self._held)
