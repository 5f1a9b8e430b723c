# SPDX-License-Identifier: Apache-2.0
"""A profile as collapsed stacks: a line for each, `thread;frame;frame value`, the topmost last.

What flamegraph.pl, inferno and many viewers read. Values are microseconds, or bytes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.printable import one_line
from jvmdebug.profiling.stack_tree import ROOT

if TYPE_CHECKING:
    from jvmdebug.profiling.profile import Profile


def written(profile: Profile) -> bytes:
    """The content of the file."""
    scale = 1000 if profile.unit == "nanoseconds" else 1
    sums: dict[str, int] = {}
    for key, (_, value) in profile.tree.values.items():
        names = [profile.threads[key.thread].name]
        names += [frame.name for frame in profile.tree.stack(key.node)][::-1]
        if key.node == ROOT:
            names.append("(no Java frames)")
        line = ";".join(_escaped(name) for name in names)
        sums[line] = sums.get(line, 0) + value
    lines = [f"{line} {max(1, value // scale)}\n" for line, value in sorted(sums.items()) if value]
    return "".join(lines).encode()


def _escaped(name: str) -> str:
    """The name without what separates frames and lines."""
    return one_line(name).replace(";", ":")
