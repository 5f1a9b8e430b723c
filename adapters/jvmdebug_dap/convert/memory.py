# SPDX-License-Identifier: Apache-2.0
"""Memory references of variables."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmdebug import Variable
    from jvmdebug_dap.session import AdapterSession


async def memory_reference(session: AdapterSession, variable: Variable) -> str | None:
    """The reference of a primitive array or a byte buffer; None for everything else."""
    memory = await variable.memory()
    return None if memory is None else session.memory.add(memory)
