# SPDX-License-Identifier: Apache-2.0
"""The numbers that a client gets: which are kept, and what is said about the others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import pytest

from jvmdebug_dap import references
from jvmdebug_dap.errors import RequestError
from jvmdebug_dap.references import StopReferences, ValueChildren

if TYPE_CHECKING:
    from jvmdebug import Stop


@dataclass
class FakeStop:
    """Only says whether it is current."""

    is_current: bool = True


def children_of(name: str) -> ValueChildren:
    return ValueChildren(cast("Any", name))


def test_those_used_last_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(references, "MAX_KEPT", 3)
    kept, stop = StopReferences(), cast("Stop", FakeStop())
    numbers = [kept.add_container(stop, children_of(name)) for name in "abc"]
    assert kept.container(numbers[0]) == children_of("a")
    numbers.append(kept.add_container(stop, children_of("d")))
    assert kept.container(numbers[0]) == children_of("a")
    with pytest.raises(RequestError, match="is no longer kept: 3 newer ones were given out"):
        kept.container(numbers[1])


def test_numbers_of_a_stop_that_is_over_or_that_never_were() -> None:
    kept, stop = StopReferences(), FakeStop()
    number = kept.add_container(cast("Stop", stop), children_of("a"))
    with pytest.raises(RequestError, match="was never given out"):
        kept.container(number + 1)
    stop.is_current = False
    kept.drop_stale()
    with pytest.raises(RequestError, match="belongs to a stop that is over"):
        kept.container(number)
