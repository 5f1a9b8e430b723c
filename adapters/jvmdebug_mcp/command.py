# SPDX-License-Identifier: Apache-2.0
"""The command line of the MCP server. The `jvmdebug` command calls `main` for `jvmdebug mcp`."""

from __future__ import annotations

import argparse
import asyncio
import importlib.util
import ipaddress
import logging
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from jvmdebug.errors import LaunchError, TokenError
from jvmdebug.platform.installation import how_to_get
from jvmdebug.token_file import read_printable_token

if TYPE_CHECKING:
    from collections.abc import Sequence

_DESCRIPTION = """\
MCP server: a coding assistant starts or attaches to a Java program, sets stop points and traces,
and asks what it did. Without --http it serves one client on standard input and output.

  jvmdebug mcp                                          how an assistant starts it
  jvmdebug mcp --join shop.Main                         ... in a session that somebody has started
  jvmdebug mcp --read-only                              nothing of the program is run or changed
  jvmdebug mcp --http 127.0.0.1:4712 --token-file FILE  for clients that connect over HTTP; they
                                                        send `Authorization: Bearer TOKEN`
"""


class _UsageError(Exception):
    """An argument cannot be used; the message says why."""


class _Parser(argparse.ArgumentParser):
    """Wrong usage is one line; the rest is in the help."""

    def error(self, message: str) -> NoReturn:
        text = message.removeprefix("argument ")
        text = text.replace("unrecognized arguments: ", "it takes no ")
        text = text.replace(": expected one argument", " needs a value after it")
        self.exit(2, f"{self.prog}: error: {text}; see `{self.prog} --help`\n")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds < float("inf"):  # nor NaN
        raise argparse.ArgumentTypeError(f"{text!r} is no time: write seconds, 0 for never")
    return seconds


def parser() -> argparse.ArgumentParser:
    made = _Parser(
        prog="jvmdebug mcp",
        description=_DESCRIPTION,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument(
        "--http",
        metavar="HOST:PORT",
        help="listen for HTTP on a loopback address instead; the endpoint is /mcp",
    )
    made.add_argument(
        "--token-file",
        metavar="FILE",
        type=Path,
        help="with --http: the token that clients have to send; only this user may read the file",
    )
    made.add_argument(
        "--read-only", action="store_true", help="run and change nothing of the program"
    )
    made.add_argument(
        "--join",
        metavar="NAME",
        nargs="?",
        const="",
        help="serve the assistant in a session that a prompt or an editor has started; `jvmdebug"
        " sessions` lists them; without NAME, in the only one",
    )
    made.add_argument(
        "--watchdog",
        metavar="SECONDS",
        type=_seconds,
        default=120.0,
        help="resume a program that was left stopped for so long (%(default)g), 0 for never",
    )
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """Serve until the client goes; the exit code."""
    options = parser().parse_args(arguments)
    if importlib.util.find_spec("mcp") is None:
        print(f"jvmdebug mcp needs the package mcp: {how_to_get('mcp')}", file=sys.stderr)  # noqa: T201
        return 3
    logging.basicConfig(level=logging.ERROR, stream=sys.stderr)
    try:
        where = None if options.http is None else _address(options.http)
        if (where is None) != (options.token_file is None):
            raise _UsageError("--http and --token-file go together")  # noqa: TRY301
        token = "" if options.token_file is None else read_printable_token(options.token_file)
    except (_UsageError, TokenError) as error:
        print(f"jvmdebug mcp: {error}", file=sys.stderr)  # noqa: T201
        return 2
    from jvmdebug_mcp import serving  # noqa: PLC0415 - needs the package `mcp`

    seconds = options.watchdog or None
    try:
        asyncio.run(
            serving.serve(
                where,
                token,
                read_only=options.read_only,
                watchdog_s=seconds,
                join=options.join,
            )
        )
    except (serving.AddressError, LaunchError) as error:
        print(f"jvmdebug mcp: {error}", file=sys.stderr)  # noqa: T201
        return 3
    except KeyboardInterrupt:
        return 130
    return 0


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    try:
        is_loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
        number = int(port)
    except ValueError:
        raise _UsageError(f"--http {text} is not HOST:PORT, such as 127.0.0.1:4712") from None
    if not is_loopback:
        raise _UsageError(f"--http {text}: HOST has to be a loopback address, such as 127.0.0.1")
    return host, number
