# SPDX-License-Identifier: Apache-2.0
"""Finds the class path of a program on this machine."""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path, PurePosixPath, PureWindowsPath
from typing import TYPE_CHECKING

from jvmdebug.errors import VmError
from jvmdebug.platform.paths import is_of_windows

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import PurePath

    from jvmdebug.model.virtual_machine import VirtualMachine
    from jvmdebug.session.services import Services


async def own_class_path(services: Services) -> list[Path]:
    """The places of the program's own classes, as far as this machine has them."""
    known = list(services.sources.class_path)
    with contextlib.suppress(VmError):
        # That of a program in a container is read there.
        known += await local_class_paths(services.vm, {})
    return list(dict.fromkeys(known))


async def local_class_paths(
    vm: VirtualMachine, source_map: Mapping[str, str | Path]
) -> tuple[Path, ...]:
    """The class path of a VM that we did not start, as far as it is on this machine too: in the
    container of its process, or where `source_map` leads.
    """
    reply = await vm.class_paths()
    pure = PureWindowsPath if is_of_windows(reply.base_directory) else PurePosixPath
    paths = [pure(reply.base_directory) / path for path in reply.class_paths if path]
    return await asyncio.to_thread(_seen_paths, vm, paths, source_map)


def _seen_paths(
    vm: VirtualMachine, paths: Sequence[PurePath], source_map: Mapping[str, str | Path]
) -> tuple[Path, ...]:
    from jvmdebug import attaching  # noqa: PLC0415 - a launch needs none of it

    process = vm.connection.peer_process
    found = []
    for path in paths:
        mapped = _mapped_path(path, source_map)
        if mapped is not None:
            found.append(mapped)
        else:
            found.append(Path(path) if process is None else attaching.seen_path(process, str(path)))
    return tuple(each for each in found if each.exists())


def _mapped_path(path: PurePath, source_map: Mapping[str, str | Path]) -> Path | None:
    """The place of a path of the program on this machine, by the longest folder of `source_map`
    that it is in; None if it is in none.
    """
    for folder in sorted(source_map, key=len, reverse=True):
        if path.is_relative_to(folder):
            return Path(source_map[folder]) / path.relative_to(folder)
    return None
