# SPDX-License-Identifier: Apache-2.0
"""The DAP server: an editor debugs Java through jvmdebug.

`main` is the command (`jvmdebug dap`); `serve_stdio` and `serve_tcp` are for programs that embed
the server, with `Access` for its token. Owns framing, states and routing of requests, `handlers`
(what each request does) and `convert` (the only modules that know both sides). Uses the public
names of `jvmdebug` only. Begin with `router`, then a module of `handlers`.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jvmdebug_dap.access import Access
    from jvmdebug_dap.command import main
    from jvmdebug_dap.errors import AddressError
    from jvmdebug_dap.server import serve_tcp
    from jvmdebug_dap.stdio import serve_stdio

__all__ = ["Access", "AddressError", "main", "serve_stdio", "serve_tcp"]
_HOMES = {
    "Access": "access",
    "AddressError": "errors",
    "main": "command",
    "serve_stdio": "stdio",
    "serve_tcp": "server",
}

if not TYPE_CHECKING:  # a name that does not exist is an error of the type checker

    def __getattr__(name: str) -> object:
        """Import a name when it is first used: `jvmdebug dap` answers before it needs most."""
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(importlib.import_module(f"jvmdebug_dap.{_HOMES[name]}"), name)
