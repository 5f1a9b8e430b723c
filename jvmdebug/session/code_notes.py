# SPDX-License-Identifier: Apache-2.0
"""Keeps coverage and recordings of one program apart."""

from __future__ import annotations

from typing import Protocol

from jvmdebug.errors import StateError


class NotesOfCode(Protocol):
    """Coverage or a recording: it notes which code runs."""

    @property
    def is_open(self) -> bool:
        """Whether it is under way, or about to begin."""


class CodeNotes:
    """What notes which code of a program runs: one at a time, since each would take what the other
    has put into the code for the program's own.
    """

    def __init__(self) -> None:
        self._current: tuple[str, NotesOfCode] | None = None

    def begin(self, name: str, notes: NotesOfCode) -> None:
        """Note that `notes` begins. StateError if another one is under way."""
        if self._current is not None and self._current[1].is_open:
            raise StateError(
                f"{name} cannot begin: {self._current[0]} is under way, and one would see in the"
                " code what the other has put there; stop it first"
            )
        self._current = (name, notes)
