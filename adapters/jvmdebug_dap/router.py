# SPDX-License-Identifier: Apache-2.0
"""Takes a received message to its response, the same way for every request.

Parses the arguments (an error names the JSON path), checks the state table, runs the handler in
its lane, maps exceptions, and always responds, to unknown, malformed and cancelled requests too.
The handlers do the rest.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from typing import TYPE_CHECKING, Final

from pydantic import ValidationError

from jvmdebug.errors import JvmDebugError
from jvmdebug_dap.channel import safe_form
from jvmdebug_dap.convert.errors import request_error
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.framing import Malformed
from jvmdebug_dap.lanes import LaneQueue
from jvmdebug_dap.mistakes import explained
from jvmdebug_dap.models.base import wire_name
from jvmdebug_dap.progress import reporting
from jvmdebug_dap.requests import Later
from jvmdebug_dap.states import PROGRAM_ENDED, State

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug_dap.framing import Received
    from jvmdebug_dap.lanes import Ticket
    from jvmdebug_dap.models.base import Json, Model
    from jvmdebug_dap.requests import Registry, RequestSpec
    from jvmdebug_dap.session import AdapterSession

_LOG = logging.getLogger(__name__)
_OWN: Final = "jvmdebug/"
_NO_SEQ: Final = 2**31 - 1
"""The `request_seq` of a response to a message without `seq`; no client counts that far."""


class Router:
    """Serves the requests of one connection."""

    def __init__(self, session: AdapterSession, registry: Registry) -> None:
        self._session = session
        self._channel = session.channel
        self._registry = registry
        self._lanes = LaneQueue()
        self._running: set[asyncio.Task[None]] = set()
        session.cancel_request = self.cancel
        session.give_up_requests = self.give_up
        self._cancellable: dict[int, tuple[RequestSpec, asyncio.Task[None]]] = {}

    def receive(self, message: Received) -> None:
        """Accept one message; returns at once, the response follows."""
        if isinstance(message, Malformed):
            self._refuse(_NO_SEQ, "", RequestError(ErrorId.ILL_FORMED, message.reason))
            return
        kind = message.get("type")
        if kind == "request":
            self._receive_request(message)
        elif kind == "response":
            if not self._channel.take_response(message):
                seq = message.get("request_seq")
                _LOG.warning("a response to request %s that was never sent", seq)
        else:
            text = f"message.type: should be 'request' or 'response', got {kind!r}"
            self._refuse(_seq_of(message), "", RequestError(ErrorId.ILL_FORMED, text))

    async def close(self) -> None:
        """Cancel everything that is still being served."""
        for task in self._running:
            task.cancel()
        await asyncio.gather(*self._running, return_exceptions=True)

    def cancel(self, seq: int) -> None:
        """Cancel the request `seq`; does nothing if it has been answered."""
        found = self._cancellable.get(seq)
        if found is None:
            return
        spec, task = found
        if not spec.is_cancellable:
            raise RequestError(
                ErrorId.NOT_POSSIBLE,
                f"`{spec.command}` cannot be cancelled once it has begun: it changes the program",
            )
        task.cancel()

    def give_up(self) -> None:
        """Cancel all requests that only inspect, because the session ends: a client may have asked
        for the stacks of thousands of threads, and each would still ask the VM.
        """
        for spec, task in list(self._cancellable.values()):
            if spec.is_cancellable:
                task.cancel()

    def _receive_request(self, message: dict[str, Json]) -> None:
        seq, command = message.get("seq"), message.get("command")
        if not isinstance(seq, int) or isinstance(seq, bool):
            text = f"message.seq: should be an integer, got {seq!r}"
            name = command if isinstance(command, str) else ""
            self._refuse(_NO_SEQ, name, RequestError(ErrorId.ILL_FORMED, text))
            return
        if not isinstance(command, str):
            text = f"message.command: should be a string, got {command!r}"
            self._refuse(seq, "", RequestError(ErrorId.ILL_FORMED, text))
            return
        spec = self._registry.get(command)
        if spec is None:
            text = f"unknown request `{command}`"
            self._refuse(seq, command, RequestError(ErrorId.UNKNOWN_REQUEST, text))
            return
        try:
            arguments = parse_arguments(spec.arguments, message.get("arguments"))
            if command.startswith(_OWN):
                _refuse_unknown(spec.arguments, message.get("arguments") or {})
        except RequestError as error:
            self._refuse(seq, command, error)
            return
        self._start(seq, spec, arguments)

    def _start(self, seq: int, spec: RequestSpec, arguments: Model) -> None:
        ticket = self._lanes.take(spec.lane)
        task = asyncio.create_task(
            self._serve(seq, spec, arguments, ticket), name=f"dap {spec.command} {seq}"
        )
        self._running.add(task)
        self._cancellable[seq] = (spec, task)

        def finished(done: asyncio.Task[None]) -> None:
            ticket.leave()
            self._running.discard(done)
            self._cancellable.pop(seq, None)
            if done.cancelled():
                text = f"`{spec.command}` was cancelled"
                self._refuse(seq, spec.command, RequestError(ErrorId.CANCELLED, text))

        task.add_done_callback(finished)

    async def _serve(self, seq: int, spec: RequestSpec, arguments: Model, ticket: Ticket) -> None:
        holding = self._session.pump.holding() if spec.holds_events else contextlib.nullcontext()
        async with ticket:
            with holding:
                try:
                    answer = await self._call(seq, spec, arguments)
                    if isinstance(answer, Later):
                        ticket.leave()
                        answer = await answer.answer
                except Exception as error:  # noqa: BLE001 - the loop top: every request is answered
                    refused = request_error(error, spec.command)
                    self._refuse(seq, spec.command, refused)
                    if refused.error_id is ErrorId.FULL_MODE:
                        self._session.offer_full_mode(str(refused))
                else:
                    self._channel.send_body(seq, spec.command, await safe_form(answer))

    async def _call(self, seq: int, spec: RequestSpec, arguments: Model) -> Model | Later | None:
        refusal = self._session.state.refusal(spec.when)
        if refusal is not None:
            if spec.at_end is not None and self._session.state.current is State.ENDED:
                return _answer_at_end(spec.at_end(arguments), self._session.state.end)
            raise RequestError(ErrorId.WRONG_STATE, f"`{spec.command}`: {refusal}")
        try:
            with reporting(self._session, seq, spec, arguments):
                return await spec.handler(self._session, arguments)
        except (JvmDebugError, RequestError) as error:
            why = self._session.end_of_program(error)
            if why is None:
                raise
            if spec.at_end is not None:
                return _answer_at_end(spec.at_end(arguments), why)
            raise RequestError(ErrorId.ENDED, f"`{spec.command}`: {why}") from error

    def refuse(self, message: Received, reason: str) -> None:
        """Answer the first message of a client that is not admitted."""
        sent = message if isinstance(message, dict) else {}
        command = sent.get("command")
        error = RequestError(ErrorId.NOT_ADMITTED, reason, show_user=True)
        self._refuse(_seq_of(sent), command if isinstance(command, str) else "", error)

    def _refuse(self, seq: int, command: str, error: RequestError) -> None:
        self._channel.send_error(seq, command, error)


def _answer_at_end(body: Model | None, why: str) -> Model | None:
    """The answer when there is no program any more; its breakpoints say why."""
    asked = getattr(body, "breakpoints", None)
    if body is None or not asked or why == PROGRAM_ENDED:
        return body
    told = [each.model_copy(update={"message": why}) for each in asked]
    return body.model_copy(update={"breakpoints": told})


def _seq_of(message: dict[str, Json]) -> int:
    seq = message.get("seq")
    return seq if isinstance(seq, int) and not isinstance(seq, bool) else _NO_SEQ


def parse_arguments(model: type[Model], arguments: Json) -> Model:
    """The arguments of a request. Raises RequestError with the path of the mistake."""
    given = {} if arguments is None else arguments
    if not isinstance(given, dict):
        text = f"arguments: should be an object, got {type(given).__name__}"
        raise RequestError(ErrorId.ILL_FORMED, text)
    try:
        return model.model_validate(given, by_alias=True, by_name=False)
    except ValidationError as error:
        raise RequestError(ErrorId.ILL_FORMED, explained(error)) from error


def _refuse_unknown(model: type[Model], given: Iterable[str]) -> None:
    """Raise RequestError for the first attribute that a request of our own does not have.

    Those of the protocol may have more in a later version of it; ours would only be mistyped.
    """
    known = sorted(wire_name(name) for name in model.model_fields)
    unknown = sorted(set(given).difference(known))
    if unknown:
        which = f"only {', '.join(f'`{each}`' for each in known)}" if known else "it has none"
        text = f"arguments.{unknown[0]}: there is no such attribute, {which}"
        raise RequestError(ErrorId.ILL_FORMED, text)
