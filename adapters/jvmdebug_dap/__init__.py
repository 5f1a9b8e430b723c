# SPDX-License-Identifier: Apache-2.0
"""The DAP server: an editor debugs Java through jvmdebug.

`main` is the command (`jvmdebug dap`); `serve_stdio` and `serve_tcp` are for programs that embed
the server. Everything else is internal.
"""

from jvmdebug_dap.command import main
from jvmdebug_dap.server import AddressError, serve_stdio, serve_tcp

__all__ = ["AddressError", "main", "serve_stdio", "serve_tcp"]
