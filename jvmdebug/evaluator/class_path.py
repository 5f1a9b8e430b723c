# SPDX-License-Identifier: Apache-2.0
"""The class path of the program, as far as it is on this machine, and class files in it."""

from __future__ import annotations

import asyncio
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING

from jvmdebug.evaluator.surroundings import AddedClassPath
from jvmdebug.quarkus_layout import with_applications
from jvmdebug.regular_file import open_archive, read_bytes, read_entry

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.model.virtual_machine import VirtualMachine


async def local_class_path(vm: VirtualMachine) -> list[Path]:
    """The places of the class path that exist here, those that the user has added first."""
    paths = await vm.class_paths()
    base = Path(paths.base_directory)
    own = [base / each for each in paths.class_paths if each]
    candidates = [*vm.companion(AddedClassPath).paths, *own]
    return await asyncio.to_thread(existing, candidates)


def existing(class_path: Sequence[Path]) -> list[Path]:
    """What of the class path is here, with the archives of an application of Quarkus."""
    return with_applications(each for each in class_path if each.exists())


def read_local(class_path: Sequence[Path], entry: str) -> bytes | None:
    """The first file of that name in the folders and archives; None if there is none."""
    for each in class_path:
        try:
            if each.is_dir():
                return read_bytes(each / entry)
            with open_archive(each) as archive:
                return read_entry(archive, entry)
        except (OSError, KeyError, zipfile.BadZipFile):
            continue
    return None
