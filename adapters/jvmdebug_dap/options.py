# SPDX-License-Identifier: Apache-2.0
"""The options of `jvmdebug dap`. Imported by `command` if there are any."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

if TYPE_CHECKING:
    from jvmdebug.tls.client import TlsAddress

_DESCRIPTION = """\
Debug Adapter Protocol server for Java programs. Without --listen it serves one
debug session on standard input and output, which is how editors start it.

  jvmdebug dap --listen 127.0.0.1:4711       serve many clients; prints the address, then the token
                                             that each has to send first
  jvmdebug dap --listen 0.0.0.0:4711 --token-file FILE
                                             the same for other machines: with TLS 1.3; prints the
                                             fingerprint of the certificate behind the address
  jvmdebug dap --connect 127.0.0.1:4711 --token-file FILE
                                             standard input and output are those of that server, so
                                             that an editor that starts adapters can use it
  jvmdebug dap --join shop.Main              an editor in a session that another has started
  jvmdebug dap --connect tls://server:4711 --token-file FILE --fingerprint SHA256:...
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
        "port 0 takes any free one. With a HOST that is not loopback it speaks TLS 1.3",
    )
    made.add_argument(
        "--connect",
        metavar="[tls://]HOST:PORT",
        type=server_address,
        help="relay standard input and output to a server that listens, with its token",
    )
    made.add_argument(
        "--join",
        nargs="?",
        const="",
        metavar="NAME",
        help="`attach` joins this session of a prompt, an editor, an assistant or a script, as"
        " `jvmdebug sessions` lists it; without NAME the only one",
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
        "--tls", action="store_true", help="with --listen: speak TLS 1.3 on loopback, too"
    )
    made.add_argument(
        "--cert",
        metavar="FILE",
        type=Path,
        help="with --listen: a certificate (PEM) instead of the one that is made and kept",
    )
    made.add_argument("--key", metavar="FILE", type=Path, help="the key of --cert (PEM)")
    made.add_argument(
        "--fingerprint",
        metavar="SHA256:...",
        help="with --connect tls://: of the server's certificate (default: that of the first time)",
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


def server_address(text: str) -> tuple[str, int] | TlsAddress:
    """The same, or `tls://HOST:PORT`. Raises as `address`."""
    if not text.startswith("tls://"):
        return address(text)
    from jvmdebug.tls.client import parsed  # noqa: PLC0415 - slow to import

    found = parsed(text)
    if found is None or found.name:
        raise argparse.ArgumentTypeError(f"should be tls://HOST:PORT: {text!r}")
    return found
