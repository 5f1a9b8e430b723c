# SPDX-License-Identifier: Apache-2.0
"""Variables are used like values of Python: in both APIs, as far as the asynchronous one can."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import jvmdebug
import jvmdebug.sync
from jvmdebug import MissingValueError, StateError, WrongValueError
from tests.support import process
from tests.support.sessions import compiled, launched, stop_at

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from tests.support.jdks import Jdk
    from tests.support.process import AgentKind

TOPIC, MAIN = "pythonic", "Pythonic"


@pytest.fixture
def frame(jdk: Jdk, agent_kind: AgentKind) -> Iterator[jvmdebug.sync.FrameHandle]:
    """The frame of main, stopped where all variables have their values."""
    program = compiled(TOPIC, MAIN, jdk)
    opened = jvmdebug.sync.launch(
        MAIN,
        class_path=program.class_path,
        source_path=[program.source_dir],
        java=jdk.home,
        **process.launch_options(agent_kind),
    )
    with opened as session:
        session.break_at(f"Pythonic.java:{program.marker('main')}")
        stop = session.next_stop(timeout_s=40)
        assert stop is not None
        yield stop.frame


def test_numbers(frame: jvmdebug.sync.FrameHandle) -> None:
    assert frame["n"] == 7
    assert frame["n"] != 8
    assert frame["n"] > 6
    assert frame["n"] <= frame["boxed"]
    assert int(frame["big"]) == 1 << 40
    assert float(frame["half"]) == 0.5
    assert int(frame["letter"]) == ord("x")
    assert frame["letter"] == "x"
    assert "abcdefghij"[frame["n"]] == "h"
    assert int(frame["boxed"]) == 12345
    assert frame["boxed"] == 12345
    assert f"{frame['half']:.2f}|{frame['n']}|{frame['n']:>3}" == "0.50|7|  7"
    assert max(frame["numbers"]) == 3
    assert {frame["n"]: 1}[7] == 1  # type: ignore[index]
    with pytest.raises(TypeError, match="no value in Python"):
        int(frame["animal"])
    with pytest.raises(TypeError, match="which has no length"):
        len(frame["n"])


def test_truth_and_texts(frame: jvmdebug.sync.FrameHandle) -> None:
    assert frame["yes"]
    assert not frame["no"]
    assert not frame["refused"]
    assert not frame["nothing"]
    assert not frame["empty"]
    assert not frame["none"]
    assert frame["animal"]
    assert frame["nothing"] == None  # noqa: E711 - a null
    assert frame["nothing"].plain() is None
    assert str(frame["text"]) == 'so "it" is'
    assert frame["text"] == 'so "it" is'
    assert '"it"' in frame["text"]
    assert len(frame["text"]) == 10
    assert (str(frame["yes"]), str(frame["letter"])) == ("true", "x")
    assert str(frame["animal"]).startswith("Pythonic$Animal@") or "horse" in str(frame["animal"])


def test_fields_elements_and_entries(frame: jvmdebug.sync.FrameHandle) -> None:
    animal = frame["animal"]
    assert animal["legs"] == 4
    assert animal["next"]["name"] == "bee"
    assert animal == frame["same"]
    assert animal != animal["next"]
    with pytest.raises(LookupError, match="no field wings; there is: name, legs, next"):
        animal["wings"]
    assert frame["numbers"][0] == 3
    assert frame["numbers"][-1] == 2
    assert list(frame["numbers"]) == [3, 1, 2]
    assert frame["numbers"] == [3, 1, 2]
    assert [str(each) for each in frame["words"]] == ["a", "b", "c"]
    assert "b" in frame["words"]
    assert "z" not in frame["words"]
    assert len(frame["words"]) == 3
    assert frame["words"][1] == "b"
    with pytest.raises(MissingValueError, match="has 3 elements: there is no 3"):
        frame["words"][3]
    prices = frame["prices"]
    assert prices["mug"] == 5
    assert "cup" in prices
    assert len(prices) == 2
    assert [str(key) for key in prices] == ["cup", "mug"]
    assert {str(key): int(value) for key, value in prices.items()} == {"cup": 3, "mug": 5}
    assert prices == {"cup": 3, "mug": 5}
    assert prices != {"cup": 3}
    assert frame["byNumber"][1000] == "thousand"
    assert frame["bySize"]["LARGE"] == "big"
    with pytest.raises(MissingValueError, match='no key \'tea\'; its keys: "cup", "mug"'):
        prices["tea"]


def test_a_frame_has_its_variables(frame: jvmdebug.sync.FrameHandle) -> None:
    assert "n" in frame
    assert "m" not in frame
    assert "this" not in frame
    with pytest.raises(LookupError, match="no variable m in scope"):
        frame["m"]
    assert frame.evaluate('prices.get("mug") + n') == 12
    assert frame.evaluate("words.size() == 3")
    element = frame["words"][0]
    key, value = frame["prices"].items()[1]
    frame.stop.resume()
    assert element.name == "[0]"
    with pytest.raises(StateError):
        len(frame["words"])
    with pytest.raises(StateError):
        key.as_text()
    assert value is not None


async def test_what_needs_no_answer_works_without_await(jdk: Jdk, agent_kind: AgentKind) -> None:
    program = compiled(TOPIC, MAIN, jdk)
    async with launched(program, jdk, agent_kind) as session:
        stop = await stop_at(session, program, "main")
        frame = stop.frame
        n: Any = await frame.get("n")
        assert n == 7
        assert int(n) + 1 == 8
        assert bool(n)
        assert n in (1, 7)
        assert str(n) == "7"
        assert await frame.get("text") == 'so "it" is'
        assert await frame.evaluate("text + n") == 'so "it" is7'
        assert await (await frame.get("animal")).get("name") == "horse"
        prices = await frame.get("prices")
        assert [str(key) async for key in prices] == ["cup", "mug"]
        assert await prices.equals({"cup": 3, "mug": 5})
        assert await prices.contains("cup")
        assert await prices.length() == 2
        expected: dict[str, Callable[[], object]] = {
            "await frame.get('n')": lambda: frame["n"],
            "await prices.get('cup')": lambda: prices["cup"],
            "await prices.length()": lambda: len(prices),
            "async for each in prices": lambda: list(prices),
            "await prices.plain()": lambda: prices == 3,
            "await prices.contains('cup')": lambda: "cup" in prices,
            "await prices.equals(…)": lambda: prices == {},
        }
        for call, using in expected.items():
            with pytest.raises(TypeError) as raised:
                using()
            assert call in str(raised.value)
            assert "jvmdebug.sync" in str(raised.value)
        with pytest.raises(WrongValueError, match="has no value in Python"):
            await (await frame.get("animal")).plain()
