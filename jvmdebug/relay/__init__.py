# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug relay`: TLS, tokens and roles in front of the agents of this machine.

Owns what passes between a debugger and an agent: `permits` decides about each packet, `holding`
knows how long a debugger has held the program, `targets` which JVMs there are, `server` the
connections. Nothing of a session is here. Called by the command line. Begin with `server`.
"""

from jvmdebug.relay.server import Relay, RelayOptions
from jvmdebug.relay.targets import RelayTarget, relay_target
from jvmdebug.tls.admission import TokenFile

__all__ = ["Relay", "RelayOptions", "RelayTarget", "TokenFile", "relay_target"]
