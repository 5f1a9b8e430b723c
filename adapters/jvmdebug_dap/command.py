# SPDX-License-Identifier: Apache-2.0
"""The command line of the DAP server. The `jvmdebug` command calls `main` for `jvmdebug dap`."""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
import os
import stat
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Final

from jvmdebug import one_line, several_lines
from jvmdebug.errors import ConnectionFailed, HandshakeFailed
from jvmdebug.os_errors import reason
from jvmdebug.printable import host_and_port
from jvmdebug_dap.access import Access, new_token
from jvmdebug_dap.errors import AddressError
from jvmdebug_dap.relay import RelayError, relay
from jvmdebug_dap.stdio import serve_stdio

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from jvmdebug.audit_log import AuditLog

_BEGINNING_S: Final = 3.0
"""Until then a program has been started, and what a session needs has been imported."""
_PLUGINS: Final = "pydantic.plugin._loader"


class _NoPlugins(ModuleType):
    """Takes the place of pydantic's search for plugins in all installed distributions: there are
    none for the adapter, and each start of a program would wait for it.
    """

    def get_plugins(self) -> tuple[()]:
        return ()

    def __getattr__(self, name: str) -> object:
        """Whatever else another pydantic has there."""
        if name.startswith("__"):
            raise AttributeError(name)
        del sys.modules[_PLUGINS]
        return getattr(importlib.import_module(_PLUGINS), name)


class SafeFormatter(logging.Formatter):
    """Lines of the log, with names and messages of the debuggee in them, on a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return several_lines(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - of the base class
        record.message = one_line(record.message)
        return super().formatMessage(record)


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until the client (stdio) or a signal (TCP) ends it; 2 for an unusable address."""
    given = sys.argv[1:] if argv is None else argv
    options = _parsed(given) if given else None  # an editor gives none, and waits
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(SafeFormatter("%(levelname)s %(name)s: %(message)s"))
    level = "WARNING" if options is None else options.log_level.upper()
    logging.basicConfig(level=level, handlers=[handler])
    try:
        if options is None:
            _serve_editor(Access())
        else:
            audit = _audit_log(options)
            run(options, audit)
    except (AddressError, RelayError, HandshakeFailed, ConnectionFailed, OSError) as error:
        sys.stderr.write(f"jvmdebug dap: {reason(error)}\n")
        return 2
    return 0


def _audit_log(options: argparse.Namespace) -> AuditLog | None:
    if options.audit_log is None:
        return None
    from jvmdebug.audit_log import AuditLog  # noqa: PLC0415 - seldom needed

    return AuditLog(options.audit_log)


def run(options: argparse.Namespace, audit: AuditLog | None) -> None:
    """Serve or relay as the options say. Raises what `main` reports."""
    if options.connect is not None:
        if not isinstance(options.connect, tuple):
            from jvmdebug_dap.behind_tls import relay_to  # noqa: PLC0415 - slow to import

            asyncio.run(relay_to(options.connect, options.token_file, options.fingerprint))
            return
        host, port = options.connect
        token = None if options.token_file is None else _token_in(options.token_file)
        asyncio.run(relay(host, port, token))
    elif options.listen is None:
        _serve_editor(Access(audit=audit, joins=options.join))
    else:
        host, port = options.listen
        access = Access(token_of(options), audit, options.join)
        from jvmdebug_dap.server import is_loopback, serve_tcp  # noqa: PLC0415 - slow to import

        if options.tls or options.cert is not None or not is_loopback(host):
            from jvmdebug_dap.behind_tls import serve_tls  # noqa: PLC0415 - slow to import

            asyncio.run(serve_tls(options, access))
            return
        asyncio.run(serve_tcp(host, port, announcing(options, access), access=access))


def _parsed(given: Sequence[str]) -> argparse.Namespace:
    from jvmdebug_dap.options import parser  # noqa: PLC0415 - slow to import

    return parser().parse_args(given)


def _serve_editor(access: Access) -> None:
    require_client(sys.stdin.fileno(), sys.stdout.fileno())
    sys.modules.setdefault(_PLUGINS, _NoPlugins(_PLUGINS))
    asyncio.run(_without_collections_at_first(access))
    gc.freeze()  # nothing to collect any more: the process exits 0.3 s earlier


async def _without_collections_at_first(access: Access) -> None:
    """The collector would look at each imported module again and again, and find nothing."""
    gc.disable()
    asyncio.get_running_loop().call_later(_BEGINNING_S, _collect)
    await serve_stdio(access)


def _collect() -> None:
    """Has garbage collected from now on; what is there by now stays."""
    gc.freeze()
    gc.enable()


def require_client(input_: int, output: int) -> None:
    """Say at a terminal what this is for. Raises OSError for a file, which nobody answers."""
    for name, stream in (("input", input_), ("output", output)):
        if stat.S_ISREG(os.fstat(stream).st_mode):
            raise OSError(f"standard {name} is a file: an editor has to be at the end of a pipe")
    if os.isatty(input_):
        sys.stderr.write(
            "jvmdebug dap: waits for an editor, which starts it and speaks the Debug Adapter"
            " Protocol with it; Ctrl-C ends it. To debug at a prompt: jvmdebug launch\n"
        )


def token_of(options: argparse.Namespace) -> str | None:
    """The token that clients of the server need. Raises TokenError."""
    if options.no_token:
        return None
    return new_token() if options.token_file is None else _token_in(options.token_file)


def _token_in(file: Path) -> str:
    from jvmdebug.token_file import read_printable_token  # noqa: PLC0415 - seldom needed

    return read_printable_token(file)


def announcing(
    options: argparse.Namespace, access: Access, fingerprint: str | None = None
) -> Callable[[str, int], None]:
    """Prints the address, the certificate's fingerprint if there is one, and the token if nobody
    else knows it.
    """

    def announce(host: str, port: int) -> None:
        sys.stdout.write(f"listening on {host_and_port(host, port)}\n")
        if fingerprint is not None:
            sys.stdout.write(f"{fingerprint}\n")
        if access.token is None:
            sys.stderr.write(
                "jvmdebug dap: warning: without a token any program of this machine, of other users"
                " too, can run programs as you through this port\n"
            )
        elif options.token_file is None:
            sys.stdout.write(f"token {access.token}\n")
        sys.stdout.flush()

    return announce
