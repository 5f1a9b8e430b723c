# SPDX-License-Identifier: Apache-2.0
"""The MCP server: a coding assistant investigates a Java program through jvmdebug.

`main` is the command (`jvmdebug mcp`). Owns the tools (one per question), what an answer may hold,
and the watchdog that leaves nothing frozen. Uses the public names of `jvmdebug` and the official
SDK, package `mcp`. Begin with `server`, then `investigation`.
"""

from jvmdebug_mcp.command import main

__all__ = ["main"]
