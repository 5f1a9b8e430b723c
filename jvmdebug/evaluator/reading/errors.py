# SPDX-License-Identifier: Apache-2.0
"""What ends an instruction or a call of the interpreter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.evaluator.errors import ReadOnlyError

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug.evaluator.reading.objects import ReadObject
    from jvmdebug.evaluator.reading.read_class import ReadClass


class MissingError(Exception):
    """Something has to be read before the instruction can run; `load` reads it."""

    def __init__(self, load: Callable[[], Awaitable[None]]) -> None:
        super().__init__("not read yet")
        self.load = load


class ThrownError(Exception):
    """What Java throws; `thrown` is None where the VM itself would make the exception."""

    def __init__(self, name: str, detail: str | None, thrown: ReadObject | None = None) -> None:
        super().__init__(name)
        self.name = name
        """Internal name: `java/lang/NullPointerException`."""
        self.detail = detail
        self.thrown = thrown


class RefusedError(Exception):
    """A method does more than read; the message says which, and what it does."""


class UnreadableError(RefusedError):
    """A method needs what cannot be read; the message says what."""


class UninitializedError(UnreadableError):
    """The static initializer of a class has not run. It says which class, and the classes whose
    initializers come before, nearest first.
    """

    def __init__(self, text: str, classes: tuple[ReadClass, ...]) -> None:
        super().__init__(text)
        self.classes = classes


class NotReadError(ReadOnlyError):
    """A call that cannot be computed by reading alone."""
