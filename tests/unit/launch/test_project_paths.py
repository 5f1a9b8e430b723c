# SPDX-License-Identifier: Apache-2.0
"""The words of java-debug in class paths and module paths."""

from __future__ import annotations

from pathlib import Path

import pytest

from jvmdebug.launch.command_line import ProgramRequest
from jvmdebug.launch.project_paths import has_own_paths, joined, names_project, scope_of

OWN = [Path("/shop/classes"), Path("/shop/lib/a-1.jar"), Path("/m2/b-2.jar")]


@pytest.mark.parametrize(
    ("given", "path"),
    [
        ([], "classes a-1.jar b-2.jar"),
        (["x.jar"], "x.jar classes a-1.jar b-2.jar"),
        (["x.jar", "$Auto", "y.jar"], "x.jar classes a-1.jar b-2.jar y.jar"),
        (["$Test", "$Auto"], "classes a-1.jar b-2.jar"),
        (["!/m2/b-2.jar"], "classes a-1.jar"),
        (["$Auto", "!lib/a-1.jar"], "classes b-2.jar"),
        (["!lib"], "classes b-2.jar"),
        (["!./lib/../lib/"], "classes b-2.jar"),
        (["!li"], "classes a-1.jar b-2.jar"),
        (["$Auto", "lib/c.jar", "!b-*.jar", "!lib/c.jar"], "classes a-1.jar"),
        (["!*/a-?.jar"], "classes b-2.jar"),
    ],
)
def test_a_path_with_that_of_the_project(given: list[str], path: str) -> None:
    assert " ".join(Path(each).name for each in joined(given, OWN, "/shop")) == path


@pytest.mark.parametrize(
    ("class_path", "names", "whole", "scope"),
    [
        ([], False, False, "auto"),
        (["a.jar"], False, True, "auto"),
        (["!a.jar"], False, False, "auto"),
        (["a.jar", "$Runtime"], True, False, "runtime"),
        (["$Runtime", "$Auto"], True, False, "auto"),
        (["$Auto", "$Test"], True, False, "test"),
    ],
)
def test_what_a_path_says_of_the_project(
    class_path: list[str], *, names: bool, whole: bool, scope: str
) -> None:
    request = ProgramRequest(main_class="M", class_path=class_path)
    assert (names_project(request), has_own_paths(request)) == (names, whole)
    assert scope_of(request) == scope
