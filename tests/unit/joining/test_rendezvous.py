# SPDX-License-Identifier: Apache-2.0
"""The folder in which sessions can be found: who may look in, names, and what the dead leave."""

from __future__ import annotations

import os
import socket
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from jvmdebug import rendezvous
from jvmdebug.errors import LaunchError

if TYPE_CHECKING:
    from collections.abc import Iterator


@pytest.fixture(autouse=True)
def runtime(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="rendezvous") as folder:
        monkeypatch.setenv("XDG_RUNTIME_DIR", folder)
        yield Path(folder)


def mode(path: Path) -> int:
    return stat.S_IMODE(path.lstat().st_mode)


def test_only_the_user_may_look_in(runtime: Path) -> None:
    folder = runtime / "jvmdebug" / "sessions"
    folder.mkdir(parents=True, mode=0o755)
    with rendezvous.listening("shop.Main") as (_, place):
        assert place.path == folder / f"{os.getpid()}.shop.Main"
        assert mode(folder) == 0o700
        assert mode(place.path) == 0o600
        rendezvous.connected(place).close()
    assert list(folder.iterdir()) == []


def test_a_name_that_is_taken_gets_a_number() -> None:
    with (
        rendezvous.listening("app") as (_, first),
        rendezvous.listening("app") as (_, second),
        rendezvous.listening("app") as (_, third),
    ):
        assert [first.name, second.name, third.name] == ["app", "app-2", "app-3"]
        assert [each.name for each in rendezvous.places()] == ["app", "app-2", "app-3"]


def test_what_a_dead_process_has_left_is_removed() -> None:
    with socket.socket(socket.AF_UNIX) as left:
        path = rendezvous.folder() / "1.app"
        left.bind(str(path))
        left.listen()
    other = rendezvous.folder() / "notes"
    other.write_text("not ours")
    assert rendezvous.places() == []
    assert not path.exists()
    assert other.exists()
    with rendezvous.listening("app") as (_, place):
        assert place.name == "app"


def test_a_folder_of_somebody_else_is_not_used(runtime: Path, tmp_path: Path) -> None:
    (runtime / "jvmdebug").mkdir()
    (runtime / "jvmdebug" / "sessions").symlink_to(tmp_path)
    with pytest.raises(LaunchError, match="is not a folder of this user"):
        rendezvous.folder()
    (runtime / "jvmdebug" / "sessions").unlink()
    (runtime / "jvmdebug" / "sessions").write_text("a file")
    with pytest.raises(LaunchError, match="sessions cannot be shared"):
        rendezvous.folder()


def test_a_long_path_is_replaced(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / ("a" * 90)))
    folder = rendezvous.folder()
    try:
        assert len(str(folder)) < 60
        assert mode(folder) == 0o700
    finally:
        folder.rmdir()


@pytest.mark.parametrize(
    ("program", "name"),
    [
        ("shop.Main", "shop.Main"),
        ("/home/ann/app.jar", "app.jar"),
        ("m/main.Class", "main.Class"),
        ("localhost:5005", "localhost-5005"),
        ("../..", "session"),
        ("a b\n", "a-b"),
        ("x" * 90, "x" * 40),
    ],
)
def test_a_name_fits_for_a_file(program: str, name: str) -> None:
    assert rendezvous.fitting_name(program) == name
