# SPDX-License-Identifier: Apache-2.0
"""Tells which threads a stop suspends: jvmdebug/suspend."""

from jvmdebug_dap.models.custom import SuspendArguments
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import LIVE


@request("jvmdebug/suspend", when=LIVE)
async def suspend(session: AdapterSession, arguments: SuspendArguments) -> None:
    """Holds for stops from now on; threads that are suspended stay so."""
    await session.core.breakpoints.suspend_by_default(arguments.suspend)
