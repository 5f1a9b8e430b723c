# SPDX-License-Identifier: Apache-2.0
"""Output: text, or anything that rich can draw, as wide as the terminal is; or JSON.

Owns what is safe to print: of control characters only line ends and tabs come through. Knows no
input. Used by the subcommands, and by the console of the prompt, which derives from it.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final, TextIO

import rich.console
from rich.padding import Padding
from rich.segment import Segment, Segments
from rich.text import Text

from jvmdebug import several_lines

if TYPE_CHECKING:
    from rich.console import RenderableType

_UNLIMITED: Final = 1_000_000_000
"""The width of what is no terminal: lines are not folded there."""


class Printer:
    """Prints to one stream; `output` is None for the standard output of the moment."""

    def __init__(self, output: TextIO | None, *, is_terminal: bool) -> None:
        self.is_terminal = is_terminal
        self._rich = _Console(
            file=output,
            force_terminal=is_terminal,
            width=None if is_terminal else _UNLIMITED,
            markup=False,
            highlight=False,
            emoji=False,
        )

    def write(self, shown: RenderableType) -> None:
        """Print something, as wide as the terminal is; of control characters only line ends and
        tabs are printed as they are.
        """
        drawn = Text(shown, overflow="fold") if isinstance(shown, str) else shown
        safe: list[Segment] = []
        for line in self._rich.render_lines(drawn, pad=False):
            printed = [Segment(several_lines(text, None), style) for text, style, _ in line]
            safe += [*_without_end(printed), Segment.line()]
        self._rich.print(Segments(safe), end="", crop=False, no_wrap=True)
        self._rich.file.flush()

    def write_lines(self, text: str) -> None:
        """Print many lines at once, not folded; as safe as `write`."""
        print(several_lines(text, None), file=self._rich.file, flush=True)

    def write_output(self, text: str) -> None:
        """Print what the program has printed, as it is."""
        print(text, end="", file=self._rich.file, flush=True)

    def write_json(self, document: object) -> None:
        """Print a document on one line, in ASCII: its texts are the program's, as they are."""
        print(json.dumps(document), file=self._rich.file, flush=True)

    @property
    def console(self) -> rich.console.Console:
        """The console for what rich draws again and again, such as a bar; only texts of our own go
        there.
        """
        return self._rich

    @property
    def width(self) -> int:
        """The width in characters."""
        return self._rich.width

    @property
    def is_coloured(self) -> bool:
        """Whether colours can be seen: else what is made for them need not be."""
        return self._rich.color_system is not None and not self._rich.no_color


class _Console(rich.console.Console):
    """rich's own ends the process where the reader is gone, without closing what is open."""

    def on_broken_pipe(self) -> None:
        raise BrokenPipeError


def indented(shown: RenderableType, by: int = 4) -> RenderableType:
    """Further right. It is not filled up to the width, which is unlimited where is no terminal."""
    return Padding(shown, (0, 0, 0, by), expand=False)


def _without_end(line: list[Segment]) -> list[Segment]:
    """The text without the spaces that fill the line: they would break when the window gets
    narrower.
    """
    while line:
        text, style, _ = line.pop()
        if text := text.rstrip(" "):
            return [*line, Segment(text, style)]
    return line
