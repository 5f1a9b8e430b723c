# SPDX-License-Identifier: Apache-2.0
"""The line editor of a terminal: keys, history, completion, several lines.

Owns how prompt_toolkit is set up, what Ctrl-C is to it, and where the history is kept. What is
completed is in `completing`, where a command ends in `logical_lines`. Made by the shell for its
console.
"""

from __future__ import annotations

import os
import select
from pathlib import Path
from typing import TYPE_CHECKING, Final

from prompt_toolkit import PromptSession
from prompt_toolkit.application import get_app_or_none
from prompt_toolkit.auto_suggest import AutoSuggestFromHistory
from prompt_toolkit.filters import Condition
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.input.typeahead import get_typeahead, store_typeahead
from prompt_toolkit.input.vt100_parser import Vt100Parser
from prompt_toolkit.keys import Keys
from prompt_toolkit.shortcuts import CompleteStyle

from jvmdebug.platform import system
from jvmdebug_cli.logical_lines import is_complete

if TYPE_CHECKING:
    from prompt_toolkit.completion import Completer

_HISTORY: Final = "jvmdebug/history"
_LARGEST_BYTES: Final = 1_000_000
_MENU_LINES: Final = 6


def line_editor(completer: Completer) -> PromptSession[str]:
    """An editor with the history of earlier sessions."""
    editor: PromptSession[str] = PromptSession(
        history=_history(),
        completer=completer,
        complete_while_typing=False,  # Tab asks: a request to the program for each key is too much
        complete_in_thread=False,
        complete_style=CompleteStyle.COLUMN,
        auto_suggest=AutoSuggestFromHistory(),
        reserve_space_for_menu=_MENU_LINES,
        multiline=Condition(lambda: not is_complete(editor.default_buffer.text)),
        prompt_continuation=lambda width, _number, _wraps: " " * width,
        enable_open_in_editor=True,
        tempfile_suffix=".java",
    )
    return editor


def press_interrupt() -> bool:
    """Give Ctrl-C, which came as a signal, to the editor; False if it is not reading keys."""
    editing = get_app_or_none()  # not the one of the PromptSession on a terminal without features
    if editing is None or not editing.is_running or editing.is_done:
        return False
    editing.key_processor.send_sigint()
    return True


def interrupted_afterwards(editor: PromptSession[str]) -> bool:
    """Whether Ctrl-C was pressed after the line, but before the editor gave the terminal back: then
    it is among the keys that it has read or left. As with a signal, what was typed before is gone.
    On Windows what it has left is not looked at: only sockets can be asked there.
    """
    source = editor.app.input
    keys = get_typeahead(source)
    if not system.is_windows() and select.select([source.fileno()], [], [], 0)[0]:
        # Not read_keys(): the end of the program's input would be the end of the editor's for ever.
        left = os.read(source.fileno(), _LARGEST_BYTES)
        Vt100Parser(keys.append).feed_and_flush(left.decode(errors="replace"))
    places = [index for index, each in enumerate(keys) if each.key == Keys.ControlC]
    store_typeahead(source, keys[places[-1] + 1 :] if places else keys)
    return bool(places)


def history_file() -> Path:
    """The file of typed commands: they may have values of the program in them, so only
    their user may read them.
    """
    state = os.environ.get("XDG_STATE_HOME")
    return (Path(state) if state else Path.home() / ".local/state") / _HISTORY


def _history() -> History:
    """Keeps the history in memory only, if the file cannot be written."""
    try:
        path = history_file()
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        path.touch(mode=0o600)
        if path.stat().st_size > _LARGEST_BYTES:
            _shorten(path)
        with path.open("ab"):  # the editor does not ask whether it may
            return FileHistory(path)
    except (OSError, RuntimeError):  # no home directory
        return InMemoryHistory()


def _shorten(path: Path) -> None:
    """Keep the newer half; an entry begins behind an empty line."""
    kept = path.read_bytes()[-_LARGEST_BYTES // 2 :]
    path.write_bytes(b"\n" + kept.partition(b"\n\n")[2])
