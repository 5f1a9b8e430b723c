# SPDX-License-Identifier: Apache-2.0
"""Sharing a session: the owner's side. A UNIX socket of the user, on which others join.

Owns who is in and in which role, and that the guests are told of each other and of the end. What a
guest asks for is `host`'s, which is loaded when the first one comes.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from jvmdebug import rendezvous
from jvmdebug.errors import LaunchError, WireError
from jvmdebug.jdwp.peer import process_of, user_of
from jvmdebug.platform.system import has_unix_sockets, user_id
from jvmdebug.session.events import GuestChanged
from jvmdebug.session.session import program_of

if TYPE_CHECKING:
    from jvmdebug.joining.host import Host
    from jvmdebug.session.events import GuestKind, GuestRole
    from jvmdebug.session.session import Session

_LOG = logging.getLogger(__name__)
VERSION: Final = 1
"""Of what is said on the socket; guests and owner are of one version."""
_KINDS: Final = ("prompt", "editor", "assistant", "script")
_HELLO_S: Final = 5.0

Assistants: TypeAlias = Literal["off", "read-only", "debug"]


@dataclass(frozen=True, slots=True)
class Guest:
    """One who has joined a session."""

    name: str
    kind: GuestKind
    role: GuestRole


class Shared:
    """A session that others can join; made by `share`."""

    def __init__(
        self, session: Session, owner: str, program: str | None, assistants: Assistants
    ) -> None:
        self.session = session
        self.assistants: Assistants = assistants
        """Whether coding assistants are let in, and in which role. May be changed; those that are
        in keep theirs.
        """
        self.name = ""
        """What it is called in `jvmdebug join NAME`."""
        self._kind = owner
        self._owner = f"{owner} (process {os.getpid()})"
        self._program = program
        self._hosts: dict[str, Host] = {}
        self._stack = contextlib.ExitStack()
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def guests(self) -> tuple[Guest, ...]:
        """The guests who are in now, in the order in which they came."""
        return tuple(Guest(each.name, each.kind, each.role) for each in self._hosts.values())

    def __repr__(self) -> str:
        return f"Shared({self.name}, {len(self._hosts)} guests)"

    async def _open(self, name: str | None) -> None:
        """Let others join. LaunchError if no socket can be had."""
        wanted = rendezvous.fitting_name(name or self._program or self.session.name)
        listener, place = await asyncio.to_thread(
            self._stack.enter_context, rendezvous.listening(wanted)
        )
        self.name = place.name
        listener.setblocking(False)  # noqa: FBT003 - the socket module's way
        self._server = await asyncio.start_unix_server(self._came, sock=listener)

    async def close(self) -> None:
        """Let nobody join any more, and tell those who are in that the session has ended."""
        server, self._server = self._server, None
        if server is None:
            return
        server.close()
        self._stack.close()
        code = self.session.exit_code
        said = "" if code is None else f"; the program has ended with exit code {code}"
        bye = f"the session {self.name} has ended: its owner, the {self._owner}, has left it{said}"
        for each in self._hosts.values():
            each.send({"bye": bye})
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # A connection

    async def _came(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await self._serve(reader, writer)
        except (WireError, KeyError, ValueError, TypeError) as error:
            _LOG.warning("a guest of %s speaks another protocol: %s", self.name, error)
        except (OSError, EOFError, TimeoutError, asyncio.CancelledError):
            pass  # it is gone, or the session is closed
        finally:
            self._tasks.discard(task)
            writer.close()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        from jvmdebug.joining import values  # noqa: PLC0415 - when the first one comes

        connected = writer.get_extra_info("socket")
        # Where the system does not tell, folder and socket are the user's alone all the same.
        if user_of(connected) not in {None, user_id()}:
            return
        pid = process_of(connected)
        hello = await asyncio.wait_for(values.read(reader), _HELLO_S)
        if hello.get("ask") == "what":
            writer.write(values.packed(self._described()))
            await writer.drain()
            return
        if (key := hello.get("key")) is not None:
            await self._serve_at_once(str(key), reader, writer)
            return
        refusal = self._refusal(hello)
        if refusal is not None:
            writer.write(values.packed({"refused": refusal}))
            await writer.drain()
            return
        await self._serve_guest(hello, pid or int(hello["pid"]), reader, writer)

    def _refusal(self, hello: dict[str, Any]) -> str | None:
        if hello.get("version") != VERSION:
            return f"the session {self.name} is of another version of jvmdebug"
        if hello.get("kind") not in _KINDS:
            return "it does not say what it is"
        if hello["kind"] == "assistant" and self.assistants == "off":
            return (
                f"the session {self.name} of the {self._owner} lets no assistant in: in VS Code,"
                " run the command `Let an Assistant Join This Session`"
            )
        return None

    def _described(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "program": self._program or self.session.name,
            "owner": self._kind,
            "pid": os.getpid(),
            "program_pid": self.session.pid,
            "state": str(self.session.state),
            "guests": [each.name for each in self._hosts.values()],
        }

    async def _serve_guest(
        self,
        hello: dict[str, Any],
        pid: int,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        from jvmdebug.joining import host, values  # noqa: PLC0415 - when the first one comes

        kind: GuestKind = hello["kind"]
        role: GuestRole = "read-only" if hello.get("role") == "read-only" else "debug"
        if kind == "assistant" and self.assistants == "read-only":
            role = "read-only"
        name = self._free_name(f"{kind} (process {pid})")
        made = host.Host(self.session, self._owner, writer, name=name, kind=kind, role=role)
        program = program_of(self.session)
        program.services.feed.post(GuestChanged(name, kind, role, is_in=True))
        self._hosts[made.key] = made
        program.services.feed.guests.add(name)
        made.send({"welcome": made.welcome(self._program or self.session.name)})
        try:
            while True:
                made.take(await values.read(reader))
        finally:
            del self._hosts[made.key]
            program.services.feed.guests.discard(name)
            program.services.stops.forget_guest(name)
            await made.leave()
            program.services.feed.post(GuestChanged(name, kind, made.role, is_in=False))

    def _free_name(self, wanted: str) -> str:
        taken = {each.name for each in self._hosts.values()}
        name, number = wanted, 1
        while name in taken:
            number += 1
            name = f"{wanted[:-1]}, {number})"
        return name

    async def _serve_at_once(
        self, key: str, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        from jvmdebug.joining import values  # noqa: PLC0415 - when the first one comes

        made = self._hosts.get(key)
        if made is None:
            return
        while True:
            writer.write(values.packed(made.at_once(await values.read(reader))))
            await writer.drain()


async def share(
    session: Session,
    name: str | None = None,
    *,
    owner: GuestKind = "script",
    program: str | None = None,
    assistants: Assistants = "debug",
) -> Shared:
    """Let others of this user join the session, until it is closed: `jvmdebug join NAME`, another
    editor, an assistant, a script. Prompts, editors and assistants share theirs by themselves.

    `name`: what it is called; default: the program's name, with a number if that is taken. `owner`:
    what this front end is, as others are told. `program`: the name of the program as they are told
    it. `assistants`: whether coding assistants are let in, and in which role. LaunchError if it
    cannot be shared: on a system without UNIX sockets, and for a session that was joined itself.
    """
    if not has_unix_sockets():
        raise LaunchError("sessions cannot be shared on this system: it has no UNIX sockets")
    if os.environ.get("JVMDEBUG_JOIN") == "off":
        raise LaunchError("sessions are not shared: JVMDEBUG_JOIN is off")
    if session.owner is not None:
        raise LaunchError(f"this session is the {session.owner}'s, who shares it")
    made = Shared(session, owner, program, assistants)
    await made._open(name)  # noqa: SLF001 - of this module
    program_of(session).services.feed.closers.append(made.close)
    return made
