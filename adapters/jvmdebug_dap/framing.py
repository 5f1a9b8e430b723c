# SPDX-License-Identifier: Apache-2.0
"""Bytes to DAP messages and back, without I/O.

A message is a header section (`Content-Length: N`, blank line) and N bytes of JSON. A body that is
not a JSON object is returned as `Malformed` and the stream continues; after an invalid header the
next message cannot be found, so `feed` raises `FramingError` and the connection ends. Called by the
server, which passes the messages to the router.
"""

import json
from dataclasses import dataclass
from typing import Final

from jvmdebug_dap.models.base import Json

MAX_HEADER_BYTES: Final = 4096
MAX_BODY_BYTES: Final = 32 * 1024 * 1024
_END_OF_HEADER: Final = b"\r\n\r\n"


class FramingError(Exception):
    """The byte stream is not DAP; the message says what was read and what is expected."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """A message with an invalid body; the stream continues after it."""

    reason: str


Received = dict[str, Json] | Malformed


def encode(message: dict[str, Json]) -> bytes:
    """The bytes of one message. Lone surrogates (Java strings have them) become U+FFFD."""
    text = json.dumps(message, ensure_ascii=False, separators=(",", ":"))
    try:
        body = text.encode()
    except UnicodeEncodeError:
        body = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace").encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class MessageDecoder:
    """Collects bytes and returns whole messages."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._body_length: int | None = None

    @property
    def is_mid_message(self) -> bool:
        """Whether a message has begun and is not complete."""
        return bool(self._buffer) or self._body_length is not None

    def feed(self, chunk: bytes) -> list[Received]:
        """The messages completed by `chunk`. Raises FramingError; not to be called again then."""
        self._buffer += chunk
        messages: list[Received] = []
        while True:
            if self._body_length is None:
                self._body_length = self._take_header()
            if self._body_length is None or len(self._buffer) < self._body_length:
                return messages
            body = bytes(self._buffer[: self._body_length])
            del self._buffer[: self._body_length]
            self._body_length = None
            messages.append(_parse_body(body))

    def _take_header(self) -> int | None:
        """The announced body length, None while the header section is incomplete."""
        end = self._buffer.find(_END_OF_HEADER)
        if end < 0:
            if len(self._buffer) > MAX_HEADER_BYTES or not _may_become_header(self._buffer):
                raise FramingError(
                    f"expected a `Content-Length: N` header of at most {MAX_HEADER_BYTES} bytes, "
                    f"got {bytes(self._buffer[:40])!r}"
                )
            return None
        header = bytes(self._buffer[:end])
        del self._buffer[: end + len(_END_OF_HEADER)]
        return _content_length(header)


def _may_become_header(start: bytes | bytearray) -> bool:
    """Whether this can be the beginning of a header: names and values are printable ASCII."""
    return all(0x20 <= byte < 0x7F or byte in b"\r\n\t" for byte in start[:MAX_HEADER_BYTES])


def _content_length(header: bytes) -> int:
    for line in header.split(b"\r\n"):
        name, colon, value = line.partition(b":")
        if colon and name.strip().lower() == b"content-length":
            digits = value.strip()
            if not digits.isdigit():
                raise FramingError(f"Content-Length should be a number of bytes, got {value!r}")
            if len(digits) > 18 or int(digits) > MAX_BODY_BYTES:
                raise FramingError(
                    f"a message of {digits.decode()[:24]} bytes was announced, "
                    f"more than the {MAX_BODY_BYTES} that are accepted"
                )
            return int(digits)
    raise FramingError(f"the header has no Content-Length: {header[:80]!r}")


def _parse_body(body: bytes) -> Received:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        return Malformed(f"the message is not JSON: {error} (it starts {body[:40]!r})")
    if not isinstance(message, dict):
        return Malformed(f"a message should be a JSON object, got {type(message).__name__}")
    return message
