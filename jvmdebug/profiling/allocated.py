# SPDX-License-Identifier: Apache-2.0
"""Sampled allocations as a profile: by the stack that allocates, and on top of it the class.

Owns the conversion. What was sampled is `session.allocations`'; called by the session.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from jvmdebug.printable import size_text
from jvmdebug.profiling.profile import Profile, ProfiledThread
from jvmdebug.profiling.stack_tree import Key, ProfiledFrame

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

_HOW: Final = (
    "a sample each time that a thread has allocated about {every}: bytes are estimates, rough ones"
    " where there are few samples"
)
_EACH: Final = (
    "each object that is allocated, in threads that ran before after the first 512 KB or so"
)
_ALIVE: Final = "; only what was still alive after a collection at the end"


class Allocated(NamedTuple):
    """What was allocated of one class at one stack."""

    type_name: str
    frames: Sequence[ProfiledFrame]
    """The topmost first."""
    samples: int
    bytes: int
    live_samples: int
    live_bytes: int


def of_allocations(
    sites: Iterable[Allocated],
    program: str,
    *,
    every: int,
    only_live: bool,
    duration_s: float,
    started_at: float,
) -> Profile:
    """The profile of all sites. Its states are `alive` and `collected`; only the first if so
    wanted.
    """
    profile = Profile(
        kind="alloc",
        unit="bytes",
        how=(_HOW.format(every=size_text(every).replace(".0 ", " ")) if every else _EACH)
        + (_ALIVE if only_live else ""),
        program=program,
        threads=[ProfiledThread("all threads")],
        duration_s=duration_s,
        started_at=started_at,
    )
    for site in sites:
        node = profile.tree.node([*reversed(site.frames), _class(site.type_name)])
        if site.live_samples:
            profile.tree.add(Key(0, node, "alive"), site.live_samples, site.live_bytes)
        if site.samples > site.live_samples and not only_live:
            samples, size = site.samples - site.live_samples, site.bytes - site.live_bytes
            profile.tree.add(Key(0, node, "collected"), samples, size)
    return profile


def _class(name: str) -> ProfiledFrame:
    return ProfiledFrame("", f"(allocates {name})", "", None)
