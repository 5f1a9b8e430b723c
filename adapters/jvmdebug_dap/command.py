# SPDX-License-Identifier: Apache-2.0
"""The command line of the DAP server. The `jvmdebug` command calls `main` for `jvmdebug dap`."""

from __future__ import annotations

import argparse
import asyncio
import gc
import logging
import os
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug import one_line, several_lines
from jvmdebug_dap.access import Access, AuditLog, TokenError, new_token, read_token
from jvmdebug_dap.relay import RelayError, relay
from jvmdebug_dap.server import AddressError, serve_stdio, serve_tcp

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_DESCRIPTION = """\
Debug Adapter Protocol server for Java programs. Without --listen it serves one
debug session on standard input and output, which is how editors start it.

  jvmdebug dap --listen 127.0.0.1:4711       serve many clients; prints the address, then the token
                                             that each has to send first
  jvmdebug dap --connect 127.0.0.1:4711 --token-file FILE
                                             standard input and output are those of that server, so
                                             that an editor that starts adapters can use it
"""


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(
        prog="jvmdebug dap",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument(
        "--listen",
        metavar="HOST:PORT",
        type=address,
        help="serve one session for each TCP connection and print `listening on HOST:PORT`; "
        "port 0 takes any free one; HOST must be a loopback address (127.0.0.1)",
    )
    made.add_argument(
        "--connect",
        metavar="HOST:PORT",
        type=address,
        help="relay standard input and output to a server that listens, with its token",
    )
    tokens = made.add_mutually_exclusive_group()
    tokens.add_argument(
        "--token-file",
        metavar="FILE",
        type=Path,
        help="with --listen: the token that clients have to send, instead of a new one; with"
        " --connect: the token to send. Only this user may be able to read the file",
    )
    tokens.add_argument(
        "--no-token",
        action="store_true",
        help="with --listen: serve everybody who connects. Any program of this machine can then run"
        " programs as this user",
    )
    made.add_argument(
        "--audit-log",
        metavar="FILE",
        type=Path,
        help="append a line of JSON for each connection, launch, evaluation, changed code and end",
    )
    made.add_argument(
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        default="warning",
        help="what is logged to standard error (default: warning)",
    )
    return made


class SafeFormatter(logging.Formatter):
    """Lines of the log, with names and messages of the debuggee in them, on a terminal."""

    def format(self, record: logging.LogRecord) -> str:
        return several_lines(super().format(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - of the base class
        record.message = one_line(record.message)
        return super().formatMessage(record)


def address(text: str) -> tuple[str, int]:
    """`127.0.0.1:4711`, `[::1]:4711` or `:4711`. ArgumentTypeError says what is expected."""
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"should be HOST:PORT, for example 127.0.0.1:0: {text!r}")
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port)


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until the client (stdio) or a signal (TCP) ends it; 2 for an unusable address."""
    options = parser().parse_args(argv)
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(SafeFormatter("%(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=options.log_level.upper(), handlers=[handler])
    try:
        audit = None if options.audit_log is None else AuditLog(options.audit_log)
        run(options, audit)
    except (AddressError, RelayError, TokenError, OSError) as error:
        sys.stderr.write(f"jvmdebug dap: {error}\n")
        return 2
    return 0


def run(options: argparse.Namespace, audit: AuditLog | None) -> None:
    """Serve or relay as the options say. Raises what `main` reports."""
    if options.connect is not None:
        host, port = options.connect
        token = None if options.token_file is None else read_token(options.token_file)
        asyncio.run(relay(host, port, token))
    elif options.listen is None:
        require_client(sys.stdin.fileno(), sys.stdout.fileno())
        asyncio.run(serve_stdio(Access(audit=audit)))
        gc.freeze()  # nothing to collect any more: the process exits 0.3 s earlier
    else:
        host, port = options.listen
        access = Access(token_of(options), audit)
        asyncio.run(serve_tcp(host, port, announcing(options, access), access=access))


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
    return new_token() if options.token_file is None else read_token(options.token_file)


def announcing(options: argparse.Namespace, access: Access) -> Callable[[str, int], None]:
    """Prints the address, and the token if nobody else knows it."""

    def announce(host: str, port: int) -> None:
        shown = f"[{host}]" if ":" in host else host
        sys.stdout.write(f"listening on {shown}:{port}\n")
        if access.token is None:
            sys.stderr.write(
                "jvmdebug dap: warning: without a token any program of this machine, of other users"
                " too, can run programs as you through this port\n"
            )
        elif options.token_file is None:
            sys.stdout.write(f"token {access.token}\n")
        sys.stdout.flush()

    return announce
