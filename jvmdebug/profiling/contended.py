# SPDX-License-Identifier: Apache-2.0
"""The waits for monitors as a profile: by the stack that waited, and on top of it the monitor.

Owns the conversion. What was observed is `session.contention`'s; called by the session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from jvmdebug.profiling.profile import Profile, ProfiledThread
from jvmdebug.profiling.stack_tree import Key, ProfiledFrame

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Wait(NamedTuple):
    """A thread that waited for a monitor."""

    thread: str
    monitor: str
    frames: Sequence[ProfiledFrame]
    """The topmost first."""
    duration_s: float


def of_waits(waits: Iterable[Wait], program: str, duration_s: float, started_at: float) -> Profile:
    """The profile of all waits."""
    profile = Profile(
        kind="locks",
        unit="nanoseconds",
        how="each wait to enter a monitor, by the VM's events: nothing is sampled, and a thread is"
        " held while its stack is read, before it waits",
        program=program,
        duration_s=duration_s,
        started_at=started_at,
    )
    numbers: dict[str, int] = {}
    for wait in waits:
        number = numbers.setdefault(wait.thread, len(numbers))
        if number == len(profile.threads):
            profile.threads.append(ProfiledThread(wait.thread))
        monitor = ProfiledFrame("", f"(waits for {wait.monitor})", "", None)
        node = profile.tree.node([*reversed(wait.frames), monitor])
        profile.tree.add(Key(number, node, "blocked"), 1, round(wait.duration_s * 1e9))
    return profile
