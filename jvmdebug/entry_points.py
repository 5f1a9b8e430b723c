# SPDX-License-Identifier: Apache-2.0
"""Entry points of installed distributions, looked up without the price where there are none.

`importlib.metadata` takes longer to import than this package, and reads the metadata of every
distribution: 60 ms for a question that nearly always has the answer "none". A distribution that has
entry points names their groups in `entry_points.txt`, beside its modules; where no such file names
the group, there are none. Asked for renderers and for commands of the command line.
"""

from __future__ import annotations

import functools
import os
import sys
from typing import TYPE_CHECKING, Final

from jvmdebug.platform.installation import is_frozen
from jvmdebug.regular_file import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.metadata import EntryPoint

RENDERERS: Final = "jvmdebug.renderers"
"""How Java classes of users are shown: see `jvmdebug.display.renderers`."""
COMMANDS: Final = "jvmdebug.commands"
"""Commands that other distributions add to the command line."""
_METADATA: Final = (".dist-info", ".egg-info")
_LISTING: Final = "entry_points.txt"


@functools.cache
def of_group(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of that group, in the order of the distributions, as they were when they
    were first asked for.
    """
    if is_frozen() or not _may_have(group):  # nothing can be installed into a frozen one
        return ()
    from importlib.metadata import entry_points  # noqa: PLC0415 - slow to import

    return tuple(entry_points(group=group))


def _may_have(group: str) -> bool:
    """Whether a listing names it, or distributions are found in another way than in folders."""
    if any(hasattr(each, "find_distributions") and not _is_usual(each) for each in sys.meta_path):
        return True
    wanted = group.encode()
    for entry in dict.fromkeys(sys.path):
        folder = entry or os.curdir
        if os.path.isfile(folder):  # noqa: PTH113 - a Path for each takes longer
            return True  # distributions in an archive
        if any(wanted in listing for listing in _listings(folder)):
            return True
    return False


def _is_usual(finder: object) -> bool:
    return getattr(finder, "__module__", "").startswith(("_frozen_importlib", "importlib."))


def _listings(folder: str) -> Iterator[bytes]:
    """What the distributions of a folder say of their entry points."""
    try:
        with os.scandir(folder) as entries:
            found = [each.path for each in entries if each.name.endswith(_METADATA)]
    except OSError:
        return
    for path in found:
        try:
            yield read_bytes(f"{path}{os.sep}{_LISTING}")
        except OSError:  # most have none
            continue
