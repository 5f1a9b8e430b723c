# SPDX-License-Identifier: Apache-2.0
"""What steps stop in, changed while the program runs: jvmdebug/stepFilters."""

from jvmdebug_dap.convert.configurations import apply_filters
from jvmdebug_dap.models.custom import StepFiltersArguments
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import LIVE


@request("jvmdebug/stepFilters", when=LIVE)
async def step_filters(session: AdapterSession, arguments: StepFiltersArguments) -> None:
    """Switches them off, or on again, or takes others; steps that run keep theirs."""
    if arguments.enabled is not None:
        session.are_steps_filtered = arguments.enabled
    if arguments.just_my_code is not None:
        session.is_just_my_code = arguments.just_my_code
    if arguments.filters is not None:
        session.step_filters = arguments.filters
    apply_filters(session)
