# SPDX-License-Identifier: Apache-2.0
"""The `jvmdebug` command: a debugger at a prompt, and the way to the agent and the DAP server.

Owns the options (`options`), the prompt (`shell`, `console`), its commands (`commands`) and how a
stop is written to a terminal (`view`). Uses the public names of `jvmdebug` only. Begin with `main`,
then `shell`.
"""

from jvmdebug_cli.main import main

__all__ = ["main"]
