# SPDX-License-Identifier: Apache-2.0
"""Starting debuggees: the java command, the agent's library, the process and its output.

Owns the choice of the agent (`agent_library`), the command and its arguments (`command_line`),
which are the project's if there is one (`project_command`), and the process until its end
(`debuggee_process`). Finds no JDK (`jvmdebug.jdk` does) and does not connect. Called by the
session. Begin with `command_line`.
Imports nothing, since `jvmdebug` imports it at once.
"""
