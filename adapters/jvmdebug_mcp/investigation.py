# SPDX-License-Identifier: Apache-2.0
"""One investigation: the program that is debugged, and what is remembered of it between calls.

Owns the session, the stop points' logs, the program's output, the watchdog, and the list of all
questions and answers for the report. One call of a tool at a time. Made by `serving`.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING, Any, Final, Self

import jvmdebug
from jvmdebug_mcp.answers import limited

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Awaitable

    from jvmdebug.coverage import CoverageRecording

_KEPT_LINES: Final = 2000
_KEPT_NOTICES: Final = 20
_KEPT_CALLS: Final = 500


class Investigation:
    """A session at most; `async with` ends it, with everything resumed."""

    def __init__(self, *, read_only: bool = False, watchdog_s: float | None = 120.0) -> None:
        self.read_only = read_only
        self.watchdog_s = watchdog_s
        self.output: deque[str] = deque(maxlen=_KEPT_LINES)
        """What the program wrote, line by line, not shown yet."""
        self.logged: deque[str] = deque(maxlen=_KEPT_LINES)
        """What stop points with a message logged, not shown yet."""
        self.tested: deque[str] = deque(maxlen=_KEPT_LINES)
        """What has become of tests, not shown yet."""
        self.notices: list[str] = []
        """What happened without being asked for, to be told with the next answer."""
        self.seen: dict[tuple[str, str], str] = {}
        """Function and variable → text at the last stop that was shown."""
        self.recording: CoverageRecording | None = None
        """Of what runs, if it is recorded."""
        self._session: jvmdebug.Session | None = None
        self._turn = asyncio.Lock()
        self._watchdog: asyncio.Task[None] | None = None
        self._transcript: deque[tuple[str, str, str]] = deque(maxlen=_KEPT_CALLS)
        self._began = time.time()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *error: object) -> None:
        await self.close()

    # The session

    @property
    def session(self) -> jvmdebug.Session:
        """The open session; StateError if there is none."""
        if self._session is None:
            raise jvmdebug.StateError("no program is debugged: call `launch` or `attach` first")
        return self._session

    async def open(self, opening: Awaitable[jvmdebug.Session]) -> jvmdebug.Session:
        """End the session that there is, and begin another."""
        await self.close()
        session = await opening
        for kept in (self.output, self.logged, self.tested, self.notices):
            kept.clear()
        if self.read_only:
            session.forbid_changes()
        if session.owner is None:  # the settings of one that was joined are its owner's
            session.settings.log_messages_per_second = _KEPT_LINES
            with suppress(jvmdebug.LaunchError):
                await jvmdebug.share(session, owner="assistant")
        self._session = session
        session.subscribe(lambda event: self._note(session, event))
        return session

    def ended(self, session: jvmdebug.Session) -> str:
        """What is said of a program that has ended, or of a session that was joined."""
        if session.owner is not None and session.exit_code is None:
            name = jvmdebug.one_line(session.name)
            return f"the session of {name} that was joined, the {session.owner}'s, has ended"
        code = session.exit_code
        with_code = "" if code is None else f" with exit code {code}"
        return f"the program {jvmdebug.one_line(session.name)} has ended{with_code}"

    def explained(self, error: Exception) -> str:
        """The text of an error; once the program has ended, that it has, and what can be done."""
        session = self._session
        is_over = session is not None and session.state is jvmdebug.SessionState.ENDED
        if session is None or not is_over:
            return str(error)
        return (
            f"{self.ended(session)}: `launch` starts it again, `output`, `stop_points` and `report`"
            f" have what is known of it ({error})"
        )

    async def close(self, *, ends_program: bool = True) -> None:
        """End the session: a launched program ends with it, an attached one goes on."""
        self._stop_watching()
        session, self._session = self._session, None
        recording, self.recording = self.recording, None
        self.seen.clear()
        if recording is not None:
            with suppress(jvmdebug.JvmDebugError):
                await recording.stop()
        if session is not None:
            with suppress(jvmdebug.JvmDebugError):
                if not ends_program:
                    await session.detach()
            await session.close()

    def _note(self, session: jvmdebug.Session, event: jvmdebug.SessionEvent) -> None:
        if session is not self._session:
            return
        match event:
            case jvmdebug.Output():
                self.output.extend(event.text.splitlines())
            case jvmdebug.BreakpointLogged():
                at = f"[{event.breakpoint.id}] {event.source_path}:{event.line}"
                self.logged.append(f"{at} {event.thread.name}: {event.text}")
            case jvmdebug.GuestChanged(guest=who, is_in=is_in):
                self._notice(f"the {who} has {'joined' if is_in else 'left'} this session")
            case jvmdebug.Continued(by=str(who)):
                self._notice(f"the {who} has resumed the program")
            case jvmdebug.BreakpointChanged(breakpoint=it, change=change, by=str(who)):
                what = {"new": "set", "changed": "changed", "removed": "removed"}[change]
                self._notice(f"the {who} has {what} stop point {it.id}: {it.spec}")
            case jvmdebug.Ended(message=str(message)):
                self._notice(message)
            case jvmdebug.projects.TestEvent(event="finished"):
                if event.kind in ("method", "call") or event.status == "failed":
                    self.tested.append(_outcome(event))

    def _notice(self, text: str) -> None:
        """Something to be told with the next answer; of very many, the last."""
        self.notices.append(jvmdebug.one_line(text, None))
        del self.notices[:-_KEPT_NOTICES]

    # Calls of tools

    @asynccontextmanager
    async def call(self, tool: str, arguments: dict[str, Any]) -> AsyncIterator[Call]:
        """One call: others wait, and the watchdog sleeps."""
        async with self._turn:
            self._stop_watching()
            call = Call()
            try:
                yield call
            except jvmdebug.JvmDebugError as error:
                call.answer = f"error: {self.explained(error)}"
                raise
            finally:
                given = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
                self._transcript.append((tool, given, call.answer))
                self._watch()

    def finished(self, text: str) -> str:
        """An answer with the notices that wait, within its budget."""
        notices = "".join(f"note: {each}\n" for each in self.notices)
        self.notices.clear()
        return limited(notices + text)

    def report(self) -> str:
        """All calls and answers as Markdown."""
        name = "no program" if self._session is None else self._session.name
        began = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(self._began))
        lines = [f"# Investigation of {jvmdebug.one_line(name)}", "", f"Begun {began}.", ""]
        for number, (tool, given, answer) in enumerate(self._transcript, 1):
            lines += [f"## {number}. `{tool}({jvmdebug.one_line(given)})`", "", "```text"]
            lines += [answer.replace("```", "'''"), "```", ""]
        return "\n".join(lines)

    # The watchdog

    def _watch(self) -> None:
        session = self._session
        if session is not None and session.owner is not None:
            return  # its stops are those of others too
        if self.watchdog_s is not None and session is not None:
            self._watchdog = asyncio.create_task(self._bark(session, self.watchdog_s))

    def _stop_watching(self) -> None:
        if self._watchdog is not None:
            self._watchdog.cancel()
            self._watchdog = None

    async def _bark(self, session: jvmdebug.Session, seconds: float) -> None:
        """Resumes what is stopped and disables what stopped it, as no call has come for long."""
        while True:
            await asyncio.sleep(seconds)
            stops = session.current_stops
            if not stops:
                continue
            hit = {each.id: each for stop in stops for each in stop.breakpoints}
            try:
                for each in hit.values():
                    await each.disable()
                await session.resume()
            except jvmdebug.JvmDebugError as error:
                self.notices.append(f"the watchdog could not resume the program: {error}")
                continue
            names = ", ".join(map(str, sorted(hit))) or "none"
            self.notices.append(
                f"the program was stopped for {seconds:g} s without a call and was resumed;"
                f" disabled stop points: {names}"
            )


def _outcome(event: jvmdebug.projects.TestEvent) -> str:
    """`failed shop.CartTest#removes: AssertionFailedError: … at /w/CartTest.java:24`."""
    text = f"{event.status} {event.selector or event.name}"
    if event.failure is not None:
        kind = event.failure.type.rpartition(".")[2]
        text += f": {kind}: {event.failure.message}" if event.failure.message else f": {kind}"
        text += f" at {event.failure.file}:{event.failure.line}" if event.failure.file else ""
    elif event.reason:
        text += f": {event.reason}"
    return jvmdebug.one_line(text)


class Call:
    """One call of a tool."""

    def __init__(self) -> None:
        self.answer = ""
