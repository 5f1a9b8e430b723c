# SPDX-License-Identifier: Apache-2.0
"""The page that says what VS Code does with events knows each event that the adapter sends."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

from jvmdebug_dap.models.generated import events
from tests.house.tracked import text_of, tracked_files

if TYPE_CHECKING:
    from collections.abc import Iterator

PAGE: Final = Path("docs/architecture/events_in_vscode.md")
ADAPTER: Final = "adapters/jvmdebug_dap/"
MAKES_INVALIDATED: Final = "adapters/jvmdebug_dap/convert/invalid.py"
AREAS: Final = {"stacks", "variables"}
EVENTS: Final = re.compile(r"`([a-zA-Z]+(?:/[a-zA-Z]+)?)`")
EVENT_NAMES: Final = {
    name[0].lower() + name.removesuffix("EventBody")[1:]
    for name in dir(events)
    if name.endswith("EventBody")
} | {"terminated", "jvmdebug/coverage", "jvmdebug/testResult", "jvmdebug/classesRedefined"}


def sources() -> dict[str, ast.Module]:
    every = (path for path in tracked_files() if str(path).startswith(ADAPTER))
    return {str(path): ast.parse(text_of(path)) for path in every if path.suffix == ".py"}


def sent() -> set[str]:
    """The first argument of each `send_event`, and the name in each pair of a name and a body."""
    return {name for tree in sources().values() for name in _names(tree)}


def _names(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(attr="send_event"), args=[ast.Constant(value=name), _]
            ):
                yield str(name)
            case ast.Call(func=ast.Attribute(attr="send_event"), args=[ast.Constant(value=name)]):
                yield str(name)
            case ast.Tuple(elts=[ast.Constant(value=str(name)), _]) if name in EVENT_NAMES:
                yield name


def of_the_page() -> set[str]:
    rows = [line for line in text_of(PAGE).splitlines() if line.startswith("| `")]
    return {name for row in rows for name in EVENTS.findall(row.split("|")[1])}


def test_the_page_has_each_event() -> None:
    known, found = of_the_page(), sent()
    assert {"stopped", "invalidated", "jvmdebug/testResult", "continued"} <= found
    assert found - known == set(), f"{PAGE} has no row for these"
    states = {"started", "exited", "changed", "removed", "variables", "stacks", "threads", "all"}
    assert known - found - states - {"module"} == set(), f"{PAGE} has a row for these"


def test_one_place_makes_invalidated_and_names_no_threads() -> None:
    """Threads that are invalid while the program runs are gone from VS Code's Call Stack."""
    makers = {
        path: node
        for path, tree in sources().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call)
        and ast.unparse(node.func).rpartition(".")[2] == "InvalidatedEventBody"
    }
    assert list(makers) == [MAKES_INVALIDATED]
    calls = (node for node in ast.walk(sources()[MAKES_INVALIDATED]) if isinstance(node, ast.Call))
    named = {
        each.value
        for call in calls
        if ast.unparse(call.func) == "_of"
        for each in call.args
        if isinstance(each, ast.Constant)
    }
    assert named == AREAS
