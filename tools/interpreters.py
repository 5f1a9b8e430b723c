# SPDX-License-Identifier: Apache-2.0
"""The CPythons of this machine that a wheel can be built with: `python -m tools.interpreters`.

Looks where they are usually installed and asks each what it is; fetches none.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

SUPPORTED: Final = ("3.11", "3.12", "3.13", "3.14")
"""The minor versions that get a wheel."""

_ANSWERS_WITHIN_S: Final = 20
_QUESTION: Final = """
import importlib.util, json, os, platform, sys, sysconfig
include = os.path.join(sysconfig.get_path("include"), "Python.h")
print(json.dumps({
    "cpython": platform.python_implementation() == "CPython",
    "version": platform.python_version(),
    "free_threaded": bool(sysconfig.get_config_var("Py_GIL_DISABLED")),
    "can_build": os.path.exists(include) and importlib.util.find_spec("ensurepip") is not None,
}))
"""


@dataclass(frozen=True, slots=True)
class Interpreter:
    """A CPython with headers and the module venv."""

    path: Path
    version: str

    @property
    def minor(self) -> str:
        """`3.12` of `3.12.1`."""
        return ".".join(self.version.split(".")[:2])


def find() -> dict[str, Interpreter]:
    """One interpreter for each supported minor version that is here, in that order."""
    found: dict[str, Interpreter] = {}
    for minor in SUPPORTED:
        for path in _places(minor):
            made = ask(path) if path.is_file() else None
            if made is not None and made.minor == minor:
                found[minor] = made
                break
    return found


def ask(path: Path) -> Interpreter | None:
    """What that program is; None for one that does not answer or that cannot build a wheel."""
    command = [str(path), "-I", "-c", _QUESTION]
    try:
        ran = subprocess.run(
            command, capture_output=True, text=True, check=True, timeout=_ANSWERS_WITHIN_S
        )
        answer = json.loads(ran.stdout)
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    if not answer["cpython"] or answer["free_threaded"] or not answer["can_build"]:
        return None
    return Interpreter(path, answer["version"])


def _places(minor: str) -> Iterator[Path]:
    """The places where that version may be: the PATH, pyenv, uv, the images that wheels are built
    in.
    """
    if sys.version.startswith(f"{minor}."):
        yield Path(sys.base_prefix) / "bin" / f"python{minor}"
    if on_path := shutil.which(f"python{minor}"):
        yield Path(on_path)
    pyenv = Path(os.environ.get("PYENV_ROOT") or Path.home() / ".pyenv")
    yield from sorted(pyenv.glob(f"versions/{minor}.*/bin/python{minor}"), reverse=True)
    uv = Path.home() / ".local" / "share" / "uv" / "python"
    yield from sorted(uv.glob(f"cpython-{minor}.*/bin/python{minor}"), reverse=True)
    tag = "cp" + minor.replace(".", "")
    yield Path("/opt/python") / f"{tag}-{tag}" / "bin" / "python"


def main() -> None:
    """Say which are here and which are not."""
    found = find()
    for minor in SUPPORTED:
        interpreter = found.get(minor)
        shown = f"{interpreter.version}  {interpreter.path}" if interpreter else "not found"
        print(f"CPython {minor}: {shown}")


if __name__ == "__main__":
    main()
