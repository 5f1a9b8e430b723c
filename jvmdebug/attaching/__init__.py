# SPDX-License-Identifier: Apache-2.0
"""The JVMs that run on this machine, its containers, and pods of Kubernetes: which there are, where
a debug agent of theirs listens, and loading ours into one that was started without.

Owns what can be found out from outside, from files that the system and the JVM keep, HotSpot's
attach protocol, and what container engines and kubectl tell. Linux; elsewhere no JVM but one in a
pod is found, and `jcmd` loads the agent. Used by the session and front ends. Begin with
`local_jvms`, and `reaching`.
"""

from jvmdebug.attaching.agent_loading import load_agent
from jvmdebug.attaching.attach_protocol import thread_dump_text
from jvmdebug.attaching.debug_agent import DebugAgent
from jvmdebug.attaching.files_of_process import seen_path
from jvmdebug.attaching.local_jvms import LocalJvm, local_jvm, local_jvms
from jvmdebug.attaching.reaching import address_of_process, is_late, process_of_place, way_to_pod

__all__ = [
    "DebugAgent",
    "LocalJvm",
    "address_of_process",
    "is_late",
    "load_agent",
    "local_jvm",
    "local_jvms",
    "process_of_place",
    "seen_path",
    "thread_dump_text",
    "way_to_pod",
]
