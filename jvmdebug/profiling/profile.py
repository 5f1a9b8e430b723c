# SPDX-License-Identifier: Apache-2.0
"""Profile: stacks with how often they were seen and what they cost, by thread.

Owns the questions to a profile and its summary; what it is written as is in `collapsed`,
`speedscope`, `pprof` and `flame_graph`. Made by `sampling` and `contended`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from jvmdebug.notebook import table
from jvmdebug.os_errors import reason
from jvmdebug.printable import one_line
from jvmdebug.profiling.errors import ProfileError
from jvmdebug.profiling.stack_tree import ProfiledFrame, StackTree

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from os import PathLike

ProfileFormat: TypeAlias = Literal["html", "collapsed", "speedscope", "pprof"]
ProfileKind: TypeAlias = Literal["cpu", "wall", "alloc", "locks"]


@dataclass(frozen=True, slots=True)
class ProfiledThread:
    """A thread; all virtual threads are one."""

    name: str
    kind: Literal["platform", "virtual", "vm"] = "platform"


@dataclass(frozen=True, slots=True)
class ProfiledStack:
    """A stack of a thread, and how much of it was seen."""

    frames: tuple[ProfiledFrame, ...]
    """The topmost first; none for a thread without Java frames."""
    thread: ProfiledThread
    state: str
    """`running`, `blocked`, `waiting`, `sleeping`, `suspended`, `idle` (in native code, without
    using the CPU)."""
    count: int
    """How often it was seen."""
    value: int
    """In the unit of the profile."""


@dataclass(frozen=True, slots=True)
class ProfiledMethod:
    """A method, over all stacks."""

    name: str
    self_value: int
    """Where it is the topmost frame."""
    total_value: int
    """Where it is on the stack; once where it calls itself."""
    count: int
    """How often it was seen on top."""


@dataclass(slots=True)
class Profile:
    """What was sampled; `str(profile)` is its summary."""

    kind: ProfileKind
    unit: Literal["nanoseconds", "bytes"]
    how: str
    """The mechanism, and what that means for what is seen, in one sentence."""
    program: str
    threads: list[ProfiledThread] = field(default_factory=list)
    duration_s: float = 0.0
    started_at: float = 0.0
    """Seconds since 1970."""
    interval_s: float | None = None
    """Between two samples of a thread, on average, as it was asked for."""
    rounds: int = 0
    """How often threads were looked at."""
    failed: int = 0
    """Samples that have no stack."""
    unseen_s: float = 0.0
    """CPU time of threads that were never found running."""
    process_cpu_s: float | None = None
    """CPU time of the whole process meanwhile: that of the JVM itself (JIT, GC) too."""
    sampler_cpu_s: float = 0.0
    """What sampling itself took of it, on its own thread."""
    is_complete: bool = True
    """False: it has ended early, with the program or because it was told to."""
    tree: StackTree = field(default_factory=StackTree)

    @property
    def total(self) -> int:
        """All values added up, in the unit of the profile."""
        return sum(value for _, value in self.tree.values.values())

    @property
    def samples(self) -> int:
        """How many samples there are."""
        return sum(count for count, _ in self.tree.values.values())

    @property
    def stacks(self) -> list[ProfiledStack]:
        """All stacks, the largest value first."""
        tree = self.tree
        found = [
            ProfiledStack(
                tuple(tree.stack(key.node)), self.threads[key.thread], key.state, count, value
            )
            for key, (count, value) in tree.values.items()
        ]
        return sorted(found, key=lambda each: -each.value)

    @property
    def by_thread(self) -> dict[str, int]:
        """The name of each thread → its value, the largest first."""
        found: dict[str, int] = {}
        for key, (_, value) in self.tree.values.items():
            name = self.threads[key.thread].name
            found[name] = found.get(name, 0) + value
        return dict(sorted(found.items(), key=lambda each: -each[1]))

    @property
    def by_state(self) -> dict[str, int]:
        """The states that threads were in → the value, the largest first."""
        found: dict[str, int] = {}
        for key, (_, value) in self.tree.values.items():
            found[key.state] = found.get(key.state, 0) + value
        return dict(sorted(found.items(), key=lambda each: -each[1]))

    def methods(self, most: int = 20) -> list[ProfiledMethod]:
        """The methods that are on top for the largest value. Of waits and allocations with what
        for: `shop.Cart.add (allocates byte[])`.
        """
        self_values: dict[str, int] = {}
        totals: dict[str, int] = {}
        counts: dict[str, int] = {}
        by_node: dict[int, tuple[int, int]] = {}
        for key, (count, value) in self.tree.values.items():
            counted, sum_ = by_node.get(key.node, (0, 0))
            by_node[key.node] = (counted + count, sum_ + value)
        for node, (count, value) in by_node.items():
            names = _names(self.tree.stack(node))
            self_values[names[0]] = self_values.get(names[0], 0) + value
            counts[names[0]] = counts.get(names[0], 0) + count
            for name in set(names):
                totals[name] = totals.get(name, 0) + value
        hottest = sorted(self_values, key=lambda name: -self_values[name])[:most]
        return [
            ProfiledMethod(name, self_values[name], totals[name], counts[name]) for name in hottest
        ]

    def write(self, path: str | PathLike[str], format: ProfileFormat | None = None) -> Path:  # noqa: A002 - the word that users type
        """Write it to a file: a flame graph that a browser opens (`html`), or what other tools
        read. Without a format the name decides: .html, .collapsed, .txt, .json (speedscope), .pb.gz
        (pprof). Raises ProfileError if it cannot be written.
        """
        target = Path(path)
        content = _writer(format or _format_of(target))(self)
        try:
            target.write_bytes(content)
        except OSError as error:
            raise ProfileError(f"cannot write {target}: {reason(error)}") from None
        return target

    def as_dict(self, most: int = 20) -> dict[str, Any]:
        """The summary, as dicts and lists for `json.dumps`."""
        return {
            "kind": self.kind,
            "unit": self.unit,
            "how": self.how,
            "duration_s": self.duration_s,
            "interval_s": self.interval_s,
            "is_complete": self.is_complete,
            "samples": self.samples,
            "failed": self.failed,
            "rounds": self.rounds,
            "total": self.total,
            "unseen_s": self.unseen_s,
            "process_cpu_s": self.process_cpu_s,
            "sampler_cpu_s": self.sampler_cpu_s,
            "by_thread": self.by_thread,
            "by_state": self.by_state,
            "methods": [
                {
                    "name": each.name,
                    "self": each.self_value,
                    "total": each.total_value,
                    "count": each.count,
                }
                for each in self.methods(most)
            ],
        }

    def format(self, value: int) -> str:
        """A value in its unit, for people: `1.25 s`, `3.0 MB`."""
        return value_text(value, self.unit)

    def _repr_html_(self) -> str:
        rows = [
            (each.name, self.format(each.self_value), self.format(each.total_value))
            for each in self.methods()
        ]
        return table(f"Profile ({self.kind})", rows, columns=("method", "self", "total"))

    def __str__(self) -> str:
        total = self.total or 1
        lines = [f"{self.kind}: {self.format(self.total)} in {self.samples} samples"]
        for each in self.methods(10):
            amount = self.format(each.self_value)
            lines.append(f"{each.self_value / total:6.1%} {amount:>10} {one_line(each.name)}")
        return "\n".join(lines)


NO_FRAMES = "(no Java frames)"
_SUFFIXES: dict[str, ProfileFormat] = {
    ".html": "html",
    ".htm": "html",
    ".collapsed": "collapsed",
    ".folded": "collapsed",
    ".txt": "collapsed",
    ".json": "speedscope",
    ".speedscope": "speedscope",
    ".gz": "pprof",
    ".pb": "pprof",
    ".pprof": "pprof",
}
_UNITS: Sequence[tuple[float, str]] = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"))
_SIZES: Sequence[tuple[float, str]] = ((2**30, "GB"), (2**20, "MB"), (2**10, "KB"))


def value_text(value: int, unit: str) -> str:
    """A value in its unit, for people."""
    for size, name in _UNITS if unit == "nanoseconds" else _SIZES:
        if value >= size:
            return f"{value / size:.2f} {name}"
    return f"{value} {'ns' if unit == 'nanoseconds' else 'B'}"


def _names(stack: Iterable[ProfiledFrame]) -> list[str]:
    """The topmost first. What a method waits for or allocates is shown with the method."""
    names = [frame.name for frame in stack] or [NO_FRAMES]
    if len(names) > 1 and names[0].startswith("("):
        return [f"{names[1]} {names[0]}", *names[1:]]
    return names


def _format_of(path: Path) -> ProfileFormat:
    found = _SUFFIXES.get(path.suffix.lower())
    if found is None:
        raise ProfileError(
            f"{path}: the name does not say which format; end it with .html, .collapsed, .json or"
            " .pb.gz, or say which"
        )
    return found


def _writer(wanted: ProfileFormat) -> Callable[[Profile], bytes]:
    # Not imported before: who only asks the profile needs none of them.
    from jvmdebug.profiling import collapsed, flame_graph, pprof, speedscope  # noqa: PLC0415

    writers: dict[str, Callable[[Profile], bytes]] = {
        "html": flame_graph.written,
        "collapsed": collapsed.written,
        "speedscope": speedscope.written,
        "pprof": pprof.written,
    }
    if wanted not in writers:
        raise ProfileError(f"there is no format {wanted!r}: choose {', '.join(writers)}")
    return writers[wanted]
