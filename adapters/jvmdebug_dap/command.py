# SPDX-License-Identifier: Apache-2.0
"""The command line of the DAP server. The `jvmdebug` command calls `main` for `jvmdebug dap`."""

from __future__ import annotations

import argparse
import asyncio
import logging
import sys
from typing import TYPE_CHECKING

from jvmdebug_dap.server import AddressError, serve_stdio, serve_tcp

if TYPE_CHECKING:
    from collections.abc import Sequence

_DESCRIPTION = """\
Debug Adapter Protocol server for Java programs. Without --listen it serves one
debug session on standard input and output, which is how editors start it.
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
        "--log-level",
        choices=("debug", "info", "warning", "error"),
        default="warning",
        help="what is logged to standard error (default: warning)",
    )
    return made


def address(text: str) -> tuple[str, int]:
    """`127.0.0.1:4711`, `[::1]:4711` or `:4711`. ArgumentTypeError says what is expected."""
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"should be HOST:PORT, for example 127.0.0.1:0: {text!r}")
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port)


def main(argv: Sequence[str] | None = None) -> int:
    """Serve until the client (stdio) or a signal (TCP) ends it; 2 for an unusable address."""
    options = parser().parse_args(argv)
    logging.basicConfig(
        level=options.log_level.upper(),
        stream=sys.stderr,
        format="%(levelname)s %(name)s: %(message)s",
    )
    try:
        if options.listen is None:
            asyncio.run(serve_stdio())
        else:
            host, port = options.listen
            asyncio.run(serve_tcp(host, port, announce))
    except AddressError as error:
        sys.stderr.write(f"jvmdebug dap: {error}\n")
        return 2
    return 0


def announce(host: str, port: int) -> None:
    shown = f"[{host}]" if ":" in host else host
    sys.stdout.write(f"listening on {shown}:{port}\n")
    sys.stdout.flush()
