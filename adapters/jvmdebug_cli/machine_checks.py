# SPDX-License-Identifier: Apache-2.0
"""What `jvmdebug doctor` finds out about a machine: what is there, what is missing, how to get it.

Each check looks at one subject and changes nothing. The agent is really loaded, by each Java
runtime that was found, with the option that prints its help and ends the VM. Called by
`subcommands.doctor`.
"""

from __future__ import annotations

import contextlib
import getpass
import importlib.util
import os
import platform
import shutil
import socket
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import jvmdebug
from jvmdebug.attaching.agent_loading import forbids_code
from jvmdebug.jdk import Jdk, all_jdks
from jvmdebug.launch.agent_library import OLDEST_JDK, choose_agent, find_agent_library
from jvmdebug.os_errors import reason
from jvmdebug.platform import system
from jvmdebug.platform.installation import how_to_get, is_frozen
from jvmdebug.regular_file import read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

State: TypeAlias = Literal["ok", "missing", "note"]
"""`missing`: something does not work without it. `note`: it is not there, and may not be needed."""

_START_S: Final = 20.0
_CONNECT_S: Final = 1.0
_INSTALL_JDK: Final = "install a JDK, or set JAVA_HOME; `jvmdebug.javaHome` in VS Code"
_EDITORS: Final = {
    "VS Code": ("code", "code-insiders", "codium", "code-server"),
    "Neovim": ("nvim",),
    "Emacs": ("emacs",),
    "Helix": ("hx", "helix"),
    "Zed": ("zed", "zeditor"),
}
_ENGINES: Final = {
    "Docker": ("/var/run/docker.sock",),
    "Podman": ("/run/podman/podman.sock", "{runtime}/podman/podman.sock"),
}
_PARTS: Final = {
    "tables and SQL of heap dumps": ("heap", ("duckdb", "pyarrow")),
    "the server for coding assistants": ("mcp", ("mcp", "uvicorn")),
}
"""What needs further packages: the extra that installs them, and their names."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What one check has found."""

    subject: str
    """What was looked at: `Java`, `agent`, `attach by process id`."""
    state: State
    text: str
    """What is there, or what is missing and what does not work without it."""
    hint: str | None = None
    """How to get it; None if nothing is missing."""


def findings() -> Iterator[Finding]:
    """What all checks find, in the order in which people read it. Takes a second or two."""
    jdks = all_jdks()
    yield _jvmdebug()
    yield from _java(jdks)
    yield from _agent(jdks)
    yield from _parts()
    yield from _attaching()
    yield _build_tools()
    yield from _containers()
    yield _editors()
    yield _encoding()


def _jvmdebug() -> Finding:
    version = platform.python_version()
    text = (
        f"{jvmdebug.__version__}, {sys.executable} ({'its own ' * is_frozen()}Python {version}), "
        f"{platform.system()} {platform.machine()}, {' '.join(platform.libc_ver())}".rstrip(", ")
    )
    return Finding("jvmdebug", "ok", text)


def _java(jdks: list[Jdk]) -> Iterator[Finding]:
    if not jdks:
        yield Finding("Java", "missing", "no Java runtime: nothing can be started", _INSTALL_JDK)
        return
    for jdk in jdks:
        release = jdk.feature_version
        text = f"{release or 'of an unknown release'}, {jdk.home}"
        if release is not None and release < OLDEST_JDK:
            hint = f"use Java {OLDEST_JDK} or later"
            yield Finding("Java", "note", f"{text}: too old for jvmdebug's agent", hint)
            continue
        lacks = [] if jdk.javac is not None else ["no compiler"]
        lacks += [] if jdk.source_archive is not None else ["no sources of its classes (src.zip)"]
        yield Finding("Java", "ok", ", ".join([text, *lacks]))
    if all(jdk.javac is None for jdk in jdks):
        what = "no compiler: neither source files nor expressions with lambdas can be compiled"
        yield Finding("Java", "missing", what, "install a JDK: what was found are runtimes alone")


def _agent(jdks: list[Jdk]) -> Iterator[Finding]:
    path = find_agent_library()
    if path is None:
        text = "it is not part of this installation: only the JDK's own agent can be used"
        yield Finding(
            "agent", "missing", text, "install jvmdebug again; from a clone, `make setup`"
        )
        return
    fitting = [jdk for jdk in jdks if (jdk.feature_version or OLDEST_JDK) >= OLDEST_JDK]
    with ThreadPoolExecutor() as threads:
        refusals = list(threads.map(lambda jdk: _why_not_loaded(jdk, path), fitting))
    loaded = sum(each is None for each in refusals)
    if loaded == len(fitting):
        runtimes = "1 Java runtime loads it" if loaded == 1 else f"{loaded} Java runtimes load it"
        yield Finding("agent", "ok", f"{path}: {runtimes}" if loaded else f"{path}: not tried")
        return
    for jdk, refusal in zip(fitting, refusals, strict=True):
        if refusal is not None:
            text = f"{jdk.home} does not load {path}: {refusal}"
            hint = "a runtime of this machine's processor and C library (glibc) loads it"
            yield Finding("agent", "missing", text, hint)


