# SPDX-License-Identifier: Apache-2.0
"""Starting debuggees: JDK discovery, agent selection, the command line, the owned process."""

from jvmdebug.launch.agent_library import agent_option, launch_agent_path

__all__ = ["agent_option", "launch_agent_path"]
