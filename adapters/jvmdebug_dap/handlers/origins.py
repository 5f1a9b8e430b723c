# SPDX-License-Identifier: Apache-2.0
"""Switches on and off that stacks show what submitted tasks: jvmdebug/origins."""

from jvmdebug_dap import origins
from jvmdebug_dap.convert import invalid
from jvmdebug_dap.models.custom import OriginsArguments
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import STARTED


@request("jvmdebug/origins", when=STARTED, holds_events=True)
async def switch_origins(session: AdapterSession, arguments: OriginsArguments) -> None:
    """Shows below stacks where tasks were submitted, from now on, or no longer."""
    is_new = arguments.enabled and not session.shows_origins
    await origins.switch(session, is_on=arguments.enabled)
    session.wants_origins = arguments.enabled
    if is_new:
        session.tell("Stacks show from now on where tasks are submitted.")
    for name, body in invalid.stacks(session):
        session.pump.announce(name, body)
