# SPDX-License-Identifier: Apache-2.0
"""The DAP server: an editor debugs Java through jvmdebug.

`main` is the command (`jvmdebug dap`); `serve_stdio` and `serve_tcp` are for programs that embed
the server, with `Access` for its token. Owns framing, states and routing of requests, `handlers`
(what each request does) and `convert` (the only modules that know both sides). Uses the public
names of `jvmdebug` only. Begin with `router`, then a module of `handlers`.
"""

from jvmdebug_dap.access import Access
from jvmdebug_dap.command import main
from jvmdebug_dap.server import AddressError, serve_stdio, serve_tcp

__all__ = ["Access", "AddressError", "main", "serve_stdio", "serve_tcp"]
