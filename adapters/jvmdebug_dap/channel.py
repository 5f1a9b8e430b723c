# SPDX-License-Identifier: Apache-2.0
"""The messages to one client: numbers them, sends them, pairs responses with requests.

Owns the sequence numbers and the requests that we send (runInTerminal). Does not interpret
messages; the router, the handlers and the event pump do.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from jvmdebug import several_lines
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.framing import encode
from jvmdebug_dap.labels import safe
from jvmdebug_dap.models.generated.types import Message

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug_dap.models.base import Json, Model

_MANY: Final = 2000


async def safe_form(body: Model | None) -> Json:
    """The body of an answer as it is sent. A long list is converted beside what else is served."""
    if body is None:
        return None
    if len(getattr(body, "threads", None) or ()) > _MANY:
        return await asyncio.to_thread(lambda: safe(body.to_wire()))
    return safe(body.to_wire())


class Channel:
    """Messages to one client.

    `write` takes the bytes of whole messages and must not block; `drain` waits while the client
    reads more slowly than we write. `answered`: the request that was answered before, by the first
    message; its answer is not sent again.
    """

    def __init__(
        self,
        write: Callable[[bytes], None],
        drain: Callable[[], Awaitable[None]],
        *,
        answered: int | None = None,
    ) -> None:
        self._write = write
        self.drain = drain
        self._answered = answered
        self._seq = 0 if answered is None else 1
        self._asked: dict[int, asyncio.Future[dict[str, Json]]] = {}
        self._is_open = True

    def _send(self, message: dict[str, Json]) -> int:
        self._seq += 1
        if self._is_open:
            self._write(encode({"seq": self._seq, **message}))
        return self._seq

    def send_event(self, name: str, body: Model | None = None) -> None:
        message: dict[str, Json] = {"type": "event", "event": name}
        if body is not None:
            message["body"] = safe(body.to_wire())
        self._send(message)

    def send_body(self, request_seq: int, command: str, body: Json) -> None:
        """Answer a request with success; `body` is its `safe_form`."""
        if request_seq == self._answered:
            self._answered = None
            return
        message: dict[str, Json] = {
            "type": "response",
            "request_seq": request_seq,
            "success": True,
            "command": command,
        }
        if body is not None:
            message["body"] = body
        self._send(message)

    def send_error(self, request_seq: int, command: str, error: RequestError) -> None:
        """Answer a request with failure."""
        text = several_lines(str(error))
        message = Message(id=error.error_id, format=text, show_user=error.show_user)
        cancelled = error.error_id is ErrorId.CANCELLED
        self._send(
            {
                "type": "response",
                "request_seq": request_seq,
                "success": False,
                "command": command,
                "message": "cancelled" if cancelled else text,
                "body": {"error": message.to_wire()},
            }
        )

    async def ask(self, command: str, arguments: Model) -> dict[str, Json]:
        """Send a request to the client; the body of its answer. RequestError if it refuses."""
        if not self._is_open:
            raise RequestError(ErrorId.NOT_POSSIBLE, f"{command}: the client is gone")
        answer: asyncio.Future[dict[str, Json]] = asyncio.get_running_loop().create_future()
        seq = self._send(
            {"type": "request", "command": command, "arguments": arguments.to_wire()},
        )
        self._asked[seq] = answer
        try:
            response = await answer
        finally:
            self._asked.pop(seq, None)
        if response.get("success") is not True:
            reason = response.get("message") or "no reason given"
            raise RequestError(ErrorId.NOT_POSSIBLE, f"the client refused {command}: {reason}")
        body = response.get("body")
        return body if isinstance(body, dict) else {}

    def take_response(self, message: dict[str, Json]) -> bool:
        """Pass a response to the request that is waiting for it; False if there is none."""
        seq = message.get("request_seq")
        answer = self._asked.get(seq) if isinstance(seq, int) else None
        if answer is None or answer.done():
            return False
        answer.set_result(message)
        return True

    def close(self) -> None:
        """Send nothing any more and fail the requests that are waiting for a response."""
        self._is_open = False
        for answer in self._asked.values():
            if not answer.done():
                answer.set_exception(
                    RequestError(ErrorId.NOT_POSSIBLE, "the client closed the connection")
                )
