# SPDX-License-Identifier: Apache-2.0
"""The options of `jvmdebug dap`. Imported by `command` if there are any."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NoReturn

_DESCRIPTION = """\
Debug Adapter Protocol server for Java programs. Without --listen it serves one
debug session on standard input and output, which is how editors start it.

  jvmdebug dap --listen 127.0.0.1:4711       serve many clients; prints the address, then the token
                                             that each has to send first
  jvmdebug dap --connect 127.0.0.1:4711 --token-file FILE
                                             standard input and output are those of that server, so
                                             that an editor that starts adapters can use it
"""


class _Parser(argparse.ArgumentParser):
    """Wrong usage is one line; the rest is in the help."""

    def error(self, message: str) -> NoReturn:
        text = message.removeprefix("argument ")
        text = text.replace("unrecognized arguments: ", "it takes no ")
        text = text.replace(": expected one argument", " needs a value after it")
        text = text.replace(": not allowed with argument", " does not go with")
        self.exit(2, f"{self.prog}: error: {text}; see `{self.prog} --help`\n")


def parser() -> argparse.ArgumentParser:
    made = _Parser(
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


def address(text: str) -> tuple[str, int]:
    """`127.0.0.1:4711`, `[::1]:4711` or `:4711`. ArgumentTypeError says what is expected."""
    host, colon, port = text.rpartition(":")
    if not colon or not port.isdecimal() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"should be HOST:PORT, for example 127.0.0.1:0: {text!r}")
    return host.removeprefix("[").removesuffix("]") or "127.0.0.1", int(port)
