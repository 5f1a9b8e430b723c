# SPDX-License-Identifier: Apache-2.0
"""A DAP client for tests: sends requests, records all messages in order, waits for events.

Every message received is judged by the official schema at once. Nothing here sleeps: `event` waits
for the next event of a name that no earlier call took. Runs over stdio, TCP, or inside the test.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from jvmdebug_dap.server import serve_connection
from tests.support.dap_schema import problems

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable, Callable

    from tests.support.debuggees import Debuggee

Json = Any
Body = dict[str, Any]
TIMEOUT_S = 30.0
_ADAPTER_TASKS = {"dap events", "dap messages", "dap end", "debuggee", "terminate"}
REPOSITORY = Path(__file__).resolve().parents[2]


class Refused(Exception):  # noqa: N818 - what the adapter did
    """An error response."""

    def __init__(self, response: Body) -> None:
        super().__init__(f"{response.get('command')}: {response.get('message')}")
        self.response = response
        self.error: Body = response.get("body", {}).get("error", {})


@dataclass
class DapClient:
    """One connection to an adapter."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    timeline: list[Body] = field(default_factory=list)
    """Every message from the adapter, in order."""
    conversation: list[Body] = field(default_factory=list)
    """Every message of both sides, in order."""
    on_request: Callable[[Body], Awaitable[Body]] | None = None
    """Answers reverse requests with a body; without it they are refused."""

    to_initialize: Body = field(default_factory=dict)
    """Goes with every `initialize`: the token of a server."""
    is_judged: bool = True
    """Whether messages are checked against the schema, which takes long for very large ones."""

    answered: set[int] = field(default_factory=set)
    """The requests, by their seq, whose responses have come."""

    _seq: int = 0
    _all_taken_before: int = 0
    _taken: set[int] = field(default_factory=set)
    _news: asyncio.Condition = field(default_factory=asyncio.Condition)
    _is_closed: bool = False
    _broken: list[str] = field(default_factory=list)
    _reading: asyncio.Task[None] | None = None
    _answering: set[asyncio.Task[None]] = field(default_factory=set)

    async def __aenter__(self) -> Self:
        self._reading = asyncio.create_task(self._read())
        return self

    async def __aexit__(self, *_exc: object) -> None:
        self.writer.close()
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
        with contextlib.suppress(ConnectionError):
            await self.writer.wait_closed()
        assert self._broken == [], f"messages against the schema: {self._broken}"

    # sending

    def send_bytes(self, content: bytes) -> None:
        self.writer.write(content)

    def send(self, message: Json) -> None:
        """Any JSON with a header, well-formed as DAP or not."""
        body = json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def begin(self, command: str, arguments: Json = None) -> int:
        """Send a request without waiting; its seq, for `response`."""
        self._seq += 1
        message = {"seq": self._seq, "type": "request", "command": command}
        if arguments is not None:
            message["arguments"] = arguments
        self.conversation.append(message)
        self.send(message)
        return self._seq

    async def request(self, command: str, arguments: Json = None) -> Body:
        """The body of the answer ({} if it has none); Refused for an error."""
        return await self.response(self.begin(command, arguments))

    # receiving

    async def response(self, seq: int) -> Body:
        """The body of the answer to the request `seq`; Refused for an error."""
        answer = await self.answer(seq)
        if not answer["success"]:
            raise Refused(answer)
        body: Body = answer.get("body", {})
        return body

    async def answer(self, seq: int) -> Body:
        """The whole response to the request `seq`, success or not."""
        return await self.message(
            lambda each: each["type"] == "response" and each["request_seq"] == seq,
            f"the response to request {seq}",
        )

    async def event(self, name: str, **expected: Json) -> Body:
        """The body of the next event `name` (with these values) that was not taken before."""

        def fits(message: Body) -> bool:
            body = message.get("body", {})
            return message.get("event") == name and all(
                body.get(key) == value for key, value in expected.items()
            )

        body: Body = (await self.message(fits, f"event {name} {expected}")).get("body", {})
        return body

    async def message(self, fits: Callable[[Body], bool], what: str) -> Body:
        """The first message not taken before that `fits`, now or later, and take it."""

        def find() -> int | None:
            while self._all_taken_before in self._taken:
                self._all_taken_before += 1
            for place in range(self._all_taken_before, len(self.timeline)):
                if place not in self._taken and fits(self.timeline[place]):
                    return place
            return None

        async def wait() -> int:
            async with self._news:
                while (place := find()) is None:
                    if self._is_closed:
                        raise ConnectionError(f"closed while waiting for {what}: {self.names()}")
                    await self._news.wait()
                return place

        try:
            place = await asyncio.wait_for(wait(), TIMEOUT_S)
        except TimeoutError:
            raise TimeoutError(f"no {what} within {TIMEOUT_S} s: {self.names()}") from None
        self._taken.add(place)
        return self.timeline[place]

    async def closed(self) -> None:
        """Wait until the adapter closes the connection."""
        await self.until(lambda: self._is_closed)

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until that is so after some message, or now."""

        async def wait() -> None:
            async with self._news:
                await self._news.wait_for(holds)

        await asyncio.wait_for(wait(), TIMEOUT_S)

    def names(self) -> list[str]:
        """The timeline in words: `event stopped`, `response next`, `refused next`."""
        words = []
        for each in self.timeline:
            kind = each["type"]
            if kind == "response" and not each["success"]:
                kind = "refused"
            words.append(f"{kind} {each.get('event') or each.get('command')}")
        return words

    def bodies(self, event: str) -> list[Body]:
        """The bodies of all events of that name so far."""
        return [each.get("body", {}) for each in self.timeline if each.get("event") == event]

    def output(self, category: str) -> str:
        """All that came as output of the category so far."""
        return "".join(
            each["output"] for each in self.bodies("output") if each.get("category") == category
        )

    async def _read(self) -> None:
        try:
            while True:
                header = await self.reader.readuntil(b"\r\n\r\n")
                length = int(header.split(b":")[1])
                await self._take(json.loads(await self.reader.readexactly(length)))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            self._is_closed = True
            async with self._news:
                self._news.notify_all()

    async def _take(self, message: Body) -> None:
        self._broken += problems(message) if self.is_judged else []
        async with self._news:
            self.timeline.append(message)
            self.conversation.append(message)
            if message["type"] == "response":
                self.answered.add(message["request_seq"])
            self._news.notify_all()
        if message["type"] == "request":
            task = asyncio.create_task(self._answer(message))
            self._answering.add(task)
            task.add_done_callback(self._answering.discard)

    async def _answer(self, request: Body) -> None:
        answer: Body = {
            "type": "response",
            "request_seq": request["seq"],
            "command": request["command"],
            "success": self.on_request is not None,
        }
        if self.on_request is not None:
            answer["body"] = await self.on_request(request)
        else:
            answer["message"] = "this client has no terminal"
        self._seq += 1
        self.send({"seq": self._seq, **answer})

    # the usual conversations

    async def initialize(self, **arguments: Json) -> Body:
        """`initialize` as an editor sends it; the capabilities."""
        asked = {"adapterID": "jvmdebug", **self.to_initialize, **arguments}
        return await self.request("initialize", asked)

    async def begin_debugging(self, command: str, **attributes: Json) -> int:
        """initialize and `launch` or `attach`; returns at `initialized`, ready to configure."""
        await self.initialize()
        seq = self.begin(command, attributes)
        ready = asyncio.create_task(self.event("initialized"))
        refused = asyncio.create_task(self.response(seq))
        done, pending = await asyncio.wait({ready, refused}, return_when="FIRST_COMPLETED")
        for task in pending:
            task.cancel()
        await asyncio.gather(ready, refused, return_exceptions=True)
        for task in done:
            task.result()
        return seq

    async def configured(self, started: int) -> None:
        """`configurationDone`, and the answer to launch or attach."""
        await self.request("configurationDone")
        await self.response(started)

    async def run(self, **attributes: Json) -> None:
        """initialize, launch `shop.Main` unless said otherwise, and configurationDone."""
        launched = await self.begin_debugging("launch", **{"mainClass": "shop.Main", **attributes})
        await self.configured(launched)

    async def run_to(self, program: Debuggee, marker: str, started: Body, **more: Json) -> Body:
        """Launch with one breakpoint at the marker and wait for it; the top frame.

        `more` goes with the breakpoint (condition, hitCondition). The frame has its `threadId`.
        """
        launched = await self.begin_debugging("launch", **started)
        path, line = program.marked(marker)
        await self.set_lines(path, {"line": line, **more})
        await self.configured(launched)
        stop = await self.event("stopped", reason="breakpoint")
        assert stop["allThreadsStopped"] is True
        frame, *_rest = await self.top_frames(stop["threadId"])
        assert frame["line"] == line
        assert frame["source"]["path"] == str(path)
        return {**frame, "threadId": stop["threadId"]}

    async def set_lines(self, path: Path, *lines: int | Body) -> list[Body]:
        """`setBreakpoints` at lines, or at `{"line": 3, "condition": ...}`; the answers."""
        asked = [{"line": each} if isinstance(each, int) else each for each in lines]
        body = await self.request(
            "setBreakpoints", {"source": {"path": str(path)}, "breakpoints": asked}
        )
        placed: list[Body] = body["breakpoints"]
        return placed

    async def top_frames(self, thread_id: int, levels: int = 20) -> list[Body]:
        body = await self.request("stackTrace", {"threadId": thread_id, "levels": levels})
        frames: list[Body] = body["stackFrames"]
        return frames

    async def locals_of(self, frame: Body) -> dict[str, Body]:
        """The variables of the frame's first scope by name."""
        scopes = (await self.request("scopes", {"frameId": frame["id"]}))["scopes"]
        return await self.children(scopes[0]["variablesReference"])

    async def children(self, reference: int, **page: Json) -> dict[str, Body]:
        body = await self.request("variables", {"variablesReference": reference, **page})
        return {each["name"]: each for each in body["variables"]}


