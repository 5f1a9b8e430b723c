# SPDX-License-Identifier: Apache-2.0
"""What a client is told of a session whose program is a recording."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug_dap.models.custom import RecordingBody
from jvmdebug_dap.models.generated.events import CapabilitiesEventBody
from jvmdebug_dap.models.generated.types import Capabilities

if TYPE_CHECKING:
    import jvmdebug
    from jvmdebug_dap.session import AdapterSession


def greet(session: AdapterSession, past: jvmdebug.SessionPast) -> None:
    """Tell what is possible in the past, and what is incomplete in this one."""
    possible = Capabilities(
        supports_step_back=True,
        supports_restart_frame=False,
        supports_restart_request=False,
        supports_set_variable=False,
        supports_set_expression=False,
        supports_terminate_threads_request=False,
    )
    session.channel.send_event("capabilities", CapabilitiesEventBody(capabilities=possible))
    body = RecordingBody(path=str(past.path), started=past.started_ms)
    session.channel.send_event("jvmdebug/recording", body)
    for note in past.notes:
        session.tell(note)
