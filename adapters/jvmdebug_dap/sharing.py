# SPDX-License-Identifier: Apache-2.0
"""Sessions that several share: ours, which others may join, and that of another, which we join."""

from __future__ import annotations

from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import jvmdebug

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from jvmdebug import Session
    from jvmdebug.joining.sharing import Assistants
    from jvmdebug_dap.session import AdapterSession


async def share(session: AdapterSession, core: Session) -> None:
    """Let others of this user join; where that is not possible, nobody can. An assistant may join
    a session of VS Code once its user has let one in.
    """
    assistants: Assistants = "off" if session.is_vscode else "debug"
    if session.shared is not None:  # of the program before a restart
        assistants = session.shared.assistants
    try:
        session.shared = await jvmdebug.share(core, owner="editor", assistants=assistants)
    except jvmdebug.LaunchError as error:
        session.why_not_shared = str(error)


@asynccontextmanager
async def joined(name: str | None, *, read_only: bool) -> AsyncIterator[Session]:
    """The session of that name, as an editor."""
    async with await jvmdebug.join(name, kind="editor", read_only=read_only) as core:
        yield core
