# SPDX-License-Identifier: Apache-2.0
"""ADR 5, checked: no module but `events/suspensions` sends a command that suspends or resumes.

`events/with_resume` makes one of them for it.
"""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Final

from tests.house.tracked import is_generated, tracked_files, tree_of

SENDER: Final = Path("jvmdebug/events/suspensions.py")
_MAKER: Final = Path("jvmdebug/events/with_resume.py")
_READER: Final = Path("jvmdebug/relay/permits.py")
"""It reads what others send."""
_ANSWERER: Final = Path("jvmdebug/recording/replay/connection.py")
"""A recording answers them in place of a VM."""
_COMMANDS: Final = {
    "virtual_machine": {"Suspend", "Resume", "HoldEvents", "ReleaseEvents"},
    "thread_reference": {"Suspend", "Resume"},
    "agent": {"ResumeWith"},
}


def _sent(tree: ast.Module) -> list[tuple[int, str]]:
    """The lines that name a command of `_COMMANDS`: as `set.Name`, or imported from its set."""
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=module), attr=name):
                pairs = [(module, name)]
            case ast.ImportFrom(module=str(path), names=names):
                pairs = [(path.rpartition(".")[2], each.name) for each in names]
            case _:
                continue
        found += [
            (node.lineno, f"{module}.{name}")
            for module, name in pairs
            if name in _COMMANDS.get(module, ())
        ]
    return found


def test_one_module_suspends_and_resumes() -> None:
    offenders = [
        f"{path}:{line}: {command}"
        for path in tracked_files()
        if path.suffix == ".py" and path.parts[0] in ("jvmdebug", "adapters")
        if path not in (SENDER, _MAKER, _READER, _ANSWERER) and not is_generated(path)
        for line, command in _sent(tree_of(path))
    ]
    assert offenders == [], "ask the router (docs/adr/0005)"


def test_the_check_finds_what_it_looks_for() -> None:
    assert _sent(tree_of(SENDER))
    source = "from jvmdebug.jdwp.generated.virtual_machine import Resume\nvm.request(Resume())"
    assert _sent(ast.parse(source)) == [(1, "virtual_machine.Resume")]
