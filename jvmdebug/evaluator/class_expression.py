# SPDX-License-Identifier: Apache-2.0
"""An expression over static fields, evaluated without a frame while the program runs.

It names a class with its package, `shop.Main.pool.workers`; fields are read, and methods that only
read are computed from them (`reading`): nothing is run, loaded or suspended. Called by samples and
the session.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.errors import NoClassError
from jvmdebug.evaluator.expression import CompiledExpression
from jvmdebug.jdwp.ids import ObjectId, ThreadId
from jvmdebug.model.frame import Frame

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType
    from jvmdebug.model.values import Value
    from jvmdebug.model.virtual_machine import VirtualMachine

_CHAIN: Final = re.compile(r"[^\W\d][\w$]*(?:\s*\.\s*[^\W\d][\w$]*)*")
_TEXT: Final = re.compile(r"\"(?:\\.|[^\"\\])*\"|'(?:\\.|[^'\\])*'")
_LITERALS: Final = ("true", "false", "null")
_NO_LOCAL: Final = -1
"""A code index at which no variable of a method is in scope."""


class ClassExpression:
    """A parsed expression; EvaluationError with the column when the text is none."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._code = CompiledExpression(text, read_only=True)
        self._home: ReferenceType | None = None

    async def evaluate(self, vm: VirtualMachine) -> Value:
        """The value now. EvaluationError for what is not loaded, no field, or more than reading."""
        home = self._home
        if home is None:
            home = self._home = await self._find_home(vm)
        try:
            method = _static(await home.methods())
            location = method.location(_NO_LOCAL)
            frame = Frame(vm.thread(ThreadId(ObjectId(0))), 0, location, None, 0, (0, 0))
            return await self._code.evaluate(frame)
        except EvaluationError:
            self._home = None  # it may have been unloaded
            raise

    async def release(self) -> None:
        """Forget what it meant."""
        self._home = None
        await self._code.release()

    async def _find_home(self, vm: VirtualMachine) -> ReferenceType:
        """The class whose loader finds the others: the first of the program that is named."""
        of_platform: ReferenceType | None = None
        names = list(_names_in(self.text)) or ["java.lang.Object"]  # of `1 + 1`
        for name in names:
            for found in await vm.classes_by_signature(f"L{name.replace('.', '/')};"):
                if await found.class_loader() is not None:
                    return found
                of_platform = of_platform or found
        if of_platform is None:
            raise NoClassError(
                f"{self.text!r} names no class that is loaded: write the class with its package, "
                "as in shop.Main.orders"
            )
        return of_platform


def _names_in(text: str) -> Iterator[str]:
    """What may be the name of a class: `a`, `a.b`, `a.b.C` of `a.b.C`; of `Math` with its package,
    which is known everywhere.
    """
    for found in _CHAIN.finditer(_TEXT.sub(" ", text)):
        parts = [each.strip() for each in found[0].split(".")]
        if parts[0] in _LITERALS:
            continue
        for end in range(1, len(parts) + 1):
            yield ".".join(parts[:end])
        if parts[0][0].isupper():
            yield f"java.lang.{parts[0]}"


def _static(methods: tuple[Method, ...]) -> Method:
    """A static method if there is one: names are then those of static fields alone."""
    if not methods:
        raise EvaluationError("the class has no method to evaluate in")
    return next((each for each in methods if each.is_static), methods[0])
