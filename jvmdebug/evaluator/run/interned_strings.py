# SPDX-License-Identifier: Apache-2.0
"""String constants in the debuggee: the objects that its own constants of that text are.

Interning runs a method there, so recent ones are kept, protected from collection. Called by
`interpreter` when a constant is needed as an object.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError, InvalidThreadError, ThreadNotSuspendedError
from jvmdebug.model.values import StringReference

if TYPE_CHECKING:
    from jvmdebug.evaluator.run.interpreter import Run

_MAX_STRINGS: Final = 256
_STRING: Final = "Ljava/lang/String;"


class InternedStrings:
    """One for each VM: `vm.companion(InternedStrings)`."""

    def __init__(self) -> None:
        self.recent: OrderedDict[str, StringReference] = OrderedDict()

    async def close(self) -> None:
        """The connection is closed."""
        self.recent.clear()


async def interned(run: Run, text: str) -> StringReference:
    """The string constant of that text; a new string in a thread that cannot run methods."""
    recent = run.vm.companion(InternedStrings).recent
    known = recent.get(text)
    if known is None:
        try:
            known = recent[text] = await _interned(run, text)
        except EvaluationError as error:
            if isinstance(error.__cause__, InvalidThreadError | ThreadNotSuspendedError):
                return await run.created(text)
            raise
    recent.move_to_end(text)
    if len(recent) > _MAX_STRINGS:
        _, oldest = recent.popitem(last=False)
        await oldest.enable_collection()
    return known


async def _interned(run: Run, text: str) -> StringReference:
    made = await run.vm.create_string(text)
    for type_ in await run.vm.classes_by_signature(_STRING):
        for method in await type_.methods():
            if (method.name, method.signature) == ("intern", f"(){_STRING}"):
                call = made.invoke(method, (), run.frame.thread, timeout_s=run.remaining_s())
                found = await run.invoked(call)
                if isinstance(found, StringReference):
                    await found.disable_collection()
                    return found
    raise EvaluationError("this VM has no String.intern()")
