# SPDX-License-Identifier: Apache-2.0
"""What steps stop in, changed while the program runs: jvmdebug/stepFilters."""

import jvmdebug
from jvmdebug_dap.convert import configurations
from jvmdebug_dap.models.custom import StepFiltersArguments
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import LIVE


@request("jvmdebug/stepFilters", when=LIVE)
async def step_filters(session: AdapterSession, arguments: StepFiltersArguments) -> None:
    """Those of the configuration are off, or on again; steps that run keep theirs."""
    if arguments.enabled is not None:
        session.are_steps_filtered = arguments.enabled
    if arguments.just_my_code is not None:
        session.is_just_my_code = arguments.just_my_code
    apply_filters(session)


def apply_filters(session: AdapterSession) -> None:
    """Set the filters of the configuration, as they were changed since."""
    configuration = session.configuration
    if configuration is None:
        return
    asked, mine = configuration.step_filters, session.is_just_my_code
    filters = jvmdebug.StepFilters() if asked is None else configurations.step_filters(asked)
    if configuration.just_my_code if mine is None else mine:
        filters = configurations.just_my_code(filters)
    session.core.settings.step_filters = (
        filters if session.are_steps_filtered else jvmdebug.NO_FILTERS
    )
