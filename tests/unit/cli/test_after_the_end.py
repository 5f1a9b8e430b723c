# SPDX-License-Identifier: Apache-2.0
"""What a prompt says that needs a stop, when the program has ended."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from jvmdebug_cli import view


@pytest.mark.parametrize(
    ("owner", "is_disconnected", "is_ours", "said"),
    [
        (None, True, True, "the program has ended; `run` starts it again"),
        (None, True, False, "it was not launched from here: start it and attach again"),
        ("prompt (process 7)", False, False, "ended; the prompt (process 7) may start it again"),
        ("prompt (process 7)", True, False, "the session has ended; `jvmdebug sessions` lists"),
    ],
)
def test_who_may_start_it_again_is_said(
    owner: str | None,
    is_disconnected: bool,  # noqa: FBT001 - a parameter of the test
    is_ours: bool,  # noqa: FBT001
    said: str,
) -> None:
    session: Any = SimpleNamespace(owner=owner, is_disconnected=is_disconnected)
    assert said in view.what_after_the_end(session, is_ours=is_ours)
