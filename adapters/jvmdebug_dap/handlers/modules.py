# SPDX-License-Identifier: Apache-2.0
"""The contents of the program: modules, loadedSources."""

from jvmdebug_dap.convert import modules as convert
from jvmdebug_dap.convert.frames import source_file
from jvmdebug_dap.handlers.stack import page
from jvmdebug_dap.lanes import Lane
from jvmdebug_dap.models.generated.arguments import LoadedSourcesArguments, ModulesArguments
from jvmdebug_dap.models.generated.bodies import LoadedSourcesBody, ModulesBody
from jvmdebug_dap.models.generated.types import Capabilities
from jvmdebug_dap.requests import request
from jvmdebug_dap.session import AdapterSession
from jvmdebug_dap.states import LIVE


@request(
    "modules",
    when=LIVE,
    lane=Lane.ASK,
    supports=Capabilities(supports_modules_request=True),
    progress="Looking at the modules",
    at_end=lambda _: ModulesBody(modules=[], total_modules=0),
)
async def modules(session: AdapterSession, arguments: ModulesArguments) -> ModulesBody:
    """Lists modules. From now on `module` events follow each stop, and frames name them."""
    start, count = page(
        arguments.start_module, arguments.module_count, "startModule", "moduleCount"
    )
    found = await session.core.code.modules()
    session.modules.is_asked = True
    session.modules.replace(found)
    shown = found[start : None if count is None else start + count]
    return ModulesBody(
        modules=[convert.module(session, each) for each in shown], total_modules=len(found)
    )


@request(
    "loadedSources",
    when=LIVE,
    lane=Lane.ASK,
    supports=Capabilities(supports_loaded_sources_request=True),
    progress="Looking for the sources of loaded classes",
    at_end=lambda _: LoadedSourcesBody(sources=[]),
)
async def loaded_sources(
    session: AdapterSession, _arguments: LoadedSourcesArguments
) -> LoadedSourcesBody:
    """The sources that were found, without the JDK's; `loadedSource` events add to them."""
    found = await session.core.code.sources()
    return LoadedSourcesBody(sources=[source_file(session, each) for each in found])
