# SPDX-License-Identifier: Apache-2.0
"""What `jvmdebug._native` does, in Python: for machines that have no compiled module.

The same names, values and errors, from the same declarations: `codec` reads the LAYOUT of the
generated classes, `packets` cuts the stream, `log_lines` writes lines of log points. It is slower
(docs/how-to/install.md has numbers) and reads no heap dumps. Used by `jvmdebug.jdwp` in place
of the compiled module, which nothing else notices. Begin with `codec`.
"""

from jvmdebug.pure.codec import Codec, IdSizes
from jvmdebug.pure.heap_files import HeapColumn, HeapDump, HeapFileError
from jvmdebug.pure.log_lines import LogRenderer, recorded_calls
from jvmdebug.pure.packet import HEADER_SIZE, Packet
from jvmdebug.pure.packets import (
    BUSY,
    HANDSHAKE,
    MAXIMUM_PACKET_SIZE,
    NOT_REJOINED,
    REJOIN,
    TAKE_OVER,
    TOKEN_GREETING,
    TOKEN_NEEDED,
    Framer,
    pack_command,
    pack_reply,
)
from jvmdebug.pure.wire import WireError

__all__ = [
    "BUSY",
    "HANDSHAKE",
    "HEADER_SIZE",
    "MAXIMUM_PACKET_SIZE",
    "NOT_REJOINED",
    "REJOIN",
    "TAKE_OVER",
    "TOKEN_GREETING",
    "TOKEN_NEEDED",
    "Codec",
    "Framer",
    "HeapColumn",
    "HeapDump",
    "HeapFileError",
    "IdSizes",
    "LogRenderer",
    "Packet",
    "WireError",
    "pack_command",
    "pack_reply",
    "recorded_calls",
]
