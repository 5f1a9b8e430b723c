# SPDX-License-Identifier: Apache-2.0
"""The server with its tools. A tool is an async function of `Tools` with plain arguments; its
docstring is what the assistant reads. Errors of the debugger are answers that say what to do.
"""

from __future__ import annotations

import functools
import inspect
from typing import TYPE_CHECKING, Any, Final

from mcp.server.mcpserver import MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.types import ToolAnnotations

import jvmdebug
from jvmdebug_mcp.looking import Looking
from jvmdebug_mcp.recordings import Recordings
from jvmdebug_mcp.running import Running

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from jvmdebug_mcp.investigation import Investigation

_INSTRUCTIONS: Final = """\
Debugs one Java program at a time. Begin with `launch` or `attach`; a launched program is held until
`run`. With `--join` the session is another one's: begin with `where`, and mind that others act in
it. Prefer questions that stop nothing: `trace_calls`, `who_sets`, `sample`, `threads`. To stop,
use `stop_at`, then `run`: its answer has the reason, source, stack, variables and what changed.
Nothing is left frozen: a program that is stopped for long without a call is resumed. `panic` undoes
everything. `report` is the whole investigation as Markdown."""


class Tools(Running, Looking, Recordings):
    """All tools, by their names."""


def make_server(investigation: Investigation) -> MCPServer[Any]:
    """The server of one investigation."""
    server: MCPServer[Any] = MCPServer(
        "jvmdebug",
        title="jvmdebug, a Java debugger",
        instructions=_INSTRUCTIONS,
        version=jvmdebug.__version__,
        log_level="ERROR",
    )
    tools = Tools(investigation)
    for name, function in inspect.getmembers(tools, inspect.iscoroutinefunction):
        if name.startswith("_"):
            continue
        reads = name in Looking.__dict__ or name in Recordings.__dict__
        server.add_tool(
            _answering(investigation, name, function),
            name=name,
            description=inspect.getdoc(function),
            annotations=ToolAnnotations(read_only_hint=reads, open_world_hint=False),
            structured_output=False,
        )
    return server


def _answering(
    investigation: Investigation, name: str, function: Callable[..., Awaitable[str]]
) -> Callable[..., Awaitable[str]]:
    defaults = {each.name: each.default for each in inspect.signature(function).parameters.values()}

    @functools.wraps(function)
    async def tool(**arguments: Any) -> str:  # noqa: ANN401 - those of the tool
        try:
            given = {key: each for key, each in arguments.items() if each != defaults[key]}
            async with investigation.call(name, given) as call:
                call.answer = investigation.finished(await function(**arguments))
        except (jvmdebug.JvmDebugError, ValueError) as error:
            said = investigation.explained(error)
            raise ToolError(jvmdebug.several_lines(said)) from error
        return call.answer

    return tool
