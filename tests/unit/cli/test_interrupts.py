# SPDX-License-Identifier: Apache-2.0
"""Ctrl-C has its effect once, whenever it comes."""

from __future__ import annotations

import asyncio
import io
import os
import pty
import signal
import tty
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from prompt_toolkit import PromptSession
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.input.vt100 import Vt100Input
from prompt_toolkit.key_binding.key_processor import KeyPress
from prompt_toolkit.keys import Keys
from prompt_toolkit.output import DummyOutput

from jvmdebug_cli.console import Console, Interrupted
from jvmdebug_cli.editor import interrupted_afterwards
from jvmdebug_cli.interrupts import Interrupts

if TYPE_CHECKING:
    from collections.abc import Iterator


def _never() -> asyncio.Task[bool]:
    return asyncio.create_task(asyncio.Event().wait(), name="never done")


async def test_who_waits_is_told() -> None:
    interrupts, work = Interrupts(), _never()
    waiting = asyncio.create_task(interrupts.come_during(work), name="waiting")
    await asyncio.sleep(0)
    interrupts.press()
    assert await waiting
    assert not work.done(), "it belongs to whoever waits"
    assert not interrupts.take()
    work.cancel()


async def test_what_comes_while_nobody_waits_is_for_the_next_wait() -> None:
    interrupts, work = Interrupts(), _never()
    interrupts.press()
    assert await interrupts.come_during(work)
    interrupts.press()
    assert interrupts.take()
    assert not interrupts.take()
    work.cancel()


async def test_what_comes_too_late_is_kept() -> None:
    interrupts, work = Interrupts(), asyncio.get_running_loop().create_future()
    waiting = asyncio.create_task(interrupts.come_during(work), name="waiting")
    await asyncio.sleep(0)
    work.set_result(None)
    interrupts.press()
    assert not await waiting
    assert interrupts.take()


async def test_the_innermost_is_told_and_a_second_press_is_the_outer_ones() -> None:
    interrupts, work = Interrupts(), _never()
    outer = asyncio.create_task(interrupts.come_during(work), name="outer")
    await asyncio.sleep(0)
    inner = asyncio.create_task(interrupts.come_during(work), name="inner")
    await asyncio.sleep(0)
    interrupts.press()
    assert await inner
    assert not outer.done()
    interrupts.press()
    assert await outer
    work.cancel()


async def test_a_wait_that_is_cancelled_loses_nothing() -> None:
    interrupts, work = Interrupts(), _never()
    waiting = asyncio.create_task(interrupts.come_during(work), name="waiting")
    await asyncio.sleep(0)
    interrupts.press()
    waiting.cancel()
    await asyncio.wait((waiting,))
    assert interrupts.take()
    work.cancel()


async def test_the_reader_of_keys_comes_first_if_it_takes_it() -> None:
    interrupts, answers = Interrupts(), [True, False]
    with interrupts.read_by(lambda: answers.pop(0)):
        interrupts.press()
        assert not interrupts.take()
        interrupts.press()
        assert interrupts.take()


async def test_the_handler_of_before_is_back_afterwards() -> None:
    interrupts, before = Interrupts(), signal.getsignal(signal.SIGINT)
    work = _never()
    with interrupts.handled():
        os.kill(os.getpid(), signal.SIGINT)
        assert await interrupts.come_during(work)
    assert signal.getsignal(signal.SIGINT) is before
    work.cancel()


class Editor:
    """A line editor that nobody types in. `texts` are what Ctrl-C, as a key, finds in it."""

    def __init__(self, *texts: str) -> None:
        self.default_buffer = SimpleNamespace(text="")
        self._texts = list(texts)

    async def prompt_async(self, _prompt: str, *, handle_sigint: bool, **_options: object) -> str:
        assert not handle_sigint, "it would take the handler away from the session"
        self.default_buffer.text = self._texts.pop(0)
        raise KeyboardInterrupt


@pytest.fixture
def console() -> Console:
    return Console(commands=["print 1"], batch=False, interactive=True, output=io.StringIO())


async def test_ctrl_c_between_two_prompts_comes_before_the_next_command(console: Console) -> None:
    console.interrupts.press()
    with pytest.raises(Interrupted):
        await console.line()
    assert await console.line() == "print 1"


@pytest.mark.parametrize("texts", [("",), ("print 1", ""), ("print 1", "print 2", "")])
async def test_ctrl_c_at_the_prompt_drops_what_is_typed(
    console: Console, texts: tuple[str, ...]
) -> None:
    await console.line()
    console.editor = cast("Any", Editor(*texts))
    with pytest.raises(Interrupted):
        await console.line()


@pytest.fixture
def terminal() -> Iterator[tuple[int, PromptSession[str]]]:
    """What types, and an editor that reads it."""
    typing, reading = pty.openpty()
    tty.setraw(reading)
    with os.fdopen(reading) as stream:
        yield typing, PromptSession(input=Vt100Input(stream), output=DummyOutput())
    os.close(typing)


@pytest.mark.parametrize(
    ("read", "unread", "interrupted", "kept"),
    [
        ("", "", False, ""),
        ("ne", "xt", False, "next"),
        ("\x03", "", True, ""),
        ("", "\x03", True, ""),
        ("print 1\x03next", "", True, "next"),
        ("print ", "1\x03next", True, "next"),
    ],
)
async def test_ctrl_c_behind_a_line_is_found(
    terminal: tuple[int, PromptSession[str]],
    read: str,
    unread: str,
    *,
    interrupted: bool,
    kept: str,
) -> None:
    typing, editor = terminal
    os.write(typing, unread.encode())
    names = {"\x03": Keys.ControlC}
    source = editor.app.input
    store_typeahead(source, [KeyPress(names.get(each, each), each) for each in read])
    assert interrupted_afterwards(editor) is interrupted
    assert "".join(each.data for each in get_typeahead(source)) == kept


async def test_ctrl_c_while_the_editor_begins_again_is_not_for_later(
    console: Console,
    terminal: tuple[int, PromptSession[str]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The first drops what is typed; the second comes as a signal, as the terminal is cooked."""
    typing, console.editor = terminal
    await console.line()
    begin = console.editor.prompt_async

    async def press_between(*arguments: Any, **options: Any) -> str:
        try:
            return await begin(*arguments, **options)
        finally:
            console.interrupts.press()

    monkeypatch.setattr(console.editor, "prompt_async", press_between)
    os.write(typing, b"print 1\x03")
    async with asyncio.timeout(10):
        with pytest.raises(Interrupted):
            await console.line()
