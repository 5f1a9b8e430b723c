# SPDX-License-Identifier: Apache-2.0
"""Tells where a JVM is: `HOST:PORT`, `unix:PATH`, `tls://HOST:PORT[/NAME]` behind a relay,
`container:NAME`, `pod:NAMESPACE/POD`, or the id of a process on this machine.

Owns the notation, and that of places to listen. Used by `attach`, by all subcommands that take a
TARGET, and by those that listen.
"""

from __future__ import annotations

import ipaddress
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypedDict

import jvmdebug
from jvmdebug.contained_places import PREFIXES, text_of
from jvmdebug_cli.argument_types import count_from
from jvmdebug_cli.exit_codes import WrongUsageError

if TYPE_CHECKING:
    import argparse

_UNIX: Final = "unix:"
_MAX_PORT: Final = 65535
_ADDRESS: Final = re.compile(
    r"(?:(?P<host>[^:\[\]\s]+|\[[0-9A-Fa-f:.]+\]):)?(?P<port>\d{1,5})", re.ASCII
)
_TLS: Final = "tls://"
_RELAYED: Final = re.compile(rf"{_TLS}(?P<address>[^/\s]+)(?:/\S*)?", re.ASCII)
TARGET_HELP: Final = (
    "HOST:PORT or unix:PATH of a debug agent, tls://HOST:PORT[/NAME] of a relay, a process id"
    " (see `jvmdebug ps`), container:NAME[/PROGRAM] or pod:NAMESPACE/POD[/CONTAINER[/PROGRAM]]"
)


def add_token_file(parser: argparse._ActionsContainer) -> None:
    """The options for an agent or a relay that asks for a token."""
    parser.add_argument(
        "--token-file",
        metavar="FILE",
        help="the token of an agent with token-file=, or of a relay (default: $JVMDEBUG_TOKEN_FILE,"
        " if it asks)",
    )
    parser.add_argument(
        "--fingerprint",
        metavar="SHA256:...",
        help="of the certificate of the relay (default: the one that was met the first time)",
    )


def add_container(parser: argparse._ActionsContainer) -> None:
    """The options for a JVM in a container or a pod, in place of a TARGET."""
    parser.add_argument(
        "--container",
        metavar="NAME",
        help="the JVM in this container of this machine (Docker, Podman and others)",
    )
    parser.add_argument(
        "--pod",
        metavar="NAMESPACE/POD[/CONTAINER]",
        help="the JVM in this pod of Kubernetes, by kubectl",
    )
    parser.add_argument(
        "--pid",
        type=count_from(1),
        metavar="NUMBER",
        help="with --container or --pod: the JVM with this number there, if there are several",
    )
    parser.add_argument(
        "--main-class",
        metavar="NAME",
        help="with --container or --pod: the JVM that runs this class or jar",
    )
    parser.add_argument(
        "--debug-image",
        metavar="IMAGE",
        help="with --pod: an image with a JDK to run as an ephemeral container, where the pod's own"
        " has no shell or no jcmd",
    )


def contained_target(options: argparse.Namespace) -> str | None:
    """The TARGET that these options stand for; None without them. WrongUsageError."""
    if options.container is None and options.pod is None:
        if options.pid or options.main_class or options.debug_image:
            raise WrongUsageError("--pid, --main-class, --debug-image: with --container or --pod")
        return None
    if options.container is not None and options.pod is not None:
        raise WrongUsageError("--container or --pod: not both")
    which = options.main_class or ("" if options.pid is None else str(options.pid))
    try:
        return text_of(options.container, options.pod, which)
    except jvmdebug.LaunchError:
        raise WrongUsageError("--pod: write NAMESPACE/POD or NAMESPACE/POD/CONTAINER") from None


class Place(TypedDict, total=False):
    """The place of a JVM, as arguments of `jvmdebug.attach`."""

    host: str
    port: int
    pid: int


def address(text: str) -> tuple[str, int]:
    """Host and port of `5005`, `host:5005`, `[::1]:5005`; `unix:PATH`, the path of a socket, and
    the relay `tls://HOST:PORT[/NAME]` as the host.

    WrongUsageError for anything else.
    """
    if text.removeprefix(_UNIX) not in (text, ""):
        return text, 0
    if text.startswith(PREFIXES) and not text.endswith(":"):
        return text, 0
    if text.startswith(_TLS):
        relay = _RELAYED.fullmatch(text)
        if relay is None or ":" not in relay["address"]:
            raise WrongUsageError(f"{text!r} is not an address: write tls://HOST:PORT[/NAME]")
        address(relay["address"])
        return text, 0
    found = _ADDRESS.fullmatch(text)
    host = "" if found is None else found["host"] or "localhost"
    if found is None or not 0 < int(found["port"]) <= _MAX_PORT or not _is_host(host):
        raise WrongUsageError(
            f"{text!r} is not an address: write PORT, HOST:PORT, [IPV6]:PORT, unix:PATH or"
            " tls://HOST:PORT[/NAME]"
        )
    return host.strip("[]"), int(found["port"])


def listening_place(text: str) -> tuple[str, int] | None:
    """Host and port of `5005`, on loopback, `HOST:PORT` or `*:PORT`; None for anything else."""
    name, _, number = text.rpartition(":")
    if not (number.isascii() and number.isdecimal() and int(number) <= _MAX_PORT):
        return None
    return {"": "127.0.0.1", "*": "0.0.0.0"}.get(name, name.strip("[]")), int(number)  # noqa: S104


def _is_host(text: str) -> bool:
    """Says whether a host in brackets is an address of IPv6; a name is looked up later."""
    if not text.startswith("["):
        return True
    try:
        ipaddress.IPv6Address(text.strip("[]"))
    except ValueError:
        return False
    return True


def address_or_process(text: str) -> Place:
    """What `attach` takes: an address, where a number alone is a port unless it can be none, or
    else the id of a Java process. Raises as `target`.
    """
    is_number = text.isascii() and text.isdecimal()
    if is_number and (int(text) > _MAX_PORT or jvmdebug.local_jvm(int(text)) is not None):
        return target(text)
    return _at(text)


def other_process(text: str) -> str | None:
    """The name of the process that a number alone may mean, if that is none of a JVM."""
    if not (text.isascii() and text.isdecimal()) or jvmdebug.local_jvm(int(text)) is not None:
        return None
    try:
        lines = Path(f"/proc/{int(text)}/status").read_text(errors="replace").splitlines()
    except OSError:
        return None
    status = dict(line.partition(":")[::2] for line in lines)
    is_thread = status.get("Tgid", "").strip() != str(int(text))  # those have such a file, too
    return None if is_thread else jvmdebug.one_line(status.get("Name", "?").strip())


def target(text: str) -> Place:
    """The same of a TARGET, where a number alone is a process id. WrongUsageError for neither."""
    if text.isascii() and text.isdecimal():
        return {"pid": int(text)}
    try:
        return _at(text)
    except WrongUsageError:
        if text.startswith(_TLS):
            raise
        raise WrongUsageError(
            f"{text!r} is no target: write HOST:PORT, unix:PATH, the id of a process,"
            " container:NAME or pod:NAMESPACE/POD"
        ) from None


def _at(text: str) -> Place:
    host, port = address(text)
    return {"host": host, "port": port}
