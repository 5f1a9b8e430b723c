# SPDX-License-Identifier: Apache-2.0
"""Finds our agent's library, and makes the option strings that load it or the JDK's own agent.

Owns the choice between the two agents for a given JDK, and the mode of our agent. Starting the VM
is the work of `debuggee_process`.
"""

from __future__ import annotations

import contextlib
import ipaddress
import os
import re
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypeAlias

from jvmdebug.errors import LaunchError
from jvmdebug.jdwp.transport import UNIX_PREFIX
from jvmdebug.platform.binaries import PLATFORMS, platform_of, this_platform

if TYPE_CHECKING:
    from collections.abc import Iterator

    from jvmdebug.jdk import Jdk

AgentKind: TypeAlias = Literal["jvmdebug", "stock"]
AgentChoice: TypeAlias = Literal["auto", "jvmdebug", "stock"]
Mode: TypeAlias = Literal["full", "fast"]
"""Which capabilities the agent takes: all, or all but those for the events that make the program's
exceptions slow for the whole run (exception, frame pop, method exit).
"""
ModeChoice: TypeAlias = Literal["auto", "full", "fast"]
ProbeChoice: TypeAlias = Literal["auto", "off"]

AGENT_ENVIRONMENT_NAME = "JVMDEBUG_AGENT"
"""Names a library to use in place of the installed one, or a folder of them by platform, as
`make agents` fills it: for work on the agent itself.
"""

OLDEST_JDK = 11
"""The agent uses JVM TI 11."""

_INCLUDING = ",includevirtualthreads=y"

_ADDRESS = re.compile(r"(?:(?:[^:\[\],]+|\[[^\[\],]+\]):)?(?P<port>[0-9]{1,5})")
_MAX_PORT = 65535
_LIBRARY_NAMES = {"macos": "libjvmdebug.dylib", "windows": "jvmdebug.dll"}


def find_agent_library(name: str | None = None) -> Path | None:
    """The agent's library for a platform; None if there is none.

    `name` is as in `platform_of`; default: the platform of this machine. The environment variable
    comes first, whatever it names, then the one that was built here, then the folder of agents.
    """
    wanted = name or this_platform()
    named = os.environ.get(AGENT_ENVIRONMENT_NAME)
    if named:
        path = Path(named)
        if path.is_dir():
            path = path / wanted / _library_name(wanted)
        return path.resolve() if path.is_file() else None
    built = _installed("_agent") / _library_name(wanted)
    if built.is_file() and platform_of(built) == wanted:
        return built.resolve()
    for folder in _folders():
        path = folder / wanted / _library_name(wanted)
        if path.is_file():
            return path.resolve()
    return None


def launch_agent_path(platform: str | None = None) -> Path:
    """The agent's library for a platform (`linux-musl-x86_64`, `macos-arm64`), default: that of
    this machine. LaunchError if this installation has none, which names those that it has.
    """
    name = platform or this_platform()
    path = find_agent_library(name)
    if path is not None:
        return path
    named = os.environ.get(AGENT_ENVIRONMENT_NAME)
    if named:
        tried = f"{AGENT_ENVIRONMENT_NAME}={named} is not a file"
        if Path(named).is_dir():
            tried = f"{AGENT_ENVIRONMENT_NAME}={named} has none for {name}"
    elif there := platforms_there():
        tried = f"this installation has none for {name}, but for {', '.join(there)}"
    else:
        tried = f"{_library_name(name)} is not part of this installation"
    raise LaunchError(
        f"the jvmdebug agent is not there: {tried}; build it, or use the JDK's (`stock`)"
    )


def platforms_there() -> list[str]:
    """The platforms whose agent this installation has, without the environment variable."""
    found = {each.parent.name for folder in _folders() for each in folder.glob("*/*jvmdebug.*")}
    found |= {
        each
        for library in _installed("_agent").glob("*jvmdebug.*")
        if (each := platform_of(library)) is not None
    }
    return sorted(found & set(PLATFORMS))


def _installed(folder: str) -> Path:
    """A folder of the package; an editable install has its compiled files in another place."""
    return Path(str(resources.files("jvmdebug") / folder))


def _folders() -> Iterator[Path]:
    """Folders of agents by platform: in the package, and where a clone builds them."""
    yield _installed("agents")
    clone = Path(__file__).parents[2]
    if (clone / "pyproject.toml").is_file():
        yield clone / "dist" / "agents"


def _library_name(name: str) -> str:
    return _LIBRARY_NAMES.get(name.partition("-")[0], "libjvmdebug.so")


def choose_agent(choice: AgentChoice, jdk: Jdk) -> AgentKind:
    """The agent to start `jdk` with, as `choose_library` says it."""
    return "stock" if choose_library(choice, jdk) is None else "jvmdebug"


def choose_library(choice: AgentChoice, jdk: Jdk) -> Path | None:
    """The agent's library to start `jdk` with; None: the JDK's own agent. `auto` takes ours where
    it can be loaded.

    Raises LaunchError if the wanted one, or any, cannot be loaded there.
    """
    if choice == "stock":
        if not jdk.has_stock_agent:
            raise LaunchError(
                f"the Java runtime in {jdk.home} has no JDWP agent of its own (no libjdwp.so); "
                "use jvmdebug's agent or another runtime"
            )
        return None
    try:
        return _library_for(jdk)
    except LaunchError as error:
        if choice == "auto" and jdk.has_stock_agent:
            return None
        raise LaunchError(f"cannot use the jvmdebug agent with {jdk.home}: {error}") from None


