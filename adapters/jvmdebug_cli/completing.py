# SPDX-License-Identifier: Apache-2.0
"""What Tab offers at the prompt: commands, and what the argument of each may be.

Owns which names fit where; the names come from the session (`session.code.names`, a frame's
completions). Nothing of the program runs for it. Used by the line editor.
"""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING, Final

from prompt_toolkit.completion import (
    CompleteEvent,
    Completer,
    Completion,
    PathCompleter,
)
from prompt_toolkit.document import Document

import jvmdebug
from jvmdebug_cli.command import COMMANDS, Completes, UsageError, find
from jvmdebug_cli.other_debuggers import translated
from jvmdebug_cli.place_options import last_option, typed_message

if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable

    from jvmdebug_cli.shell import Shell

_DEADLINE_S: Final = 3.0
_MOST: Final = 300
_PLACE: Final = re.compile(r"(?P<owner>[\w.$/*-]+?)(?P<mark>[:#])(?P<member>[\w$<>]*)")
_FLAGS: Final = re.compile(r"^(?:/\w+\s*)+")
_LAST_WORD: Final = re.compile(r"[^\s,]*\Z")
_OPEN: Final = re.compile(r"\{([^{}]*)\Z")
"""The expression that is being typed in a message."""
_FILTERED: Final = (Completes.PLACE, Completes.LOG, Completes.CLASS, Completes.FIELD)
_PLATFORM: Final = ("java.", "javax.", "jdk.", "sun.", "com.sun.")


