# SPDX-License-Identifier: Apache-2.0
"""Tells which class of a project is started, and what is shown while it is built.

Owns the question for one of several classes, asked only at a terminal. Called by `options`.
"""

from __future__ import annotations

import contextlib
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import jvmdebug
from jvmdebug_cli import terminal

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from contextlib import AbstractAsyncContextManager

_CLEAR_LINE = "\r\x1b[K"
_MOST_SHOWN = 30


class BuildProgress:
    """One line on standard error, if that is a terminal, which the next one replaces."""

    def __init__(self) -> None:
        self._is_shown = False

    def say(self, line: str) -> None:
        """Show a line of the build."""
        if sys.stderr.isatty():
            self._is_shown = True
            print(f"{_CLEAR_LINE}{jvmdebug.one_line(line)}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        """Take the line away."""
        if self._is_shown:
            self._is_shown = False
            print(_CLEAR_LINE, end="", file=sys.stderr, flush=True)

    @contextlib.asynccontextmanager
    async def around(
        self, opening: AbstractAsyncContextManager[jvmdebug.Session]
    ) -> AsyncIterator[jvmdebug.Session]:
        """The same session; the line is taken away when it is open, or could not be opened."""
        async with contextlib.AsyncExitStack() as stack:
            try:
                session = await stack.enter_async_context(opening)
            finally:
                self.clear()
            yield session


def is_project_folder(program: str, cwd: str | None) -> bool:
    """Whether `jvmdebug launch .` names a project, or a part of one, and not a class."""
    folder = Path(cwd or ".") / program
    if not folder.is_dir() or (folder.parent / f"{folder.name}.class").is_file():
        return False
    found = jvmdebug.projects.find(folder)
    if found.kind in ("maven", "gradle") or found.root != folder.resolve():
        return True
    return (folder / "src").is_dir() or next(folder.glob("*.java"), None) is not None


def main_class_of(project: str, progress: BuildProgress) -> str:
    """The class to start in a project if none was named. LaunchError without a terminal to ask at,
    and if there is none.
    """
    with jvmdebug.projects.find(project) as found:
        try:
            return found.program(work=jvmdebug.projects.Work(progress.say)).main_class
        except jvmdebug.projects.MainClassNeeded as error:
            progress.clear()
            if not terminal.is_interactive():
                raise
            chosen = _ask(error.candidates)
            found.remember_main_class(chosen)
            return chosen
        finally:
            progress.clear()


def _ask(candidates: tuple[str, ...]) -> str:
    print("Which class? It is taken the next time too.")
    for number, name in enumerate(candidates[:_MOST_SHOWN], 1):
        print(f"{number:3}  {jvmdebug.one_line(name)}")
    if len(candidates) > _MOST_SHOWN:
        print(f"     … and {len(candidates) - _MOST_SHOWN} more: type the name")
    while True:
        try:
            typed = input("number or name: ").strip()
        except EOFError:
            raise KeyboardInterrupt from None
        if typed in candidates:
            return typed
        if typed.isdecimal() and 0 < int(typed) <= min(len(candidates), _MOST_SHOWN):
            return candidates[int(typed) - 1]
