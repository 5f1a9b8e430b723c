# SPDX-License-Identifier: Apache-2.0
"""The monitors of threads from the thread dump that HotSpot itself writes, as `jstack` shows it.

For an agent that came late, to which HotSpot does not tell them. Reads text, asks nobody. Called by
`thread_dump`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from jvmdebug.classfile.descriptors import simple_name
from jvmdebug.observing.thread_snapshots import MonitorSnapshot
from jvmdebug.printable import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jvmdebug.observing.thread_snapshots import ThreadSnapshot

_THREAD: Final = re.compile(r'^".*" #(\d+) ')
_MONITOR: Final = re.compile(
    r"^\s+- (?P<what>locked|waiting to lock|waiting on|waiting to re-lock in wait\(\)) "
    r"<(?P<address>0x[0-9a-f]+)> \(a (?:java\.lang\.Class for (?P<of>.+)|(?P<type>.+))\)$"
)
_END: Final = re.compile(r"^(?:JNI global ref|Found .* deadlock)")


@dataclass(slots=True)
class _Monitors:
    """What one thread holds, the last one first, and waits for: texts by address."""

    holds: dict[str, MonitorSnapshot] = field(default_factory=dict)
    waits_for: tuple[str, MonitorSnapshot] | None = None


def with_monitors(threads: Sequence[ThreadSnapshot], text: str) -> list[ThreadSnapshot]:
    """The threads, with the monitors that the VM's thread dump has for them."""
    found = _read(text)
    by_number = {each.number: each for each in threads}
    owners = {
        address: by_number[number]
        for number, each in found.items()
        if number in by_number
        for address in each.holds
    }
    changed: list[ThreadSnapshot] = []
    for each in threads:
        monitors = None if each.number is None else found.get(each.number)
        if monitors is None:
            changed.append(each)
            continue
        waits_for = each.waits_for
        # A thread that goes on between the two dumps waits for nothing any more.
        if waits_for is None and monitors.waits_for and each.status in ("blocked", "waiting"):
            address, waits_for = monitors.waits_for
            owner = owners.get(address)
            if owner is not None:
                waits_for = replace(waits_for, owner=owner.name, owner_id=owner.id)
        holds = (*monitors.holds.values(), *each.holds)
        changed.append(replace(each, holds=holds, waits_for=waits_for))
    return changed


def _read(text: str) -> dict[int, _Monitors]:
    """Returns what each thread has, by its number."""
    found: dict[int, _Monitors] = {}
    current = _Monitors()
    depth = -1
    for line in text.splitlines():
        if _END.match(line):
            break
        if head := _THREAD.match(line):
            current = found.setdefault(int(head[1]), _Monitors())
            depth = -1
        elif line.lstrip().startswith("at "):
            depth += 1
        elif each := _MONITOR.match(line):
            _note(current, each, depth)
    return found


def _note(monitors: _Monitors, line: re.Match[str], depth: int) -> None:
    address = line["address"]
    name = f"{simple_name(line['of'])}.class" if line["of"] else simple_name(line["type"])
    monitor = MonitorSnapshot(one_line(f"{name}@{int(address, 16):x}"), 0)
    if line["what"] != "locked":
        monitors.waits_for = monitors.waits_for or (address, monitor)
    elif monitors.waits_for is None or monitors.waits_for[0] != address:
        # Who waits on a monitor has left it meanwhile.
        monitors.holds[address] = replace(monitor, depth=depth)