class PromptCompleter(Completer):
    """Completes the commands of one shell."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell
        self._paths = PathCompleter(expanduser=True)
        self._names: dict[Completes, Callable[[str], Awaitable[list[Completion]]]] = {
            Completes.COMMAND: self._commands,
            Completes.EXPRESSION: self._expression,
            Completes.PLACE: self._places,
            Completes.LOG: self._places,
            Completes.CLASS: self._types,
            Completes.FIELD: self._fields,
            Completes.LOCAL: self._locals,
            Completes.BREAKPOINT: self._breakpoints,
            Completes.THREAD: self._threads,
        }

    def get_completions(
        self, document: Document, complete_event: CompleteEvent
    ) -> Iterable[Completion]:
        """Nothing: the names are asked for, see `get_completions_async`."""
        del document, complete_event
        return ()

    async def get_completions_async(
        self, document: Document, complete_event: CompleteEvent
    ) -> AsyncGenerator[Completion, None]:
        """What fits before the cursor; empty where the program does not answer in time."""
        try:
            async with asyncio.timeout(_DEADLINE_S):
                found = await self._found(document.text_before_cursor, complete_event)
        except (jvmdebug.JvmDebugError, TimeoutError, UsageError):
            return
        for each in found[:_MOST]:
            yield each

    async def _found(self, before: str, event: CompleteEvent) -> list[Completion]:
        typed = before.lstrip()
        word, space, _ = typed.partition(" ")
        if not space:
            return _commands(word)
        ours = translated(typed)
        word, _, argument = ours.partition(" ")
        command = find(word.partition("/")[0])
        return await self._arguments(command.completes, argument.lstrip(), event)

    async def _arguments(
        self, completes: Completes, argument: str, event: CompleteEvent
    ) -> list[Completion]:
        if completes is Completes.FILE:
            return list(self._paths.get_completions(Document(argument), event))
        if completes is Completes.LOG and (message := typed_message(argument)) is not None:
            found = _OPEN.search(message)
            return [] if found is None else await self._expression(found[1])
        behind = f" {argument}" if completes is Completes.CLASS else argument  # none is needed
        if completes in _FILTERED and (option := last_option(behind)) is not None:
            word, typed = option
            return await (self._thread_names if word == "thread" else self._expression)(typed)
        names = self._names.get(completes)
        return [] if names is None else await names(argument)

    @staticmethod
    async def _commands(text: str) -> list[Completion]:
        return _commands(text)

    async def _expression(self, text: str) -> list[Completion]:
        if not self._shell.has_frame:
            return []
        text = _FLAGS.sub("", text)
        found = await self._shell.frame.completions(text)
        return [
            _completion(each.text, each.start - len(text), each.label, each.detail)
            for each in found
        ]

    async def _places(self, text: str) -> list[Completion]:
        found = _PLACE.fullmatch(text)
        names = self._shell.session.code.names
        if found is None:
            files = [name for name in await names.source_files() if _fits(name, text)]
            files += [
                file
                for name in await names.source_files()
                if "/" in name and _fits(file := name.rpartition("/")[2], text)
            ]
            offered = [_completion(f"{name}:", -len(text), name) for name in dict.fromkeys(files)]
            return offered + await self._classes(text, "#")
        owner, mark, member = found["owner"], found["mark"], found["member"]
        if re.search(r"\.\w{2,6}$", owner) and mark == ":":
            lines = await self._shell.session.breakpoints.breakable_lines(owner)
            return [
                _completion(str(line), -len(member), str(line))
                for line in lines
                if str(line).startswith(member)
            ]
        return [
            _completion(each.name, -len(member), str(each), each.type_name)
            for each in await names.members(owner)
            if each.kind == "method" and _fits(each.name, member)
        ]

    async def _types(self, text: str) -> list[Completion]:
        last = _LAST_WORD.search(text)
        return await self._classes("" if last is None else last[0])

    async def _classes(self, text: str, end: str = "") -> list[Completion]:
        """Completes classes by the full or the simple name; those of the JDK only once a package is
        typed.
        """
        found = []
        for name in await self._shell.session.code.names.classes():
            if name.startswith(_PLATFORM) and "." not in text:
                continue
            if _fits(name, text) or _fits(re.split(r"[.$]", name)[-1], text):
                found.append(_completion(name + end, -len(text), name))
        return found

    async def _fields(self, text: str) -> list[Completion]:
        word = text.rpartition(" ")[2]
        here = await self._expression(word)
        owner, dot, field = word.rpartition(".")
        members = await self._shell.session.code.names.members(owner) if dot else []
        static = [
            _completion(each.name, -len(field), each.name, each.type_name)
            for each in members
            if each.kind == "field" and _fits(each.name, field)
        ]
        return static or here or await self._classes(word, ".")

    async def _locals(self, text: str) -> list[Completion]:
        if not self._shell.has_frame:
            return []
        return [
            _completion(each.name, -len(text), each.name, each.declared_type)
            for each in await self._shell.frame.locals()
            if _fits(each.name, text)
        ]

    async def _breakpoints(self, text: str) -> list[Completion]:
        word = text.rpartition(" ")[2]
        return [
            _completion(str(each.id), -len(word), str(each.id), jvmdebug.one_line(str(each.spec)))
            for each in self._shell.session.breakpoints
            if str(each.id).startswith(word)
        ]

    async def _thread_names(self, text: str) -> list[Completion]:
        named = [
            _completion(each.name, -len(text), each.name, str(each.id))
            for each in await self._shell.session.threads()
            if _fits(each.name, text)
        ]
        return await self._threads(text) + named

    async def _threads(self, text: str) -> list[Completion]:
        return [
            _completion(str(each.id), -len(text), str(each.id), each.name)
            for each in await self._shell.session.threads()
            if str(each.id).startswith(text)
        ]


def _commands(word: str) -> list[Completion]:
    ours = [
        _completion(
            each.name + " " * (each.usage != each.name),
            -len(word),
            each.name,
            each.text.splitlines()[0],
        )
        for each in COMMANDS.values()
        if each.name.startswith(word)
    ]
    return ours or [
        _completion(alias, -len(word), alias, each.text.splitlines()[0])
        for each in COMMANDS.values()
        for alias in each.aliases
        if alias.startswith(word)
    ]


def _fits(name: str, typed: str) -> bool:
    return name.lower().startswith(typed.lower())


def _completion(text: str, start: int, label: str, detail: str = "") -> Completion:
    shown = jvmdebug.one_line(label)
    return Completion(text, start, display=shown, display_meta=jvmdebug.one_line(detail))
