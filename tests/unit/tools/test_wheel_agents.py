# SPDX-License-Identifier: Apache-2.0
"""Agents in a wheel are installed like its other files: pip checks RECORD."""

from __future__ import annotations

import base64
import hashlib
import zipfile
from typing import TYPE_CHECKING

import pytest

from tools.wheel_agents import NoAgentsError, add_files, agents_in, build_pure_wheel

if TYPE_CHECKING:
    from pathlib import Path

RECORD = "jvmdebug-1.0.dist-info/RECORD"


@pytest.fixture
def agents(tmp_path: Path) -> Path:
    for name, library in (("linux-x86_64", "libjvmdebug.so"), ("windows-x86_64", "jvmdebug.dll")):
        (tmp_path / "agents" / name).mkdir(parents=True)
        (tmp_path / "agents" / name / library).write_bytes(name.encode())
        (tmp_path / "agents" / name / "jvmdebug.map").touch()
    return tmp_path / "agents"


def test_agents_are_in_the_wheel_and_in_its_record(tmp_path: Path, agents: Path) -> None:
    wheel = tmp_path / "jvmdebug-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("jvmdebug/__init__.py", "")
        archive.writestr(RECORD, f"jvmdebug/__init__.py,sha256=x,0\n{RECORD},,\n")
    add_files(wheel, agents_in(agents))
    first = wheel.read_bytes()
    add_files(wheel, agents_in(agents))
    assert wheel.read_bytes() == first, "again and the same bytes"
    with zipfile.ZipFile(wheel) as archive:
        assert sorted(archive.namelist()) == sorted(
            [
                "jvmdebug/__init__.py",
                "jvmdebug/agents/linux-x86_64/libjvmdebug.so",
                "jvmdebug/agents/windows-x86_64/jvmdebug.dll",
                RECORD,
            ]
        )
        record = archive.read(RECORD).decode().splitlines()
    digest = base64.urlsafe_b64encode(hashlib.sha256(b"linux-x86_64").digest()).rstrip(b"=")
    assert f"jvmdebug/agents/linux-x86_64/libjvmdebug.so,sha256={digest.decode()},12" in record
    assert record[-1] == f"{RECORD},,"


def test_a_wheel_without_any_agent_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NoAgentsError, match="`make agents` builds them"):
        build_pure_wheel(tmp_path, tmp_path, tmp_path / "none")