@contextlib.asynccontextmanager
async def tcp_client(host: str, port: int, token: str = "") -> AsyncIterator[DapClient]:
    """A client of a server that listens, with its token if it has one."""
    reader, writer = await asyncio.open_connection(host, port)
    async with DapClient(reader, writer) as client:
        if token:
            client.to_initialize = {"token": token}
        yield client


@contextlib.asynccontextmanager
async def local_client() -> AsyncIterator[DapClient]:
    """A client of an adapter inside the test; nothing of the adapter may be left afterwards."""
    connections: set[asyncio.Task[None]] = set()
    of_others = asyncio.all_tasks()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        connections.add(task)
        with contextlib.suppress(asyncio.CancelledError):
            await serve_connection(reader, writer)

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()[:2]
    try:
        async with tcp_client(host, port) as connected:
            yield connected
        await asyncio.wait_for(asyncio.gather(*connections), TIMEOUT_S)
        left = {task.get_name() for task in asyncio.all_tasks() - of_others} & _ADAPTER_TASKS
        assert not left, f"the adapter left tasks behind: {left}"
    finally:
        server.close()
        await server.wait_closed()


def adapter_environment(**more: str) -> dict[str, str]:
    """The environment of an adapter process that runs this source tree."""
    paths = [str(REPOSITORY), str(REPOSITORY / "adapters")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths), **more}


async def adapter_process(*arguments: str, **environment: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "jvmdebug_dap", *arguments),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        env=adapter_environment(**environment),
    )


async def end_process(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.terminate()
    try:
        await asyncio.wait_for(process.wait(), TIMEOUT_S)
    except TimeoutError:
        process.kill()
        await process.wait()
        raise


@contextlib.asynccontextmanager
async def stdio_client() -> AsyncIterator[DapClient]:
    """A client of an adapter process of its own, over its standard streams."""
    async with stdio_adapter() as (client, _process):
        yield client


@contextlib.asynccontextmanager
async def stdio_adapter(
    *arguments: str,
    **environment: str,
) -> AsyncIterator[tuple[DapClient, asyncio.subprocess.Process]]:
    """The same, and the process of the adapter, which may be killed."""
    process = await adapter_process(*arguments, **environment)
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        async with DapClient(process.stdout, process.stdin) as client:
            yield client, process
    finally:
        await end_process(process)
