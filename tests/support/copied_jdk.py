# SPDX-License-Identifier: Apache-2.0
"""A JDK with our library in place of its `libjdwp.so`, made cheaply.

Owns the copy: folders are real, what runs or is loaded as code is hard-linked (copied where that
is impossible), because the launcher and the VM find the JDK's home by resolving links; everything
else is a symbolic link. Used by the tests that run unchanged debuggers.
"""

from __future__ import annotations

import os
import shutil
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from tests.support.jdks import Jdk


def copy_jdk(jdk: Jdk, home: Path, agent: Path) -> Jdk:
    """Copy the JDK into the folder `home`, which must not exist, with `agent` as its libjdwp."""
    for folder, _, files in os.walk(jdk.home):
        into = home / os.path.relpath(folder, jdk.home)
        into.mkdir(parents=True)
        for name in files:
            _place(jdk.home.joinpath(folder, name), into / name)
    stock = home / "lib" / "libjdwp.so"
    stock.unlink(missing_ok=True)
    shutil.copy(agent, stock)
    return replace(jdk, home=home)


def _place(source: Path, target: Path) -> None:
    is_code = source.suffix == ".so" or source.parent.name == "bin" or source.name == "jvm.cfg"
    if not is_code or source.is_symlink():
        target.symlink_to(source.resolve())
        return
    try:
        os.link(source, target)
    except OSError:  # another file system, or not our file
        shutil.copy(source, target)
