# SPDX-License-Identifier: Apache-2.0
"""What the first evaluation of a stop would wait for, done while the user reads.

Reads the declarations of the classes around a frame and of its variables' types, and has the
compiler compile something. Runs no code of the program. Called by the session.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final

from jvmdebug.errors import JvmDebugError
from jvmdebug.evaluator.bind.scope import frame_scope
from jvmdebug.evaluator.compiling import warm_compiler
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.hierarchy import Hierarchy, enclosing_names
from jvmdebug.evaluator.symbols.loaded_types import LoadedTypes
from jvmdebug.evaluator.symbols.types import ClassType

if TYPE_CHECKING:
    from jvmdebug.model.frame import Frame

_ALWAYS: Final = ("java.lang.String", "java.lang.Integer", "java.lang.Class")


async def warm_up(frame: Frame) -> None:
    """Prepare for evaluations in the frame. What cannot be prepared is left to them."""
    try:
        await asyncio.gather(_read_types(frame), warm_compiler(frame.thread.vm))
    except JvmDebugError:
        return  # the thread has been resumed, or the program has ended


async def _read_types(frame: Frame) -> None:
    scope = await frame_scope(frame, {}, None)
    hierarchy = Hierarchy(LoadedTypes(frame.location.type, None))
    erased = [
        types.erasure(each.type)
        for each in scope.locals
        if not isinstance(each.type, types.PrimitiveType)
    ]
    named = [each.name for each in erased if isinstance(each, ClassType)]
    wanted = dict.fromkeys([*enclosing_names(scope.declaring_type), *named, *_ALWAYS])
    await asyncio.gather(*(hierarchy.ancestors(ClassType(name)) for name in wanted))
