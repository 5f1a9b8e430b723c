# SPDX-License-Identifier: Apache-2.0
"""A JVM in a container of a real Podman is attached to by the name of the container."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support.debuggees import debuggee
from tests.support.jdks import jdks_to_test

if TYPE_CHECKING:
    from collections.abc import Iterator

LIMITS = ("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=4096:4096")
"""Podman would raise them, which a container around this one may forbid."""


@pytest.fixture
def podman(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The command, with storage of its own, before the system's on the PATH."""
    found = shutil.which("podman")
    if found is None:
        pytest.skip("needs podman")
    runtime = "runc" if shutil.which("runc") else "crun"
    for variable in ("DOCKER_HOST", "CONTAINER_HOST"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    command = tmp_path / "bin" / "podman"
    command.parent.mkdir()
    with tempfile.TemporaryDirectory(prefix="podman-") as run:  # at most 50 characters
        command.write_text(
            f"#!/bin/sh\nexec {found} --root {tmp_path}/storage --runroot {run}"
            f' --storage-driver vfs --cgroup-manager cgroupfs --runtime {runtime} "$@"\n'
        )
        command.chmod(0o755)
        monkeypatch.setenv("PATH", str(command.parent), prepend=":")
        yield str(command)
        subprocess.run([command, "rm", "--all", "--force", "--time", "0"], check=False)


@pytest.fixture
def shop(podman: str, tmp_path: Path) -> str:
    """The name of a container with `Spin`, made of this machine's files."""
    archive = tmp_path / "empty.tar"
    with tarfile.open(archive, "w"):
        pass
    imported = subprocess.run(
        [podman, "import", str(archive), "empty"], capture_output=True, text=True, check=False
    )
    if imported.returncode:
        pytest.skip(f"podman stores no image here: {imported.stderr.strip()[-200:]}")
    jdk = jdks_to_test()[0]
    mounts = {Path("/", name): f"/{name}" for name in ("usr", "lib", "lib64", "etc")}
    mounts |= {debuggee("script", "Spin").class_path[0]: "/app", jdk.home: "/opt/jdk"}
    words = [podman, "run", "--detach", "--network", "none", "--name", "shop", "--tmpfs", "/tmp"]
    words += LIMITS
    for place, seen in mounts.items():
        words += ["-v", f"{place}:{seen}:ro"]
    words += ["localhost/empty", f"/opt/jdk/{jdk.java.relative_to(jdk.home)}", "-cp", "/app"]
    ran = subprocess.run([*words, "Spin"], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    until = time.monotonic() + 20
    while "spinning" not in subprocess.check_output([podman, "logs", "shop"], text=True):
        assert time.monotonic() < until
        time.sleep(0.1)
    return "shop"


@pytest.mark.slow
async def test_a_container_of_podman(shop: str) -> None:
    async with jvmdebug.attach(container=shop) as session:
        assert (await session.evaluate("Spin.rounds")).text
    with pytest.raises(jvmdebug.LaunchError, match="there is no container 'other' on this machine"):
        await jvmdebug.open_attach(container="other")
