# SPDX-License-Identifier: Apache-2.0
"""Tells who checks the conditions of breakpoints, the program or the debugger: jvmdebug/probes."""

from jvmdebug_dap.models.base import NoArguments
from jvmdebug_dap.models.custom import ProbeBody, ProbesBody
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import STARTED


@request("jvmdebug/probes", when=STARTED)
async def probes(session: AdapterSession, _: NoArguments) -> ProbesBody:
    """Lists each location of a breakpoint with a condition, a hit condition or a log message."""
    return ProbesBody(
        probes=[
            ProbeBody(
                breakpoint_id=session.breakpoints.id_of(each.breakpoint),
                location=str(each.location),
                condition=each.breakpoint.condition,
                hit_condition=each.breakpoint.hit_condition,
                how=each.location.how,
                why=each.location.why_event,
                hits=each.breakpoint.hits if each.hits is None else each.hits,
                calls_methods=each.calls_methods,
                install_ms=each.install_ms,
                why_not_written=each.why_not_written,
            )
            for each in await session.core.probes()
        ]
    )
