# SPDX-License-Identifier: Apache-2.0
"""The `jvmdebug` command: a debugger at a prompt, and the way to the agent and the DAP server."""

from jvmdebug_cli.main import main

__all__ = ["main"]
