# SPDX-License-Identifier: Apache-2.0
"""A snapshot of all threads as text: stacks, locks, and first of all the deadlocks.

Knows `jvmdebug.Snapshot`, not where it comes from. Called by the subcommand `threads`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from rich.console import Group
from rich.text import Text

from jvmdebug import one_line
from jvmdebug_cli.printer import indented

if TYPE_CHECKING:
    from rich.console import RenderableType

    import jvmdebug

_COLOURS: Final = {"running": "green", "blocked": "red"}
_DEADLOCK: Final = "bold red"


def thread_dump(snapshot: jvmdebug.Snapshot) -> RenderableType:
    """The deadlocks, then all threads."""
    by_name = {each.name: each for each in snapshot.threads}
    shown: list[RenderableType] = []
    for circle in snapshot.deadlocks:
        shown += [*_deadlock([by_name[name] for name in circle if name in by_name]), ""]
    for each in snapshot.threads:
        shown += [*_thread(each), ""]
    count = len(snapshot.threads)
    deadlocks = len(snapshot.deadlocks)
    summary = f"{count} thread{'s' * (count != 1)}, "
    summary += f"{deadlocks or 'no'} deadlock{'s' * (deadlocks != 1)}"
    if snapshot.monitors_unknown:
        summary += " among locks of java.util.concurrent"
    if snapshot.held_s is not None:
        summary += f"; the program was held for {snapshot.held_s * 1e3:.1f} ms"
    if snapshot.monitors_unknown:
        reason = f"monitors are not known: {snapshot.monitors_unknown}"
        shown.append(Text(reason, "dim"))
    if snapshot.left_out:
        shown.append(Text(f"… {snapshot.left_out} more virtual threads (--virtual)", "dim"))
    return Group(*shown, Text(summary, _DEADLOCK if deadlocks else "dim"))


def _deadlock(circle: list[jvmdebug.ThreadSnapshot]) -> list[RenderableType]:
    lines: list[RenderableType] = [Text("Deadlock:", _DEADLOCK)]
    for each in circle:
        wanted = each.waits_for
        if wanted is not None:
            text = f'"{each.name}" waits for {wanted.text}, held by "{wanted.owner}"'
            lines.append(_indented(Text(text)))
    return lines


def _thread(it: jvmdebug.ThreadSnapshot) -> list[RenderableType]:
    head = Text(overflow="fold")
    number = it.id if it.number is None else it.number
    head.append(f'"{it.name}"', "bold").append(f" #{number} ")
    if it.is_virtual:
        head.append("virtual ")
    head.append(it.status, _COLOURS.get(it.status, "yellow"))
    if it.cpu_s is not None:
        head.append(f" cpu {it.cpu_s * 1e3:.1f} ms", "dim")
    lines: list[RenderableType] = [head]
    if it.waits_for is not None:
        owner = it.waits_for.owner
        waits = "is parked" if it.waits_for.is_lock and owner is None else "waits"
        held = "" if owner is None else f', held by "{owner}"'
        lines.append(_indented(Text(f"{waits} for {it.waits_for.text}{held}", "red" * bool(held))))
    lines += [_indented(Text(f"holds {each.text}", "cyan")) for each in it.holds]
    for frame in it.frames:
        lines.append(_indented(Text(f"at {frame.at}")))
        lines += [_indented(Text(str(each), "dim"), 8) for each in frame.variables]
    if (more := it.frame_count - len(it.frames)) > 0:
        lines.append(_indented(Text(f"… {more} more", "dim")))
    for origin in it.origins:
        lines.append(_indented(Text(f"{one_line(origin.label)}:", "cyan")))
        for each in origin.frames:
            lines.append(_indented(Text(f"at {one_line(str(each))}", "dim" * each.is_plumbing), 8))
    return lines


def _indented(text: Text, by: int = 4) -> RenderableType:
    text.overflow = "fold"
    return indented(text, by)
