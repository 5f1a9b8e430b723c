# SPDX-License-Identifier: Apache-2.0
"""Bytes to DAP messages and back, without I/O.

A message is a header section (`Content-Length: N`, blank line) and N bytes of JSON. A body that is
not a JSON object is returned as `Malformed` and the stream continues; after an invalid header the
next message cannot be found, so `feed` raises `FramingError` and the connection ends. The header of
HTTP is invalid too, though it may have a `Content-Length`: a web page can send that, to any port of
this machine. Called by the server, which passes the messages to the router.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmdebug_dap.models.base import Json

MAX_HEADER_BYTES: Final = 4096
MAX_BODY_BYTES: Final = 32 * 1024 * 1024
_END_OF_HEADER: Final = b"\r\n\r\n"
_FIELD: Final = re.compile(rb"([A-Za-z][A-Za-z0-9-]*)[ \t]*:(.*)")
_OF_HTTP: Final = frozenset({"host", "origin", "referer", "user-agent", "cookie", "upgrade"})
_REQUEST_LINE: Final = re.compile(rb"[A-Z]+ \S+ HTTP/|HTTP/\d")


class FramingError(Exception):
    """The byte stream is not DAP; the message says what was read and what is expected."""


@dataclass(frozen=True, slots=True)
class Malformed:
    """A message with an invalid body; the stream continues after it."""

    reason: str


Received: TypeAlias = "dict[str, Json] | Malformed"


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
        self.header: dict[str, str] = {}
        """The fields of the first header, by their names in lower case."""
        self.max_body_bytes = MAX_BODY_BYTES
        """The longest body accepted; may be changed between messages."""

    @property
    def is_mid_message(self) -> bool:
        """Whether a message has begun and is not complete."""
        return bool(self._buffer) or self._body_length is not None

    def feed(self, chunk: bytes) -> list[Received]:
        """The messages completed by `chunk`. Raises FramingError; not to be called again then."""
        return list(self.read(chunk))

    def read(self, chunk: bytes) -> Iterator[Received]:
        """The same, one by one: each message may change what is accepted after it."""
        self._buffer += chunk
        while True:
            if self._body_length is None:
                self._body_length = self._take_header()
            if self._body_length is None or len(self._buffer) < self._body_length:
                return
            body = bytes(self._buffer[: self._body_length])
            del self._buffer[: self._body_length]
            self._body_length = None
            yield _parse_body(body)

    def _take_header(self) -> int | None:
        """The announced body length, None while the header section is incomplete."""
        end = self._buffer.find(_END_OF_HEADER)
        if end < 0:
            if _REQUEST_LINE.match(self._buffer):
                raise _not_http()
            if len(self._buffer) > MAX_HEADER_BYTES or not _may_become_header(self._buffer):
                raise FramingError(
                    f"expected a `Content-Length: N` header of at most {MAX_HEADER_BYTES} bytes, "
                    f"got {bytes(self._buffer[:40])!r}"
                )
            return None
        header = bytes(self._buffer[:end])
        del self._buffer[: end + len(_END_OF_HEADER)]
        fields = _fields(header)
        if not self.header:
            self.header = fields
        return _content_length(header, fields, self.max_body_bytes)


def _may_become_header(start: bytes | bytearray) -> bool:
    """Whether this can be the beginning of a header: names and values are printable ASCII."""
    return all(0x20 <= byte < 0x7F or byte in b"\r\n\t" for byte in start[:MAX_HEADER_BYTES])


def _not_http() -> FramingError:
    return FramingError("this is HTTP, as web browsers speak it, and not DAP")


def _fields(header: bytes) -> dict[str, str]:
    """The fields by name. Raises FramingError for a line that is none, and for HTTP."""
    fields: dict[str, str] = {}
    for line in header.split(b"\r\n"):
        found = _FIELD.fullmatch(line)
        name = None if found is None else found[1].decode().lower()
        if _REQUEST_LINE.match(line) or name in _OF_HTTP or (name or "").startswith("sec-"):
            raise _not_http()
        if found is None or name is None:
            raise FramingError(f"a line of the header is not `Name: value`: {line[:80]!r}")
        fields[name] = found[2].decode("latin-1").strip()
    return fields


def _content_length(header: bytes, fields: dict[str, str], most: int) -> int:
    digits = fields.get("content-length")
    if digits is None:
        raise FramingError(f"the header has no Content-Length: {header[:80]!r}")
    if not (digits.isascii() and digits.isdigit()):
        raise FramingError(f"Content-Length should be a number of bytes, got {digits!r}")
    if len(digits) > 18 or int(digits) > most:
        raise FramingError(
            f"a message of {digits[:24]} bytes was announced, more than the {most}"
            " that are accepted"
        )
    return int(digits)


def _parse_body(body: bytes) -> Received:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError) as error:
        return Malformed(f"the message is not JSON: {error} (it starts {body[:40]!r})")
    if not isinstance(message, dict):
        return Malformed(f"a message should be a JSON object, got {type(message).__name__}")
    return message
