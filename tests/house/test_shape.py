# SPDX-License-Identifier: Apache-2.0
"""The shape of the Python code: a class is one thing, in a file of its own, and has few methods.

Values do not count as classes of their own: dataclasses, enums, protocols, exceptions, models. The
lists of today's exceptions may only get shorter: what does not offend any more is taken out.
"""

from __future__ import annotations

import ast
from functools import cache
from typing import TYPE_CHECKING, Final

from tests.house.tracked import is_generated, tracked_files, tree_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

MAX_METHODS: Final = 40
_FUNCTIONS: Final = (ast.FunctionDef, ast.AsyncFunctionDef)
_BASES_OF_VALUES: Final = ("Enum", "Flag", "Protocol", "NamedTuple", "TypedDict", "Exception")

_MANY_METHODS: Final = {
    "jvmdebug/model/reference_type.py:ReferenceType": 46,
}
"""Class → how many methods it has."""

_SEVERAL_CLASSES: Final = {
    "adapters/jvmdebug_cli/heap_views.py": 2,
    "adapters/jvmdebug_cli/observed_views.py": 4,
    "adapters/jvmdebug_dap/access.py": 2,
    "adapters/jvmdebug_dap/lanes.py": 2,
    "adapters/jvmdebug_dap/models/launch.py": 3,
    "adapters/jvmdebug_dap/references.py": 2,
    "adapters/jvmdebug_mcp/investigation.py": 2,
    "adapters/jvmdebug_pytest/java_project.py": 3,
    "adapters/jvmdebug_pytest/sessions.py": 2,
    "jvmdebug/breakpoints/budget.py": 2,
    "jvmdebug/breakpoints/element_stores.py": 2,
    "jvmdebug/breakpoints/log_drain.py": 2,
    "jvmdebug/classfile/writer.py": 2,
    "jvmdebug/evaluator/compiling/program_classes.py": 2,
    "jvmdebug/evaluator/symbols/loaded_types.py": 2,
    "jvmdebug/events/requests.py": 2,
    "jvmdebug/heap/marks.py": 2,
    "jvmdebug/javac/server.py": 2,
    "jvmdebug/model/reference_type.py": 3,
    "jvmdebug/model/values.py": 7,
    "jvmdebug/observing/line_times.py": 2,
    "jvmdebug/observing/returns.py": 2,
    "jvmdebug/session/memory.py": 2,
    "jvmdebug/session/program.py": 3,
    "jvmdebug/session/threads.py": 2,
    "jvmdebug/sync/portal.py": 2,
}
"""File → how many public classes it has."""


def test_a_class_has_few_methods() -> None:
    found = {
        f"{path}:{each.name}": count
        for path in _modules()
        for each in _classes(path)
        if (count := len(_methods(each))) > MAX_METHODS
    }
    assert _grown(found, _MANY_METHODS) == {}
    assert _shrunk(found, _MANY_METHODS) == {}, "take it out of the list, or write the lower number"


def test_a_file_has_one_public_class() -> None:
    found = {
        str(path): count
        for path in _modules()
        if (count := sum(_is_public_and_no_value(each) for each in _classes(path))) > 1
    }
    assert _grown(found, _SEVERAL_CLASSES) == {}
    assert _shrunk(found, _SEVERAL_CLASSES) == {}, (
        "take it out of the list, or write the lower number"
    )


def test_the_lists_tell_growth_from_shrinking() -> None:
    known = {"a": 3, "b": 2, "gone": 2}
    found = {"a": 4, "b": 1, "new": 2}
    assert _grown(found, known) == {"a": 4, "new": 2}
    assert _shrunk(found, known) == {"b": 1, "gone": 0}


@cache
def _modules() -> tuple[Path, ...]:
    found = [
        path
        for path in tracked_files()
        if path.suffix == ".py" and path.parts[0] in {"jvmdebug", "adapters"}
        if not is_generated(path)
    ]
    assert len(found) > 500
    return tuple(found)


@cache
def _classes(path: Path) -> tuple[ast.ClassDef, ...]:
    body = tree_of(path).body
    return tuple(each for each in body if isinstance(each, ast.ClassDef))


def _methods(class_: ast.ClassDef) -> list[ast.stmt]:
    return [each for each in class_.body if isinstance(each, _FUNCTIONS)]


def _is_public_and_no_value(class_: ast.ClassDef) -> bool:
    if class_.name.startswith("_") or not _methods(class_):
        return False
    if any("dataclass" in ast.unparse(each) for each in class_.decorator_list):
        return False
    return not any(name.endswith((*_BASES_OF_VALUES, "Error")) for name in _names_of_bases(class_))


def _names_of_bases(class_: ast.ClassDef) -> Iterator[str]:
    for each in class_.bases:
        yield ast.unparse(each).partition("[")[0]


def _grown(found: dict[str, int], known: dict[str, int]) -> dict[str, int]:
    return {name: count for name, count in found.items() if count > known.get(name, 0)}


def _shrunk(found: dict[str, int], known: dict[str, int]) -> dict[str, int]:
    return {name: now for name in known if (now := found.get(name, 0)) < known[name]}
