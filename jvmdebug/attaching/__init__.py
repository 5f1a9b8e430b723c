# SPDX-License-Identifier: Apache-2.0
"""The JVMs that run on this machine: which there are, and where a debug agent of theirs listens.

Owns what can be found out from outside, from files that the system and the JVM keep; asks no JVM
anything and connects to none. Linux; elsewhere none is found. Used by front ends. Begin with
`local_jvms`.
"""

from jvmdebug.attaching.debug_agent import DebugAgent
from jvmdebug.attaching.local_jvms import LocalJvm, local_jvm, local_jvms

__all__ = ["DebugAgent", "LocalJvm", "local_jvm", "local_jvms"]
