# SPDX-License-Identifier: Apache-2.0
"""Hot code replace: jvmdebug/redefineClasses."""

from jvmdebug_dap.convert.events import redefined_classes
from jvmdebug_dap.models.custom import RedefineClassesArguments, RedefineClassesBody
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import LIVE


@request(
    "jvmdebug/redefineClasses",
    when=LIVE,
    holds_events=True,
    progress="Replacing classes",
)
async def redefine_classes(
    session: AdapterSession, arguments: RedefineClassesArguments
) -> RedefineClassesBody:
    """One outcome for each class file; a refused class is not an error of the request."""
    paths = [session.positions.to_path(each) for each in arguments.paths]
    found = await session.core.redefine(*paths, changed_only=arguments.changed_only)
    return redefined_classes(session, found)
