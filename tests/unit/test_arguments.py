# SPDX-License-Identifier: Apache-2.0
"""Wrong arguments: the error says what is possible."""

from __future__ import annotations

import pytest

from jvmdebug.arguments import require_one_of, require_text, require_whole
from jvmdebug.errors import ArgumentError


def test_one_of_some_words() -> None:
    require_one_of("clock", "cpu", ("cpu", "wall"))
    for wrong in ("x", None, 5, ["cpu"]):
        with pytest.raises(ArgumentError, match=r"^clock is .*: choose cpu, wall$"):
            require_one_of("clock", wrong, ("cpu", "wall"))


def test_a_whole_number() -> None:
    require_whole("frames", 0, 0)
    require_whole("frames", 8, 0, 8)
    for wrong in (-1, True, "x", None, 1.5):
        with pytest.raises(ArgumentError, match=r"it must be a whole number from 0$"):
            require_whole("frames", wrong, 0)
    with pytest.raises(
        ArgumentError, match=r"^frames is 9: it must be a whole number from 0 to 8$"
    ):
        require_whole("frames", 9, 0, 8)


def test_a_text() -> None:
    require_text("name", "")
    with pytest.raises(ArgumentError, match=r"^name is 5: it must be a string$"):
        require_text("name", 5)