def _why_not_loaded(jdk: Jdk, library: Path) -> str | None:
    try:
        choose_agent("jvmdebug", jdk)
        ran = subprocess.run(  # noqa: S603 - a runtime of this machine
            [str(jdk.java), f"-agentpath:{library}=help"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_START_S,
            check=False,
        )
    except jvmdebug.JvmDebugError as error:
        return str(error)
    except subprocess.TimeoutExpired:
        return f"it did not end within {_START_S:g} s"
    except OSError as error:
        return reason(error)
    if ran.returncode == 0:
        return None
    said = (ran.stderr.strip() or ran.stdout.strip()).splitlines()
    return jvmdebug.one_line(said[0]) if said else f"exit code {ran.returncode}"


def _parts() -> Iterator[Finding]:
    for what, (extra, packages) in _PARTS.items():
        lacking = [each for each in packages if importlib.util.find_spec(each) is None]
        if lacking:
            text = f"{what} needs {' and '.join(lacking)}"
            hint = how_to_get(extra)
            yield Finding("Python packages", "note", text, hint)


def _attaching() -> Iterator[Finding]:
    subject = "attach by process id"
    if not system.is_linux():
        text = "`jcmd` of a JDK loads the agent; it has been tried on Linux only"
        yield Finding(subject, "note", text, "else start the JVM with the agent's option")
        return
    folder = tempfile.gettempdir()
    mounts = ""
    with contextlib.suppress(OSError):
        mounts = read_text("/proc/self/mounts")
    if not os.access(folder, os.W_OK):
        text = f"{folder} cannot be written to: JVMs are reached through files there"
        yield Finding(subject, "missing", text, f"make {folder} writable for {_user()}")
    elif forbids_code(folder, mounts):
        text = f"{folder} is mounted noexec: the agent's copy goes to another folder"
        yield Finding(subject, "note", text)
    jvms = jvmdebug.local_jvms()
    others = sorted({each.user or "?" for each in jvms if each.user not in {None, _user()}})
    found = f"{len(jvms)} JVMs run" if len(jvms) != 1 else "1 JVM runs"
    if others and system.user_id() != 0:
        text = f"{found}; those of {', '.join(others)} take no agent from {_user()}"
        yield Finding(subject, "note", text, "run jvmdebug as the user of the JVM")
    else:
        yield Finding(subject, "ok", f"{found}; ptrace is not needed{_ptrace()}")


def _ptrace() -> str:
    with contextlib.suppress(OSError, ValueError):
        return f" (ptrace_scope {int(read_text('/proc/sys/kernel/yama/ptrace_scope'))})"
    return ""


def _user() -> str:
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return str(system.user_id())


def _build_tools() -> Finding:
    found = [name for name in ("mvn", "gradle") if shutil.which(name)]
    if found:
        return Finding(
            "build tools", "ok", ", ".join(f"{each} ({shutil.which(each)})" for each in found)
        )
    text = "neither mvn nor gradle on PATH: only projects with a wrapper (mvnw, gradlew) are built"
    return Finding("build tools", "note", text, "install Maven or Gradle")


def _containers() -> Iterator[Finding]:
    runtime = os.environ.get("XDG_RUNTIME_DIR", f"/run/user/{system.user_id()}")
    found = []
    for engine, places in _ENGINES.items():
        for place in (each.format(runtime=runtime) for each in places):
            if not system.has_unix_sockets() or not Path(place).exists():
                continue
            refusal = _why_not_connected(place)
            if refusal is None:
                found.append(f"{engine} ({place})")
            else:
                text = f"{engine} is there, and {place} refuses {_user()}: {refusal}"
                yield Finding("containers", "note", text, f"let {_user()} use it")
    found += [f"kubectl ({path})" for path in (shutil.which("kubectl"),) if path]
    text = (
        ", ".join(found) or "no Docker, Podman or kubectl; `jvmdebug ps` lists JVMs in containers"
    )
    yield Finding("containers", "ok" if found else "note", text)


def _why_not_connected(place: str) -> str | None:
    with socket.socket(socket.AF_UNIX) as probe:
        probe.settimeout(_CONNECT_S)
        try:
            probe.connect(place)
        except OSError as error:
            return reason(error)
    return None


def _editors() -> Finding:
    found = []
    for editor, names in _EDITORS.items():
        path = next(filter(None, map(shutil.which, names)), None)
        if path is not None:
            has = _has_extension() if editor == "VS Code" else ""
            found.append(f"{editor} ({path}){has}")
    if found:
        return Finding("editors", "ok", ", ".join(found))
    return Finding("editors", "note", "none on PATH; docs/how-to/editors.md has their settings")


def _has_extension() -> str:
    homes: Callable[[str], Path] = Path.home().joinpath
    folders = (homes(each) / "extensions" for each in (".vscode", ".vscode-server", ".vscode-oss"))
    is_there = any(each.is_dir() and any(each.glob("jvmdebug.*")) for each in folders)
    return " with jvmdebug's extension" if is_there else " without jvmdebug's extension"


def _encoding() -> Finding:
    encoding = (sys.stdout.encoding or "ascii").lower()
    if encoding.replace("-", "") == "utf8":
        return Finding("terminal", "ok", "UTF-8")
    text = f"it takes {encoding}: other characters are shown as \\u escapes"
    return Finding("terminal", "note", text, "set LC_ALL=C.UTF-8")
