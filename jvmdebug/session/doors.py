# SPDX-License-Identifier: Apache-2.0
"""The part of a session that leads to what most sessions do not need: heap, classes, JVM TI.

Each is imported when it is first asked for. A base class of Session.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from jvmdebug import jvmti
from jvmdebug.session.code_session import CodeSession
from jvmdebug.session.jvmti import ProgramForJvmti

if TYPE_CHECKING:
    from jvmdebug.jvmti import Jvmti, LoadedClasses
    from jvmdebug.session.heap import SessionHeap


class SessionDoors(CodeSession):
    """Doors of one debugged program."""

    @cached_property
    def heap(self) -> SessionHeap:
        """The objects of the program: how many, how large, why they are alive."""
        from jvmdebug.session.heap import SessionHeap  # noqa: PLC0415 - slow to import

        return SessionHeap(self._program)

    @cached_property
    def classes(self) -> LoadedClasses:
        """The loaded classes: from where, in which version; their bytes, loaders, modules."""
        return jvmti.LoadedClasses(ProgramForJvmti(self._program))

    @cached_property
    def jvmti(self) -> Jvmti:
        """Functions and events of JVM TI that have no better place."""
        return jvmti.Jvmti(ProgramForJvmti(self._program))
