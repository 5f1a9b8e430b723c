# SPDX-License-Identifier: Apache-2.0
"""Modules in DAP's form, and their changes since the client asked."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from jvmdebug import JvmDebugError
from jvmdebug_dap.models.generated import types as dap
from jvmdebug_dap.models.generated.events import ModuleEventBody

if TYPE_CHECKING:
    from jvmdebug import LoadedModule
    from jvmdebug_dap.session import AdapterSession


def module(session: AdapterSession, found: LoadedModule) -> dap.Module:
    return dap.Module(
        id=session.modules.id_of(found.module),
        name=str(found),
        path=os.pathsep.join(found.paths) or None,
        version=found.version,
        is_user_code=not found.is_platform,
    )


async def changes(session: AdapterSession) -> list[tuple[str, ModuleEventBody]]:
    """`module` events for modules that were added or removed; none before the client has asked."""
    if not session.modules.is_asked:
        return []
    try:
        found = await session.core.code.modules()
    except JvmDebugError:
        return []  # the program ended meanwhile; that has an event of its own
    new, gone = session.modules.replace(found)
    told = [ModuleEventBody(reason="new", module=module(session, each)) for each in new]
    told += [ModuleEventBody(reason="removed", module=module(session, each)) for each in gone]
    return [("module", body) for body in told]