def choose_mode(
    choice: ModeChoice,
    agent: AgentKind,
    probes: ProbeChoice = "auto",
    training_option: str | None = None,
) -> Mode:
    """The mode to start a program in. `auto` is fast with our agent, and full without probes and
    with the option of a training run: in the fast mode exception breakpoints change the code of
    `Throwable`.

    Raises LaunchError for the fast mode of the JDK's own agent, which has none, and of a training
    run, which would crash.
    """
    if agent == "stock":
        if choice == "fast":
            raise LaunchError(
                "the JDK's own agent has no fast mode: use jvmdebug's agent, or the mode `auto`"
            )
        return "full"
    if choice == "fast" and training_option is not None:
        raise LaunchError(
            f"{training_option} makes the JVM record classes, and it crashes at its end if the "
            "fast mode has changed them: use the mode `full` or `auto`"
        )
    if choice == "auto":
        return "full" if probes == "off" or training_option is not None else "fast"
    return choice


def agent_option(
    address: str = "127.0.0.1:0",
    *,
    server: bool = True,
    suspend: bool = True,
    mode: Mode = "full",
    virtual_threads: bool = False,
    token_file: str | Path | None = None,
    insecure: bool = False,
    library: Path | None = None,
) -> str:
    """The ready `-agentpath:` argument for a VM that is to be debugged with our agent.

    `address` is what the agent takes, or `unix:PATH` for a UNIX-domain socket; LaunchError for
    anything else. With `virtual_threads` all virtual threads are listed, not only those that a stop
    has shown. With a `token_file` only debuggers that have the token in it are let in. LaunchError
    for an address that a network reaches without a token, unless it is meant to be `insecure`.
    `library` is the agent for the platform of the VM; default: the one for this machine.
    """
    options = _jdwp_options(address, server=server, suspend=suspend)
    if token_file is not None:
        options += f",token-file={_listed(token_file)}"
    elif server and not insecure and not _is_local(address):
        raise LaunchError(
            f"{address}: whoever reaches it could run code in the program: name a file with a token"
            " that debuggers have to know (--token-file FILE), listen on loopback (without a host),"
            " or let everybody in (--insecure)"
        )
    options += ",insecure=y" * insecure
    options += _INCLUDING * virtual_threads
    if mode != "full":
        options += f",mode={mode}"
    return f"-agentpath:{library or launch_agent_path()}={options}"


def stock_agent_option(
    address: str = "127.0.0.1:0",
    *,
    server: bool = True,
    suspend: bool = True,
    virtual_threads: bool = False,
) -> str:
    """The ready `-agentlib:jdwp` argument: the same with the JDK's own agent, which knows
    `virtual_threads` from JDK 21 on.

    Raises LaunchError for a UNIX-domain socket, which that agent does not know.
    """
    if address.startswith(UNIX_PREFIX):
        raise LaunchError(f"the JDK's own agent knows no {address}: use jvmdebug's agent, or TCP")
    options = _jdwp_options(address, server=server, suspend=suspend) + _INCLUDING * virtual_threads
    return f"-agentlib:jdwp={options}"


def _jdwp_options(address: str, *, server: bool, suspend: bool) -> str:
    yes_no = {True: "y", False: "n"}
    transport = "dt_socket"
    if address.startswith(UNIX_PREFIX):
        transport, address = "unix", address.removeprefix(UNIX_PREFIX)
        if not address or "," in address:
            raise LaunchError(f"unix:{address}: should be the path of a socket, without commas")
    else:
        _check_address(address)
    return (
        f"transport={transport},server={yes_no[server]},suspend={yes_no[suspend]},address={address}"
    )


def _listed(file: str | Path) -> str:
    """The path as an option takes it: the program may run in another directory."""
    path = str(Path(file).absolute())
    if "," in path:
        raise LaunchError(
            f"the path of the token file {path} has a comma, which options cannot: set"
            " JVMDEBUG_TOKEN_FILE in the environment of the program"
        )
    return path


def _is_local(address: str) -> bool:
    """Whether only this machine reaches the address; a name but localhost may mean anything."""
    if address.startswith(UNIX_PREFIX):
        return True
    host = address.rpartition(":")[0].strip("[]").partition("%")[0]
    if host in ("", "localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _check_address(address: str) -> None:
    found = _ADDRESS.fullmatch(address)
    if found is None or int(found["port"]) > _MAX_PORT:
        raise LaunchError(
            f"{address!r} is not an address to listen on: write PORT, HOST:PORT, [IPV6]:PORT, "
            "*:PORT or unix:PATH, with a PORT up to 65535 (0 takes a free one)"
        )


def _library_for(jdk: Jdk) -> Path:
    """Our library for that runtime; LaunchError with the reason if it can load none."""
    runtime = platform_of_runtime(jdk)
    path = launch_agent_path(runtime)
    if jdk.feature_version is not None and jdk.feature_version < OLDEST_JDK:
        raise LaunchError(f"it needs JDK {OLDEST_JDK} or later, this is {jdk.feature_version}")
    built = platform_of(path)
    if built is None:
        raise LaunchError(f"{path} is not a shared library")
    if built != runtime:
        raise LaunchError(f"{path} is built for {built}, and the Java runtime for {runtime}")
    return path


def platform_of_runtime(jdk: Jdk) -> str:
    """The platform that a Java runtime is built for, by its VM or its launcher; that of this
    machine if neither says so.
    """
    for path in (jdk.vm_library, jdk.home / "bin" / jdk.java.name):
        with contextlib.suppress(OSError):
            if path is not None and (found := platform_of(path)) is not None:
                return found
    return this_platform()
