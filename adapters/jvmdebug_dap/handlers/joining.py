# SPDX-License-Identifier: Apache-2.0
"""Says who may join the session: jvmdebug/letJoin."""

from jvmdebug_dap.convert import guests
from jvmdebug_dap.errors import ErrorId, RequestError
from jvmdebug_dap.models.base import Model
from jvmdebug_dap.models.custom import LetJoinArguments
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import LIVE


@request("jvmdebug/letJoin", when=LIVE)
async def let_join(session: AdapterSession, arguments: LetJoinArguments) -> Model:
    """Lets coding assistants join, in a role, or no longer. Those that are in stay as they are."""
    if session.shared is None:
        why = session.why_not_shared or f"this session is the {session.core.owner}'s"
        raise RequestError(ErrorId.NOT_POSSIBLE, f"nobody can join: {why}", show_user=True)
    session.shared.assistants = arguments.assistants
    return guests.guests(session)
