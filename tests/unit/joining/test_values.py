# SPDX-License-Identifier: Apache-2.0
"""Values on the socket of a shared session: what goes over comes back, and nothing else is made."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import jvmdebug
from jvmdebug.errors import EvaluationError, WireError
from jvmdebug.joining import values


class NoReferences:
    """Knows one object, which is called 7."""

    def __init__(self) -> None:
        self.known = object()

    def of(self, value: Any) -> list[Any] | None:
        return [7] if value is self.known else None

    def found(self, named: list[Any]) -> object:
        if named != [7]:
            raise WireError("there is no such object")
        return self.known


PLAIN = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text()
    | st.floats(allow_nan=False)
    | st.binary()
    | st.sampled_from(jvmdebug.StopReason)
    | st.builds(Path, st.text(alphabet="ab/", min_size=1)),
    lambda inner: (
        st.lists(inner)
        | st.lists(inner).map(tuple)
        | st.dictionaries(st.text() | st.integers(), inner)
    ),
    max_leaves=20,
)


def passed(value: Any, references: NoReferences | None = None) -> Any:
    """The value after a way over the socket."""
    coder = values.Coder(references or NoReferences())
    data = values.packed({"value": coder.write(value)})
    assert values.length(data[:4]) == len(data) - 4
    return coder.read(values.unpacked(data[4:])["value"])


@given(PLAIN)
def test_what_goes_over_comes_back(value: Any) -> None:
    back = passed(value)
    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize(
    "value",
    [
        jvmdebug.BreakpointOptions(condition="a > 1", once=True),
        jvmdebug.LineSpec(42, path="shop/Cart.java"),
        jvmdebug.Output("stdout", "text \ud800"),
        jvmdebug.Ended(jvmdebug.EndReason.DETACHED),
        {1, 2},
        frozenset({"a"}),
        range(1, 9, 2),
        jvmdebug.BreakpointError,
        math.inf,
    ],
)
def test_types_of_the_api(value: object) -> None:
    assert passed(value) == value


def test_an_object_stays_where_it_is() -> None:
    references = NoReferences()
    assert passed([references.known], references)[0] is references.known


def test_an_error_keeps_its_class_its_text_and_its_cause() -> None:
    error = jvmdebug.LaunchError("cannot start it")
    error.__cause__ = EvaluationError("because")
    back = passed(error)
    assert isinstance(back, jvmdebug.LaunchError)
    assert str(back) == "cannot start it"
    assert str(back.__cause__) == "because"


@pytest.mark.parametrize(
    "written",
    [
        {"$": "data", "c": "os:system", "v": {}},
        {"$": "data", "c": "jvmdebug.joining.values:Coder", "v": {}},
        {"$": "data", "c": "jvmdebug.session.events:Output", "v": {}},
        {"$": "type", "c": "subprocess:Popen"},
        {"$": "enum", "c": "jvmdebug.session.events:Output", "v": "x"},
        {"$": "named", "c": "builtins:list", "v": []},
        {"$": "error", "c": "builtins:int", "v": "", "d": {}, "of": None},
        {"$": "ref", "v": [8]},
        {"$": "nothing"},
        {"v": 1},
        {"$": "dict", "v": 5},
    ],
)
def test_what_is_none_is_refused(written: Any) -> None:
    with pytest.raises(WireError):
        values.Coder(NoReferences()).read(written)


@pytest.mark.parametrize("data", [b"", b"[]", b"{", b"\xff"])
def test_what_is_no_message_is_refused(data: bytes) -> None:
    with pytest.raises(WireError):
        values.unpacked(data)
    with pytest.raises(WireError):
        values.length(b"\xff\xff\xff\xff")


def test_what_cannot_go_over_is_a_type_error() -> None:
    with pytest.raises(TypeError, match="session that was joined"):
        passed(object())
