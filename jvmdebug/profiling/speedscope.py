# SPDX-License-Identifier: Apache-2.0
"""A profile as speedscope's JSON: all threads together, then each of the largest alone.

The format: speedscope's `file-format-spec`, version 0.0.1. Weights are nanoseconds, or bytes.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.printable import one_line
from jvmdebug.profiling.stack_tree import ROOT, ProfiledFrame

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jvmdebug.profiling.profile import Profile
    from jvmdebug.profiling.stack_tree import Key

_MOST_THREADS: Final = 100
_NONE: Final = ProfiledFrame("", "(no Java frames)", "", None)


def written(profile: Profile) -> bytes:
    """The content of the file."""
    frames: dict[ProfiledFrame, int] = {}
    stacks: dict[int, list[int]] = {}
    by_thread: dict[int, list[tuple[Key, int]]] = {}
    for key, (_, value) in profile.tree.values.items():
        if key.node not in stacks:
            found = [_NONE] if key.node == ROOT else [*profile.tree.stack(key.node)][::-1]
            stacks[key.node] = [frames.setdefault(each, len(frames)) for each in found]
        by_thread.setdefault(key.thread, []).append((key, value))
    largest = sorted(by_thread, key=lambda each: -sum(value for _, value in by_thread[each]))
    every = [sample for samples in by_thread.values() for sample in samples]
    profiles = [_profile(profile, "all threads", every, stacks)]
    profiles += [
        _profile(profile, one_line(profile.threads[each].name), by_thread[each], stacks)
        for each in largest[:_MOST_THREADS]
    ]
    content = {
        "$schema": "https://www.speedscope.app/file-format-schema.json",
        "shared": {"frames": [_frame(each) for each in frames]},
        "profiles": profiles,
        "name": one_line(f"{profile.program}, {profile.kind}"),
        "activeProfileIndex": 0,
        "exporter": "jvmdebug",
    }
    return json.dumps(content, ensure_ascii=False).encode("utf-8", "replace")


def _frame(frame: ProfiledFrame) -> dict[str, Any]:
    found: dict[str, Any] = {"name": one_line(str(frame))}
    if frame.source:
        found["file"] = one_line(frame.source)
    if frame.line is not None:
        found["line"] = frame.line
    return found


def _profile(
    profile: Profile, name: str, samples: Iterable[tuple[Key, int]], stacks: dict[int, list[int]]
) -> dict[str, Any]:
    shown = [(stacks[key.node], value) for key, value in samples if value]
    return {
        "type": "sampled",
        "name": name,
        "unit": profile.unit,
        "startValue": 0,
        "endValue": sum(value for _, value in shown),
        "samples": [stack for stack, _ in shown],
        "weights": [value for _, value in shown],
    }
