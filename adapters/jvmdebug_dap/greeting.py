# SPDX-License-Identifier: Apache-2.0
"""The answer to the first `initialize` on standard input, before the rest of the adapter is there.

An editor waits for it at each start of a program, and says what to start when it has it: models and
handlers are imported meanwhile. The router gets the message too, and the channel leaves its answer
out; whatever is not a plain `initialize` waits for the router. Called by `stdio`.

Handlers declare capabilities; `python -m tools.dap_capabilities` writes them to the file that is
read here, and a test compares.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from jvmdebug_dap.framing import FramingError, MessageDecoder, encode

if TYPE_CHECKING:
    import asyncio

    from jvmdebug_dap.framing import Received

CHUNK_BYTES: Final = 64 * 1024
_EXCEPTIONS: Final = "JVMDEBUG_EXCEPTIONS"
"""The variable with the filters that are ticked at first: `caught,uncaught`."""
_CAPABILITIES: Final = Path(__file__).with_name("capabilities.json")
_TEXTS: Final = ("clientID", "clientName", "locale")
_OTHERS: Final = frozenset({"adapterID", "pathFormat", *_TEXTS})


@dataclass(frozen=True, slots=True)
class Greeting:
    """What was read from the client before its connection is served."""

    received: bytes = b""
    answered: int | None = None
    """The number of the request that has been answered."""


NO_GREETING: Final = Greeting()


async def greet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> Greeting:
    """Read up to the first message, and answer it if it is a plain `initialize`."""
    decoder, received = MessageDecoder(), b""
    while chunk := await reader.read(CHUNK_BYTES):
        received += chunk
        try:
            messages = decoder.feed(chunk)
        except FramingError:
            break  # the connection, which reads it again, says so
        if messages and (answer := _answer(messages[0])) is not None:
            writer.write(encode(answer))
            return Greeting(received, answer["request_seq"])
        if messages:
            break
    return Greeting(received)


def _answer(message: Received) -> dict[str, Any] | None:
    """The response; None if the router has to look at the request."""
    if not isinstance(message, dict) or message.get("type") != "request":
        return None
    seq, arguments = message.get("seq"), message.get("arguments")
    if type(seq) is not int or message.get("command") != "initialize":
        return None
    if not isinstance(arguments, dict) or not _is_plain(arguments):
        return None
    return {
        "seq": 1,
        "type": "response",
        "request_seq": seq,
        "success": True,
        "command": "initialize",
        "body": capabilities(arguments.get("clientID")),
    }


def _is_plain(arguments: dict[str, Any]) -> bool:
    """Whether the router would take them too."""
    return (
        isinstance(arguments.get("adapterID"), str)
        and arguments.get("pathFormat") in (None, "path", "uri")
        and all(isinstance(arguments.get(name), str | None) for name in _TEXTS)
        and all(isinstance(value, bool) for name, value in arguments.items() if name not in _OTHERS)
    )


def capabilities(client_id: str | None) -> dict[str, Any]:
    """What a client is told that the adapter can do."""
    found: dict[str, Any] = json.loads(_CAPABILITIES.read_bytes())
    if client_id == "dape":
        # Emacs kills the adapter 0.1 s after the answer to `terminate`, with a warning, while the
        # program may still be ending. Without that capability dape sends `disconnect`.
        del found["supportsTerminateRequest"]
    chosen = os.environ.get(_EXCEPTIONS)
    if chosen is not None:
        for each in found["exceptionBreakpointFilters"]:
            each["default"] = each["filter"] in chosen.split(",")
    return found
