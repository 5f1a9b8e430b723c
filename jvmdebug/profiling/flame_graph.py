# SPDX-License-Identifier: Apache-2.0
"""A profile as a flame graph: one HTML file that needs nothing else.

Owns the data in the page and its escaping: names are the debuggee's. What it looks like and does is
in `flame_graph.html`. Frames are merged by method, without lines.
"""

from __future__ import annotations

import json
from html import escape
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from jvmdebug.printable import one_line
from jvmdebug.profiling.stack_tree import ROOT

if TYPE_CHECKING:
    from jvmdebug.profiling.profile import Profile

_MOST_NODES: Final = 100_000
# What HTML would read in the text of a script, and what JavaScript takes for the end of a line.
_ESCAPES: Final = str.maketrans(
    {
        "<": "\\u003c",
        ">": "\\u003e",
        "&": "\\u0026",
        "\u2028": "\\u2028",
        "\u2029": "\\u2029",
    }
)

_SHOWN: Final = {
    "cpu": "CPU time",
    "wall": "wall-clock time",
    "alloc": "bytes allocated",
    "locks": "waits for monitors",
}


def written(profile: Profile) -> bytes:
    """The content of the file."""
    page = files(__package__).joinpath("flame_graph.html").read_text("utf-8")
    title = one_line(f"{profile.program}: {_SHOWN[profile.kind]}")
    text = json.dumps(_data(profile, title), ensure_ascii=False, separators=(",", ":"))
    before, _, rest = page.partition("@TITLE@")
    middle, _, after = rest.partition("@DATA@")
    whole = before + escape(title) + middle + text.translate(_ESCAPES) + after
    return whole.encode("utf-8", "replace")


def _data(profile: Profile, title: str) -> dict[str, Any]:
    merged = _Merged(profile)
    samples = [[node, *rest, value] for (node, *rest), value in merged.samples.items()]
    return {
        "title": title,
        "summary": summary(profile),
        "unit": profile.unit,
        "names": list(merged.names),
        "nodes": merged.nodes,
        "threads": [one_line(each.name) for each in profile.threads],
        "states": list(merged.states),
        "samples": samples,
    }


def summary(profile: Profile) -> str:
    """What the numbers mean, in one or two sentences."""
    counted = f"{profile.format(profile.total)} in {profile.samples:,} samples"
    parts = [f"{counted} over {profile.duration_s:.1f} s"]
    if profile.interval_s is not None:
        parts.append(f"{1 / profile.interval_s:g} Hz")
    if profile.process_cpu_s is not None:
        parts.append(f"the whole process used {profile.process_cpu_s:.2f} s of CPU")
    if profile.failed:
        parts.append(f"{profile.failed:,} samples without a stack")
    return one_line(f"{'; '.join(parts)}. {profile.how[:1].upper()}{profile.how[1:]}.")


class _Merged:
    """The tree by methods. A large one is cut: what is too small to be seen counts for its caller
    as `(…)`.
    """

    def __init__(self, profile: Profile) -> None:
        tree = profile.tree
        totals = [0] * len(tree)
        for key, (_, value) in tree.values.items():
            totals[key.node] += value
        for node in range(len(tree) - 1, 0, -1):  # a caller comes before what it calls
            totals[tree.parents[node]] += totals[node]
        least = totals[ROOT] // _MOST_NODES if len(tree) > _MOST_NODES else 0
        self.names: dict[str, int] = {}
        self.states: dict[str, int] = {}
        self.nodes = [0, -1]
        """The caller and the name of each node, one after the other."""
        self.samples: dict[tuple[int, int, int], int] = {}
        children: dict[tuple[int, str], int] = {}
        numbers = [ROOT] * len(tree)
        cut = [False] * len(tree)
        for node in range(1, len(tree)):
            parent = tree.parents[node]
            frame = tree.frames[node]
            if cut[parent]:
                numbers[node], cut[node] = numbers[parent], True
                continue
            cut[node] = totals[node] < least
            name = "(…)" if cut[node] or frame is None else one_line(frame.name)
            place = (numbers[parent], name)
            if place not in children:
                children[place] = len(self.nodes) // 2
                self.nodes += [place[0], self.names.setdefault(name, len(self.names))]
            numbers[node] = children[place]
        for sample, (_, value) in tree.values.items():
            state = self.states.setdefault(sample.state, len(self.states))
            seen = (numbers[sample.node], sample.thread, state)
            self.samples[seen] = self.samples.get(seen, 0) + value
