# SPDX-License-Identifier: Apache-2.0
"""The debug agent of a JVM as its command line states it, and whether it listens now.

Owns the forms of the option (`-agentlib:jdwp=`, `-agentpath:…/libjvmdebug.so=`, `-Xrunjdwp:`). The
sockets come from the caller, `local_jvms`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, Literal

from jvmdebug.jdwp.transport import UNIX_PREFIX
from jvmdebug.printable import host_and_port

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_OPTION: Final = re.compile(
    r"-agentlib:(?:jdwp|(?P<ours>jvmdebug))(?:=(?P<lib>.*))?"
    r"|-agentpath:[^=]*(?:lib)?(?:jdwp|(?P<our_path>jvmdebug))\.(?:so|dylib|dll)(?:=(?P<path>.*))?"
    r"|-Xrunjdwp(?::(?P<run>.*))?"
)
_ANY: Final = ("", "*", "0.0.0.0", "::")  # noqa: S104 - read, not bound
_LOOPBACK: Final = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class DebugAgent:
    """The agent in a JVM."""

    kind: Literal["jvmdebug", "stock"]
    """`jvmdebug`, or `stock` for the JDK's own."""
    address: str | None = None
    """`127.0.0.1:5005` or `unix:PATH`: what to attach to, as far as it is known. Of an agent that
    does not listen itself: what it was told."""
    is_listening: bool = False
    """Whether a debugger can attach now. Not while one is attached."""
    connects: bool = False
    """It connects to a debugger (`server=n`) and never listens."""
    is_late: bool = False
    """It was loaded while the program ran. It listens as long as it serves a debugger."""


@dataclass(frozen=True, slots=True)
class ListeningSocket:
    """A TCP socket of a process that listens; `descriptor` is None if it is not known."""

    host: str
    port: int
    descriptor: int | None = None


def stated_agent(words: Iterable[str]) -> DebugAgent | None:
    """The agent that the options of a VM load, the last one if there are several."""
    found = None
    for word in words:
        option = _OPTION.fullmatch(word)
        if option is None:
            continue
        ours = option["ours"] or option["our_path"]
        texts = option["lib"] or option["path"] or option["run"] or ""
        pairs = dict(each.partition("=")[::2] for each in texts.split(","))
        address = pairs.get("address")
        if pairs.get("transport") == "unix" and address is not None:
            address = UNIX_PREFIX + address
        # libjdwp is a client unless told otherwise; `onthrow` and `onuncaught` change nothing here.
        connects = pairs.get("server", "n") != "y"
        found = DebugAgent("jvmdebug" if ours else "stock", address, connects=connects)
    return found


def listening_agent(
    agent: DebugAgent, sockets: Sequence[ListeningSocket], unix_paths: frozenset[str]
) -> DebugAgent:
    """The agent with where it listens, if it does, by the sockets of its process."""
    if agent.connects:
        return agent
    if agent.address is not None and agent.address.startswith(UNIX_PREFIX):
        listens = agent.address.removeprefix(UNIX_PREFIX) in unix_paths
        return replace(agent, is_listening=listens)
    host, _, port = (agent.address or "0").rpartition(":")
    wanted = int(port) if port.isdecimal() else 0
    fitting = [each for each in sockets if wanted in (0, each.port)]
    if not fitting:
        return agent
    # Of a port that the system chose it is not known which; the agent was there before the program.
    found = fitting[0] if wanted else min(fitting, key=lambda each: each.descriptor or 0)
    shown = found.host
    if shown in _ANY:
        shown = _LOOPBACK if host in _ANY else host
    return replace(agent, address=host_and_port(shown, found.port), is_listening=True)
