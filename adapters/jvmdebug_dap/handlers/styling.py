# SPDX-License-Identifier: Apache-2.0
"""How values are shown: jvmdebug/valueStyle."""

from jvmdebug_dap.convert import configurations
from jvmdebug_dap.models.launch import ValueAttributes
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import LIVE


@request("jvmdebug/valueStyle", when=LIVE, holds_events=True)
async def value_style(session: AdapterSession, arguments: ValueAttributes) -> None:
    """Takes the attributes of `values` in the configuration; those not given stay as they are."""
    configurations.apply_values(arguments, session.core.settings)
    session.tell_of_changed_values()
