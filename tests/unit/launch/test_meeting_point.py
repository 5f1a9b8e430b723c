# SPDX-License-Identifier: Apache-2.0
"""Tests where a VM meets us: who could get there, and what is left afterwards."""

from __future__ import annotations

import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jvmdebug.launch.meeting_point import meeting_point

if TYPE_CHECKING:
    from jvmdebug.jdwp import transport

OURS = Path("/agents/linux-x86_64/libjvmdebug.so")


def socket_file(listening: transport.Listener) -> Path:
    path = listening.address.socket_path
    assert path is not None
    return Path(path)


@pytest.fixture(autouse=True)
def _no_runtime_directory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)


def test_our_agent_meets_us_at_a_socket_of_this_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    with meeting_point(OURS) as listening:
        path = socket_file(listening)
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
        assert path.parent.parent == tmp_path
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("library", [None, Path("/agents/windows-x86_64/jvmdebug.dll")])
def test_the_jdk_s_agent_and_ours_of_windows_meet_us_on_loopback(library: Path | None) -> None:
    with meeting_point(library) as listening:
        assert listening.address.host == "127.0.0.1"


@pytest.mark.parametrize("name", ["x" * 90, "a,b"])
def test_a_directory_that_no_address_or_option_can_hold_is_not_used(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unusable = tmp_path / name
    unusable.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(unusable))
    with meeting_point(OURS) as listening:
        assert len(str(socket_file(listening))) < 100
        assert "," not in str(socket_file(listening))
    assert list(unusable.iterdir()) == []
