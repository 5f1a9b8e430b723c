# SPDX-License-Identifier: Apache-2.0
"""What is asked of a pod about its JVMs: a script of sh that runs in the container, or beside it,
and what it writes.

The script uses commands that busybox has. Owns its form: blocks that begin with a line `@@ WORDS`.
Called by `pods`.
"""

from __future__ import annotations

import contextlib
import re
from dataclasses import dataclass, field
from typing import Final

from jvmdebug.attaching.choosing import RunningJvm
from jvmdebug.attaching.debug_agent import (
    DebugAgent,
    ListeningSocket,
    listening_agent,
    stated_agent,
)
from jvmdebug.attaching.java_command import program_of
from jvmdebug.errors import LaunchError
from jvmdebug.jdwp.peer import rows_of
from jvmdebug.printable import one_line

PLACES: Final = ("/tmp", "/var/tmp", "/dev/shm", "/run")  # noqa: S108
"""Directories from which the JVM could load a library."""

SCRIPT: Final = r"""
echo "@@ system $(uname -m) $(id -u)"
for d in /proc/[0-9]*; do
  p=${d#/proc/}
  m=$(cat $d/maps 2>/dev/null) || continue
  case $m in *libjvm.so*) ;; *) continue ;; esac
  case $m in *ld-musl-*) c=musl ;; *) c=glibc ;; esac
  case $m in *jvmdebug-*.so*) o=late ;; *libjdwp.so*) o=stock ;; *) o=none ;; esac
  r=$d/root; [ "$(readlink $d/ns/mnt)" = "$(readlink /proc/self/ns/mnt)" ] && r=
  e=$(readlink $d/exe); j=${e%/*}/jcmd
  if [ ! -x "$j" ]; then j=$(command -v jcmd) || j=; fi
  u=$(while read -r k v w; do [ "$k" = Uid: ] && echo $w && break; done <$d/status)
  n=$(while read -r k v; do [ "$k" = NSpid: ] && echo ${v##*[!0-9]} && break; done <$d/status)
  echo "@@ jvm $p ${n:-$p} ${u%% *} $c $o ${r:--} ${j:--}"
  echo "@@ words"; tr '\0' '\n' <$d/cmdline
  echo "@@ options"; tr '\0' '\n' <$d/environ 2>/dev/null \
    | while read -r l; do case $l in JAVA_TOOL_OPTIONS=*|JDK_JAVA_OPTIONS=*|_JAVA_OPTIONS=*)
      echo "${l#*=}";; esac; done
  echo "@@ tcp"; cat $d/net/tcp $d/net/tcp6 2>/dev/null
  echo "@@ mounts"; cat $d/mounts 2>/dev/null
  echo "@@ writable"; for w in PLACES; do [ -d $r$w ] && [ -w $r$w ] && echo $w; done
done
echo "@@ end"
""".replace("PLACES", " ".join(PLACES))

_MACHINES: Final = {"amd64": "x86_64", "arm64": "aarch64"}


@dataclass(frozen=True, slots=True)
class PodJvm(RunningJvm):
    """A JVM in a pod, whose `pid` is its number as the container counts in which the script ran."""

    machine: str
    """`x86_64`."""
    asker: int
    """The user id of who has run the script."""
    user: int
    libc: str
    """`glibc` or `musl`."""
    root: str
    """Where its root directory is for who asks: empty, or `/proc/1/root`."""
    jcmd: str
    """The path of the JDK's command, empty if there is none."""
    agent: DebugAgent | None
    mounts: str
    """As in /proc."""
    writable: tuple[str, ...]
    """Those of `PLACES` that can be written to."""

    @property
    def platform(self) -> str:
        """The name of the platform whose agent fits."""
        return f"linux-{'musl-' if self.libc == 'musl' else ''}{self.machine}"


@dataclass(slots=True)
class _Block:
    words: list[str]
    lines: list[str] = field(default_factory=list)


def jvms_in(written: bytes) -> list[PodJvm]:
    """The JVMs, as the script has written them. Raises LaunchError for anything else."""
    blocks: list[_Block] = []
    for line in written.decode(errors="replace").splitlines():
        if line.startswith("@@ "):
            blocks.append(_Block(line.split()[1:]))
        elif blocks:
            blocks[-1].lines.append(line)
    kinds = [each.words[0] if each.words else "" for each in blocks]
    if not kinds or kinds[0] != "system" or kinds[-1] != "end" or len(blocks[0].words) != 3:
        raise LaunchError(f"the shell of the pod does not answer as it should: {_begin(written)}")
    _, machine, asker = blocks[0].words
    found = []
    for start in (number for number, kind in enumerate(kinds) if kind == "jvm"):
        with contextlib.suppress(ValueError, KeyError):  # it has ended while it was described
            found.append(
                _jvm(blocks[start : start + 6], _MACHINES.get(machine, machine), int(asker))
            )
    return found


def _begin(written: bytes) -> str:
    return one_line(written[:200].decode(errors="replace").strip() or "nothing came")


def _jvm(blocks: list[_Block], machine: str, asker: int) -> PodJvm:
    _, pid, own_pid, user, libc, loaded, root, jcmd = blocks[0].words
    parts = {each.words[0]: each.lines for each in blocks[1:]}
    words = [each for each in parts["words"] if each]
    options = " ".join(parts["options"]).split()
    program = program_of(words[1:])
    return PodJvm(
        pid=int(pid),
        own_pid=int(own_pid),
        program=None if program is None else one_line(program),
        machine=machine,
        asker=asker,
        user=int(user),
        libc=libc,
        root="" if root == "-" else root,
        jcmd="" if jcmd == "-" else jcmd,
        agent=_agent([*options, *words[1:]], loaded, parts["tcp"]),
        mounts="\n".join(parts["mounts"]),
        writable=tuple(parts["writable"]),
    )


def _agent(words: list[str], loaded: str, table: list[str]) -> DebugAgent | None:
    stated = stated_agent(words)
    if stated is None:
        if loaded == "none":
            return None
        return DebugAgent("stock" if loaded == "stock" else "jvmdebug", is_late=loaded == "late")
    rows = [each for each in table if re.match(r"\s*\d+:", each)]
    sockets = [ListeningSocket(*each.local_address) for each in rows_of(rows) if each.is_listening]
    return listening_agent(stated, sockets, frozenset())
