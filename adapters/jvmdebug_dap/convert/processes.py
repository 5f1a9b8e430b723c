# SPDX-License-Identifier: Apache-2.0
"""The attribute `processId`: where the debug agent of a JVM of this machine listens."""

from __future__ import annotations

import jvmdebug
from jvmdebug_dap.errors import ErrorId, RequestError


def address_of_process(text: str) -> tuple[str, int]:
    """Host and port of a process, port 0 for a `unix:PATH`. RequestError that says why none."""
    if not (text.isascii() and text.isdecimal()):
        raise _refused(f"arguments.processId: should be the number of a process, got {text!r}")
    jvm = jvmdebug.local_jvm(int(text))
    if jvm is None:
        raise _refused(f"there is no Java program with the process id {text} on this machine")
    name = f"process {text} ({jvm.program or 'unknown program'})"
    agent = jvm.agent
    if agent is None or agent.connects:
        why = "has no debug agent" if agent is None else "has a debug agent that does not listen"
        raise _refused(
            f"{name} {why}, and none can be loaded into a JVM that runs: start it with"
            " `java $(jvmdebug agent --option 5005) …`"
        )
    if not agent.is_listening or agent.address is None:
        raise _refused(
            f"the debug agent of {name} does not listen now: another debugger is attached, and has"
            " to detach first"
        )
    if agent.address.startswith("unix:"):
        return agent.address, 0
    host, _, port = agent.address.rpartition(":")
    return host.strip("[]") or "localhost", int(port)


def _refused(text: str) -> RequestError:
    return RequestError(ErrorId.NOT_POSSIBLE, text, show_user=True)
