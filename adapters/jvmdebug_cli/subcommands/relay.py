# SPDX-License-Identifier: Apache-2.0
"""`jvmdebug relay`: TLS, tokens and roles in front of debug agents of this machine."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug.printable import host_and_port
from jvmdebug_cli.addresses import listening_place
from jvmdebug_cli.argument_types import count_from
from jvmdebug_cli.exit_codes import DONE, OutOfReachError, WrongUsageError

if TYPE_CHECKING:
    from collections.abc import Coroutine, Iterator

    from jvmdebug.tls.admission import TokenFile
    from jvmdebug_cli.subcommands.asking import Commands

_DESCRIPTION = """\
Let debuggers of other machines reach JVMs of this one: over TLS 1.3, with a token, and with the
role of that token. It prints `listening on HOST:PORT` and the fingerprint of its certificate.

  jvmdebug relay --listen 0.0.0.0:7000 --token-file F localhost:5005
                                                      an agent that listens
  jvmdebug relay --listen 0.0.0.0:7000 --token-file F shop.Main 4242
                                                      JVMs by main class and process id
  jvmdebug relay --listen 0.0.0.0:7000 --read-only-token-file F shop=localhost:5005
                                                      under a name, and only to look at

  jvmdebug attach tls://HOST:7000/shop --token-file F     from another machine
"""

_EPILOG = """\
Roles: the token of --token-file lets debuggers do everything. That of --observe-token-file lets
them read, count objects, dump the heap, collect garbage and sample; that of --read-only-token-file
lets them read. Neither runs or changes anything of the program, inserts probes (as a trace does),
or holds the program longer than --longest-stop at once.
"""


def add(commands: Commands) -> None:
    """The arguments."""
    parser = commands.add_parser(
        "relay",
        help="TLS, tokens and roles in front of JVMs of this machine",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "targets",
        nargs="+",
        metavar="TARGET",
        help="HOST:PORT, unix:PATH, a process id or a main class; NAME=TARGET gives it a name."
        " No other JVM can be reached",
    )
    parser.add_argument(
        "--listen",
        metavar="HOST:PORT",
        required=True,
        help="where debuggers connect; port 0 takes any free one",
    )
    for name, what in (
        ("token-file", "do everything"),
        ("observe-token-file", "read, trace, count and profile"),
        ("read-only-token-file", "read"),
    ):
        parser.add_argument(
            f"--{name}",
            metavar="FILE",
            type=Path,
            help=f"debuggers with the token in FILE may {what}; only this user may read the file",
        )
    parser.add_argument(
        "--longest-stop",
        metavar="MS",
        type=count_from(1),
        default=2000,
        help="how many milliseconds a debugger that may not do everything holds the program at once"
        " (2000); its connection ends then, and the program runs again",
    )
    parser.add_argument(
        "--agent-token-file",
        metavar="FILE",
        type=Path,
        help="the token of the agents, where they ask for one (token-file=)",
    )
    parser.add_argument(
        "--cert",
        metavar="FILE",
        type=Path,
        help="a certificate (PEM) instead of the one that is made at the first start and kept",
    )
    parser.add_argument("--key", metavar="FILE", type=Path, help="the key of --cert (PEM)")
    parser.add_argument(
        "--audit-log",
        metavar="FILE",
        type=Path,
        help="append a line of JSON for each connection, refusal, and change of the program",
    )
    parser.set_defaults(run=_run)


def _run(parsed: argparse.Namespace) -> int:
    import asyncio  # noqa: PLC0415 - slow to import

    host, port = _listening_at(parsed.listen)
    from jvmdebug.audit_log import AuditLog  # noqa: PLC0415 - slow to import, as what follows
    from jvmdebug.os_errors import reason  # noqa: PLC0415
    from jvmdebug.relay import Relay, RelayOptions, relay_target  # noqa: PLC0415
    from jvmdebug.tls import proofs  # noqa: PLC0415
    from jvmdebug.tls.certificate import server_certificate  # noqa: PLC0415

    tokens = list(_tokens(parsed))
    if not tokens:
        raise WrongUsageError(
            "name a file with a token that debuggers have to know: --token-file,"
            " --observe-token-file or --read-only-token-file"
        )
    for each in tokens:
        proofs.read(each.path)  # what is wrong with it is said at the start
    agents = None if parsed.agent_token_file is None else proofs.read(parsed.agent_token_file)
    targets = [relay_target(each) for each in parsed.targets]
    names = [each.name for each in targets]
    if len(set(names)) < len(names):
        raise WrongUsageError(f"two targets have the same name: {', '.join(names)}")
    try:
        audit = None if parsed.audit_log is None else AuditLog(parsed.audit_log)
    except OSError as error:
        raise OutOfReachError(f"cannot write {parsed.audit_log}: {reason(error)}") from None
    certificate = server_certificate(parsed.cert, parsed.key)

    def announce(bound: str, number: int) -> None:
        sys.stdout.write(f"listening on {host_and_port(bound, number)}\n")
        sys.stdout.write(f"{certificate.fingerprint}\n")
        sys.stdout.flush()

    relay = Relay(
        RelayOptions(
            targets=targets,
            tokens=tokens,
            certificate=certificate,
            longest_stop_s=parsed.longest_stop / 1000,
            agent_token=agents,
            audit=audit,
        )
    )
    asyncio.run(_until_signal(relay.serve(host, port, announce)))
    return DONE


def _tokens(parsed: argparse.Namespace) -> Iterator[TokenFile]:
    from jvmdebug.relay import TokenFile  # noqa: PLC0415 - slow to import

    if parsed.token_file is not None:
        yield TokenFile(parsed.token_file)
    if parsed.observe_token_file is not None:
        yield TokenFile(parsed.observe_token_file, "observe")
    if parsed.read_only_token_file is not None:
        yield TokenFile(parsed.read_only_token_file, "read-only")


def _listening_at(text: str) -> tuple[str, int]:
    found = listening_place(text)
    if found is None or not text.rpartition(":")[0]:
        raise WrongUsageError(f"{text!r} is not HOST:PORT, such as 127.0.0.1:7000")
    return found


async def _until_signal(work: Coroutine[None, None, None]) -> None:
    """SIGINT and SIGTERM end the relay in order."""
    import asyncio  # noqa: PLC0415 - slow to import
    import contextlib  # noqa: PLC0415

    from jvmdebug.platform.signals import END, handled  # noqa: PLC0415

    serving = asyncio.ensure_future(work)
    with handled(END, serving.cancel), contextlib.suppress(asyncio.CancelledError):
        await serving
