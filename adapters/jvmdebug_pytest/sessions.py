# SPDX-License-Identifier: Apache-2.0
"""The sessions that one test has opened: their output, their threads, their end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import jvmdebug
import jvmdebug.sync

if TYPE_CHECKING:
    from jvmdebug_pytest.java_project import JavaProject


class Sessions:
    """What a test has opened."""

    def __init__(self) -> None:
        self._open: list[jvmdebug.sync.Session] = []
        self._output: list[str] = []

    def add(self, session: jvmdebug.sync.Session) -> None:
        """Adds a session, which is closed with the others."""
        self._open.append(session)

    def wrote(self, piece: jvmdebug.Output) -> None:
        """A program has written something."""
        self._output.append(piece.text)

    def sections(self, *, is_failed: bool) -> list[tuple[str, str]]:
        """Title and text of what a report of the test shows."""
        found = []
        if self._output:
            text = jvmdebug.several_lines("".join(self._output))
            found.append(("Captured output of the Java program", text))
        if is_failed:
            found += [(f"Threads of {each.name}", _threads(each)) for each in self._open]
        return found

    def close(self) -> None:
        """Close all of them, also if one fails to."""
        errors: list[Exception] = []
        while self._open:
            try:
                self._open.pop().close()
            except jvmdebug.JvmDebugError as error:
                errors.append(error)
        if errors:
            raise errors[0]


class OpenSession:
    """Opens sessions for a test; see the fixture `jvmdebug_session`."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    def __call__(
        self,
        main_class: str | None = None,
        *,
        project: JavaProject | None = None,
        **options: Any,  # noqa: ANN401 - what jvmdebug.launch takes
    ) -> jvmdebug.sync.Session:
        """Launch a program, held before its first instruction; `project` has its classes."""
        if project is not None:
            options |= project.launch_options(options)
        options.setdefault("on_output", self._sessions.wrote)
        session = jvmdebug.sync.open(main_class, **options)
        self._sessions.add(session)
        return session

    def attach(
        self,
        host: str = "127.0.0.1",
        port: int = 5005,
        **options: Any,  # noqa: ANN401 - what jvmdebug.attach takes
    ) -> jvmdebug.sync.Session:
        """Attach to a program that runs; it is let go when the test ends."""
        session = jvmdebug.sync.open_attach(host, port, **options)
        self._sessions.add(session)
        return session


def _threads(session: jvmdebug.sync.Session) -> str:
    if session.state == jvmdebug.SessionState.ENDED:
        return f"the program has ended, exit code {session.exit_code}"
    try:
        return str(session.snapshot(variables=2))
    except jvmdebug.JvmDebugError as error:
        return f"they cannot be shown: {error}"
