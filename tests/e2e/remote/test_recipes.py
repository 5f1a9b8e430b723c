# SPDX-License-Identifier: Apache-2.0
"""The recipes of docs/how-to/remote.md work: what runs here are the commands of the page."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
import zipfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.container_engine import engine
from tests.support.containers import container
from tests.support.debuggees import debuggee
from tests.support.jdks import jdks_to_test
from tests.support.listening import free_port
from tests.support.pods import Cluster
from tests.support.process import agent_library
from tests.support.prompt import JVMDEBUG
from tests.support.recipes import commands, replaced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.support.jdks import Jdk

PAGE = "docs/how-to/remote.md"
LOOK = " --batch --command threads"
_WITHIN_S = 40.0


class Shell:
    """Runs lines as a user of that machine would, in a home directory of its own."""

    def __init__(self, home: Path, jdk: Jdk) -> None:
        self.home = home
        self.commands = home / "bin"
        self.commands.mkdir()
        self._stack = ExitStack()
        path = [self.commands, Path(JVMDEBUG).parent, jdk.home / "bin", Path(os.environ["PATH"])]
        self.environment = {
            **os.environ,
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / ".config"),
            "PATH": os.pathsep.join(map(str, path)),
            "JVMDEBUG_AGENT": str(agent_library()),
        }

    def command(self, name: str, script: str) -> None:
        """Puts a command on the PATH, before the system's."""
        path = self.commands / name
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def run(self, line: str) -> str:
        """The output of a line that ends."""
        done = subprocess.run(
            ["sh", "-c", line],
            env=self.environment,
            cwd=self.home,
            capture_output=True,
            text=True,
            timeout=_WITHIN_S,
            check=False,
        )
        assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
        return done.stdout

    def begin(self, line: str, until: str | None = None) -> str:
        """Runs a line until the test ends; what it has printed when that pattern is there."""
        log = self.home / f"{len(line)}.log"
        with log.open("w") as file:
            running = subprocess.Popen(
                ["sh", "-c", f"exec {line}"],
                env=self.environment,
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=subprocess.STDOUT,
            )
        self._stack.callback(running.wait)
        self._stack.callback(running.kill)
        deadline = time.monotonic() + _WITHIN_S
        while until is not None and re.search(until, log.read_text()) is None:
            assert running.poll() is None, f"{line}: {log.read_text()}"
            assert time.monotonic() < deadline, f"{line}: {log.read_text()}"
            time.sleep(0.02)
        return log.read_text()

    def make_program(self) -> None:
        """The `app.jar` of the page, with `Spin`."""
        classes = debuggee("script", "Spin").class_path[0]
        with zipfile.ZipFile(self.home / "app.jar", "w") as jar:
            jar.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nMain-Class: Spin\n")
            for each in classes.glob("Spin*.class"):
                jar.write(each, each.name)

    def close(self) -> None:
        self._stack.close()


@pytest.fixture
def one_jdk() -> Jdk:
    """The recipes are the same for all."""
    return jdks_to_test()[0]


@pytest.fixture
def shell(tmp_path: Path, one_jdk: Jdk) -> Iterator[Shell]:
    """A machine, with the program of the page in the working directory."""
    made = Shell(tmp_path, one_jdk)
    made.make_program()
    try:
        yield made
    finally:
        made.close()


@pytest.mark.slow
def test_ssh(shell: Shell) -> None:
    server = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")
    if server is None or shutil.which("ssh") is None or os.geteuid() != 0:
        pytest.skip("needs sshd (openssh-server), ssh and root, which starts it on loopback")
    start, tunnel, attach = commands(PAGE, "SSH")
    agent, near, port = str(free_port()), str(free_port()), str(free_port())
    _serve_ssh(shell, server, port)
    shell.begin(replaced(start, ("5005", agent)), "spinning")
    tunnel = replaced(tunnel, ("5005:127.0.0.1:5005", f"{near}:127.0.0.1:{agent}"))
    shell.begin(f"{tunnel} -v", "Local forwarding listening|pledge: network|Entering interactive")
    assert "main" in shell.run(replaced(attach, ("5005", near)) + LOOK)


def _serve_ssh(shell: Shell, server: str, port: str) -> None:
    """An sshd on loopback that lets in the key that is made here, as the host `server`."""
    folder = shell.home / "ssh"
    folder.mkdir(mode=0o700)
    for name in ("host", "user"):
        shell.run(f"ssh-keygen -q -t ed25519 -N '' -f {folder}/{name}")
    Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)
    (folder / "sshd_config").write_text(
        f"ListenAddress 127.0.0.1:{port}\nHostKey {folder}/host\nAuthorizedKeysFile"
        f" {folder}/user.pub\nStrictModes no\nUsePAM no\nPidFile none\nPermitRootLogin yes\n"
    )
    (folder / "config").write_text(
        f"Host server\n HostName 127.0.0.1\n Port {port}\n User root\n IdentityFile {folder}/user\n"
        f" IdentitiesOnly yes\n StrictHostKeyChecking no\n UserKnownHostsFile /dev/null\n"
    )
    ssh = shutil.which("ssh")
    shell.command("ssh", f'exec {ssh} -F {folder}/config "$@"')
    shell.begin(f"{server} -D -e -f {folder}/sshd_config", "Server listening")


@pytest.mark.slow
def test_relay(shell: Shell) -> None:
    make, relay, attach = commands(PAGE, "Relay")
    agent, port = str(free_port()), str(free_port())
    (start, *_) = commands(PAGE, "SSH")
    shell.begin(replaced(start, ("5005", agent)), "spinning")
    shell.run(make)
    relay = replaced(relay, ("0.0.0.0:7000", f"127.0.0.1:{port}"), ("5005", agent))
    (fingerprint,) = re.findall(r"SHA256:\S+", shell.begin(relay, r"SHA256:\S+\n"))
    attach = replaced(attach, ("server:7000", f"127.0.0.1:{port}"), ("SHA256:…", fingerprint))
    assert "main" in shell.run(attach + LOOK)


def test_docker(shell: Shell, one_jdk: Jdk, tmp_path: Path) -> None:
    (attach,) = commands(PAGE, "Docker and Podman")
    with (
        container(one_jdk) as shop,
        engine(tmp_path / "docker.sock", {"shop": {"Running": True, "Pid": shop.first}}) as path,
    ):
        shell.environment["DOCKER_HOST"] = f"unix://{path}"
        assert "main" in shell.run(attach + LOOK)


def test_kubernetes(shell: Shell, one_jdk: Jdk, tmp_path: Path) -> None:
    (attach,) = commands(PAGE, "Kubernetes")
    with pytest.MonkeyPatch.context() as patch, container(one_jdk) as web:
        cluster = Cluster(tmp_path / "cluster", patch)
        cluster.add("shop/web-0", web)
        shell.environment["PATH"] = f"{cluster.commands}{os.pathsep}{shell.environment['PATH']}"
        assert "main" in shell.run(attach + LOOK)


@pytest.mark.slow
def test_reverse(shell: Shell) -> None:
    make, listen, start = commands(PAGE, "Reverse")
    port = str(free_port())
    shell.run(make)
    listen = replaced(listen, ("'*:5005'", f"127.0.0.1:{port}"))
    # The prompt opens when the program has connected: here it looks, and lets the program run.
    look = f"{LOOK} --command run --count 1"
    shell.begin(listen + look, port)
    shell.begin(replaced(start, ("laptop:5005", f"127.0.0.1:{port}")), "spinning")
