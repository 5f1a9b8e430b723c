# SPDX-License-Identifier: Apache-2.0
"""Containers without an engine: a JVM with a root directory, process ids and a network of its own,
made of this machine's files.

Owns the namespaces and the mounts, which end with the container. Called by the tests of attaching
to containers and pods; `engine` and `kubectl` in front of them are stand-ins.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support import process
from tests.support.bare_program import NOBODY, why_no_container
from tests.support.debuggees import debuggee

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from tests.support.jdks import Jdk

_CLASSES = "/app"
_JDK = "/opt/jdk"
AGENT = f"{_CLASSES}/libjvmdebug.so"
"""Our agent, as a container that brings it has it."""


@dataclass(frozen=True, slots=True)
class Container:
    """A container that runs."""

    first: int
    """Its first process, as this machine counts."""
    user: int = NOBODY

    def seen(self, path: str) -> Path:
        """A file of the container."""
        return Path(f"/proc/{self.first}/root{path}")

    def left_behind(self) -> list[str]:
        """Files of ours in it."""
        places = [self.seen(each) for each in ("/tmp", "/var/tmp", "/dev/shm", "/run")]
        names = [each.name for place in places if place.is_dir() for each in place.iterdir()]
        return [each for each in names if "jvmdebug" in each]


@contextmanager
def container(
    jdk: Jdk,
    *,
    options: Sequence[str] = (),
    programs: Sequence[str] = ("Spin",),
    has_shell: bool = True,
    noexec: bool = False,
    read_only: bool = False,
    has_tmp: bool = True,
) -> Iterator[Container]:
    """`script.Spin` of user nobody with these options of the VM, once for each of `programs`: names
    of classes.

    Without a shell there are no commands at all. With `noexec` `/tmp` cannot have code; with
    `read_only` nothing but `/tmp` can be written to, and that neither unless it `has_tmp`.
    """
    if reason := why_no_container():
        pytest.skip(reason)
    classes = debuggee("script", "Spin").class_path[0]
    root = tempfile.mkdtemp(prefix="container-")
    binds = ["/usr/lib", "/usr/lib64", "/etc"]
    binds += ["/usr/bin", "/usr/sbin"] if has_shell else []
    start = " & ".join(
        f"{_JDK}/bin/java {' '.join(options)} -cp {_CLASSES} {each}" for each in programs
    )
    run = f"exec {start}" if len(programs) == 1 else f"{start} & wait"
    enter = f"chroot --userspec={NOBODY}:{NOBODY} {root}"
    # Without a shell in the container one of here runs in its namespaces until java does.
    begin = f"{enter} sh -c '{run}'" if has_shell else f"{enter} {start}"
    script = f"""
        mount -t tmpfs -o mode=755 none {root}
        cd {root}
        mkdir -p usr etc proc dev/shm tmp var/tmp run app opt/jdk
        for each in {" ".join(binds)}; do
            [ -d $each ] || continue
            mkdir -p .$each && mount --rbind $each .$each
        done
        ln -s usr/bin usr/lib usr/lib64 usr/sbin .
        mount --rbind {jdk.home} opt/jdk
        mount -t proc none proc
        for each in null urandom random zero; do
            touch dev/$each && mount --bind /dev/$each dev/$each
        done
        cp {classes}/Spin*.class {process.agent_library()} app && chmod -R a+rX app
        {f"mount -t tmpfs -o mode=1777{',noexec' * noexec} none tmp" if has_tmp else ""}
        {"mount -o remount,ro ." if read_only else "chmod 1777 var/tmp dev/shm"}
        ip link set lo up
        exec {begin}
    """
    words = ["unshare", "--mount", "--pid", "--net", "--fork", "sh", "-ec", script]
    running = subprocess.Popen(words, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    try:
        assert running.stdout is not None
        for _ in programs:
            assert _begins(running.stdout), "the program has ended and not begun"
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("JVMDEBUG_AGENT", str(process.agent_library()))
            yield Container(_child_of(running.pid))
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.kill(_child_of(running.pid) or running.pid, signal.SIGKILL)
        running.wait()
        if running.stdout is not None:
            running.stdout.close()
        Path(root).rmdir()


def _begins(output: object) -> bool:
    return any(line == b"spinning\n" for line in output)  # type: ignore[attr-defined]


def _child_of(pid: int) -> int:
    """0 for none."""
    return int(Path(f"/proc/{pid}/task/{pid}/children").read_text().strip() or 0)
