# SPDX-License-Identifier: Apache-2.0
"""Where our agent's library is, and the option strings that load it or the JDK's own agent.

Owns the choice between the two agents for a given JDK; starting the VM is `debuggee_process`'s.
"""

from __future__ import annotations

import os
from importlib import resources
from pathlib import Path

from jvmdebug.errors import LaunchError

AGENT_ENVIRONMENT_NAME = "JVMDEBUG_AGENT"
"""Names a library to use in place of the installed one, for work on the agent itself."""

_LIBRARY_NAME = "libjvmdebug.so"


def find_agent_library() -> Path | None:
    """The agent's library: from the environment variable, else beside the package; None if none."""
    named = os.environ.get(AGENT_ENVIRONMENT_NAME)
    if named:
        path = Path(named)
        return path.resolve() if path.is_file() else None
    installed = resources.files("jvmdebug") / "_agent" / _LIBRARY_NAME
    path = Path(str(installed))
    return path.resolve() if path.is_file() else None


def launch_agent_path() -> Path:
    """The agent's library; LaunchError if this installation has none."""
    path = find_agent_library()
    if path is not None:
        return path
    named = os.environ.get(AGENT_ENVIRONMENT_NAME)
    tried = (
        f"{AGENT_ENVIRONMENT_NAME}={named} is not a file"
        if named
        else f"{_LIBRARY_NAME} is not part of this installation"
    )
    raise LaunchError(f"the jvmdebug agent is not there: {tried}; build it, or use agent='stock'")


def agent_option(address: str = "127.0.0.1:0", *, server: bool = True, suspend: bool = True) -> str:
    """The ready `-agentpath:` argument for a VM that is to be debugged with our agent."""
    return f"-agentpath:{launch_agent_path()}={_jdwp_options(address, server, suspend)}"


def stock_agent_option(address: str, *, server: bool = True, suspend: bool = True) -> str:
    """The ready `-agentlib:jdwp` argument: the same with the JDK's own agent."""
    return f"-agentlib:jdwp={_jdwp_options(address, server, suspend)}"


def _jdwp_options(address: str, server: bool, suspend: bool) -> str:
    yes_no = {True: "y", False: "n"}
    return (
        f"transport=dt_socket,server={yes_no[server]},suspend={yes_no[suspend]},address={address}"
    )
