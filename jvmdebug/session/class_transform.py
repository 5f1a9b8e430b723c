# SPDX-License-Identifier: Apache-2.0
"""Classes that are edited as they are loaded, and those that are there: a profiler from a script.

The VM reports a class before any of its code runs, with its thread held; then the class gets its
new code. Made by `session.transform_classes`.
"""

from __future__ import annotations

import asyncio
import inspect
import re
from typing import TYPE_CHECKING, Self, TypeAlias

from jvmdebug.classfile.editor import ClassEditor
from jvmdebug.errors import ConnectionLost, JvmDebugError, StateError
from jvmdebug.events import RESUME, ClassPrepareOccurrence
from jvmdebug.jdwp.generated.constants import EventKind, SuspendPolicy
from jvmdebug.jdwp.generated.events import ClassMatchModifier
from jvmdebug.model.agent import AgentCapability
from jvmdebug.session.state import Operation
from jvmdebug.to_the_end import begun, done

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable
    from types import TracebackType

    from jvmdebug.events import Occurrence, RequestHandle, Verdict
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.session.program import DebuggedProgram

    Edit: TypeAlias = "Callable[[ClassEditor], bytes | Awaitable[bytes | None] | None]"


class ClassTransform:
    """Has the classes edited whose names fit a pattern, from `async with` or `await` on.

    Closing gives the classes their own code again. A class whose edit fails keeps its code.
    """

    def __init__(self, program: DebuggedProgram, pattern: str, edit: Edit) -> None:
        self.pattern = pattern
        """`shop.*`"""
        self.edited: list[str] = []
        """The names of the classes that have new code, in the order in which they got it."""
        self.failures: list[tuple[str, Exception]] = []
        """The classes that keep their code, with what the edit or the VM has raised."""
        self._program = program
        self._edit = edit
        self._fits = re.compile(".*".join(map(re.escape, pattern.split("*")))).fullmatch
        self._request: RequestHandle | None = None
        self._own: dict[ReferenceType, bytes] = {}
        self._is_open = False
        self._turn = asyncio.Lock()

    @property
    def is_open(self) -> bool:
        """Whether classes that are loaded from now on are edited."""
        return self._is_open

    async def open(self) -> Self:
        """Begin: edit the classes that are loaded, and each other one before its code runs.

        UnsupportedError if the VM cannot replace code.
        """
        services = self._program.services
        services.stops.require(Operation.INSPECT)
        services.vm.require("can_redefine_classes", "replacing the code of classes")
        services.vm.require_of_agent(AgentCapability.CLASS_FILE, "editing classes")
        if self._is_open:
            raise StateError(f"{self!r} is open already")
        self._is_open = True
        # What the VM compares is a name with one `*` at an end.
        head, star, tail = self.pattern.partition("*")
        simple = f"*{tail}" if not head and "*" not in tail else f"{head}{star}"
        self._request = await services.router.arm(
            EventKind.CLASS_PREPARE,
            (ClassMatchModifier(simple),),
            SuspendPolicy.EVENT_THREAD,
            self._prepared,
        )
        loaded = [each for each in await services.vm.all_classes() if self._takes(each)]
        contents = [(each, new) for each in loaded if (new := await self._new_code(each))]
        if contents:
            found = await services.code_replacing.redefine((), changed_only=True, contents=contents)
            for (type_, _), outcome in zip(contents, found, strict=True):
                if outcome.reason is None:
                    self.edited.append(type_.name)
                else:
                    self._own.pop(type_, None)
                    self.failures.append((type_.name, JvmDebugError(outcome.reason)))
        return self

    async def close(self) -> None:
        """End: the classes that were edited have their own code again."""
        if self._is_open:
            self._is_open = False
            await done(begun(self._close(), f"ending {self!r}"))

    async def _close(self) -> None:
        try:
            if self._request is not None:
                await self._request.clear()
            async with self._turn:
                contents = list(self._own.items())
                self._own.clear()
            if contents:
                await self._program.services.code_replacing.redefine(
                    (), changed_only=True, contents=contents
                )
        except ConnectionLost:
            return  # with the program all of it is gone

    async def __aenter__(self) -> Self:
        return await self.open()

    async def __aexit__(
        self,
        _type: type[BaseException] | None,
        _error: BaseException | None,
        _traceback: TracebackType | None,
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        state = "open" if self._is_open else "not open"
        return f"ClassTransform({self.pattern}, {state}, {len(self.edited)} classes)"

    def _takes(self, type_: ReferenceType) -> bool:
        is_array = type_.signature.startswith("[")
        return not is_array and self._fits(type_.name) is not None and type_ not in self._own

    async def _prepared(self, occurrence: Occurrence) -> Verdict:
        """Edits a class whose thread is held, before any of its code runs."""
        if not isinstance(occurrence, ClassPrepareOccurrence) or not self._takes(occurrence.type):
            return RESUME
        type_, services = occurrence.type, self._program.services
        async with self._turn:
            content = await self._new_code(type_) if self._is_open else None
            if content is None:
                return RESUME
            try:
                await services.vm.redefine_classes({type_: content})
            except JvmDebugError as error:
                self._own.pop(type_, None)
                self.failures.append((type_.name, error))
                return RESUME
            self.edited.append(type_.name)
            services.code.forget([type_])
            await services.table.redefined([type_])
        return RESUME

    async def _new_code(self, type_: ReferenceType) -> bytes | None:
        """The class file as it was edited; None if it stays as it is."""
        try:
            own = await type_.class_file()
            if own is None:
                return None
            editor = ClassEditor(own)
            made = self._edit(editor)
            given = await made if inspect.isawaitable(made) else made
            new = given if given is not None else editor.encode()
        except ConnectionLost:
            raise
        except Exception as error:  # noqa: BLE001 - the user's function may raise anything
            self.failures.append((type_.name, error))
            return None
        if new == own:
            return None
        self._own[type_] = own
        return new
