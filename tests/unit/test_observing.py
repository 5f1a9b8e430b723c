# SPDX-License-Identifier: Apache-2.0
"""Observations without a VM: the calls that threads are in, limits, the queue and what it drops."""

from __future__ import annotations

import asyncio
import json
import warnings
from dataclasses import replace

import pytest

from jvmdebug import BreakpointError, Call, CallEntered, NamedValue, ObservedValue, StackEntry
from jvmdebug.observing import calls
from jvmdebug.observing.calls import OpenCall, OpenCalls, duration_text
from jvmdebug.observing.observation import Limits, Observation
from jvmdebug.observing.writes import condition_of

INT = ObservedValue("7", "int", 7)
ENTERED = CallEntered(
    time=1.0,
    thread="main",
    thread_id=1,
    number=1,
    parent=None,
    depth=0,
    type_name="shop.Cart",
    method_name="add",
    this=None,
    arguments=(NamedValue("count", INT),),
    stack=(),
)
CALL = Call(
    **{name: getattr(ENTERED, name) for name in CallEntered.__dataclass_fields__},
    outcome="returned",
    result=INT,
    duration_s=0.0025,
)


class Program:
    """A program that has nothing to observe: the events are put by the test."""

    def __init__(self) -> None:
        self.starts = 0
        self.is_stopped = False

    @property
    def observations(self) -> Program:
        return self

    async def start(self) -> None:
        self.starts += 1

    def add(self, _observation: object) -> None:
        """See Observations."""

    def discard(self, _observation: object) -> None:
        """See Observations."""

    def spawn(self, work: object, _attempt: str) -> None:
        """See Observations."""
        self.task = asyncio.ensure_future(work)  # type: ignore[call-overload]


class Puts(Observation[Call]):
    """Observes nothing."""

    armed = 0

    async def _arm(self) -> None:
        self.armed += 1

    async def _disarm(self) -> None:
        self.armed -= 1


def observation(limits: Limits | None = None) -> Puts:
    return Puts(Program(), "nothing", Call, limits or Limits())  # type: ignore[arg-type]


def opened(frames: int) -> OpenCall:
    return OpenCall(replace(ENTERED, number=frames), "method", frames, 0.0)


def test_calls_are_left_from_the_innermost_on() -> None:
    calls_ = OpenCalls()
    for frames in (2, 5, 6):
        calls_.enter("main", opened(frames))
    calls_.enter("other", opened(9))
    assert calls_.depth("main") == 3
    assert [each.frames for each in calls_.leave_above("main", 4)] == [6, 5]
    innermost = calls_.innermost("main")
    assert innermost is not None
    assert innermost.frames == 2
    calls_.leave("main", innermost)
    assert calls_.innermost("main") is None
    assert [each.frames for each in calls_] == [9]
    assert [each.frames for each in calls_.forget_threads(["main"])] == [9]
    assert not list(calls_)


def test_only_so_many_calls_are_open(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls, "MAX_OPEN", 2)
    calls_ = OpenCalls()
    for frames in (1, 2):
        assert calls_.has_room
        calls_.enter("main", opened(frames))
    assert not calls_.has_room
    calls_.leave_above("main", 1)
    assert calls_.has_room


def test_texts() -> None:
    assert str(ENTERED) == "shop.Cart.add(7)"
    assert str(CALL) == "shop.Cart.add(7) = 7 (2.5 ms)"
    assert str(replace(CALL, depth=1, result=None)) == "  shop.Cart.add(7) (2.5 ms)"
    assert str(replace(CALL, result=None, why_no_result="?")).endswith(") = ? (2.5 ms)")
    assert "threw 7" in str(replace(CALL, outcome="threw", exception=INT))
    assert ENTERED.argument("count") is INT
    with pytest.raises(KeyError):
        ENTERED.argument("price")
    assert [duration_text(each) for each in (12e-6, 0.0034, 1.25)] == ["12 µs", "3.4 ms", "1.25 s"]
    entry = StackEntry("shop.Cart", "add", "shop/Cart.java", 42)
    assert str(entry) == "shop.Cart.add(Cart.java:42)"
    assert str(replace(entry, line=None, is_native=True)) == "shop.Cart.add(Native Method)"
    assert json.loads(json.dumps(CALL.as_dict()))["arguments"][0]["value"]["value"] == 7


@pytest.mark.parametrize(
    ("to", "condition", "expected"),
    [
        (None, None, None),
        (None, "$old != $new", "$old != $new"),
        ("null", None, "$new == (null)"),
        ('"Ann"', None, '("Ann").equals($new)'),
        ("0", "$old > 0", "($new == (0)) && ($old > 0)"),
    ],
)
def test_the_condition_of_a_new_value(
    to: str | None, condition: str | None, expected: str | None
) -> None:
    assert condition_of(to, condition) == expected


@pytest.mark.parametrize("wrong", [Limits(events=0), Limits(duration_s=-1), Limits(capacity=0)])
def test_limits_that_make_no_sense(wrong: Limits) -> None:
    with pytest.raises(BreakpointError, match="must be"):
        observation(wrong)


async def test_what_is_not_taken_in_time_is_dropped_and_told() -> None:
    observed = await observation(Limits(capacity=2))
    for number in range(1, 6):
        observed._put(replace(CALL, number=number))
    assert (observed.count, observed.missed) == (2, 3)
    assert [call.number for call in observed.take()] == [1, 2]
    observed._put(replace(CALL, number=6))
    observed._put(replace(CALL, number=7))
    assert [(c.number, c.missed_before) for c in observed.take()] == [(6, 3), (7, 0)]


async def test_what_an_event_of_another_kind_says_was_missed_is_not_lost() -> None:
    observed = await observation(Limits(capacity=1))
    observed._put(CALL)
    observed._put(CALL)
    observed.take()
    observed._put(ENTERED)
    observed._limits = Limits()
    observed._put(CALL)
    (call,) = observed.take()
    assert call.missed_before == 1


async def test_it_is_armed_once_and_disarmed_at_its_end() -> None:
    observed = observation()
    async with observed:
        await observed
        assert observed.armed == 1
        assert observed.is_open
        observed._put(CALL)
    assert observed.armed == 0
    assert [call async for call in observed] == [CALL]
    observed._put(CALL)
    assert observed.take() == []


async def test_a_wait_ends_with_the_time_or_the_observation() -> None:
    observed = observation()
    with pytest.raises(TimeoutError):
        await observed.next(timeout_s=0.01)
    waiting = asyncio.ensure_future(observed.collect())
    observed._put(CALL)
    await asyncio.sleep(0)
    await observed.close()
    assert await waiting == [CALL]
    assert observed._program.starts > 0  # type: ignore[attr-defined]


async def test_a_loop_at_a_stop_warns_once_and_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jvmdebug.patience.PATIENCE_S", 0.001)
    observed = observation()
    observed._program.is_stopped = True  # type: ignore[misc]
    heard: list[tuple[str, str]] = []
    told = asyncio.Event()

    def hear(message: object, _category: object, file: str, *_: object, **_more: object) -> None:
        heard.append((str(message), file))
        told.set()

    async def loop() -> list[Call | CallEntered]:
        return [each async for each in observed]

    with warnings.catch_warnings():
        warnings.simplefilter("always")
        monkeypatch.setattr(warnings, "showwarning", hear)
        waiting = asyncio.ensure_future(loop())
        await asyncio.wait_for(told.wait(), 20)
        observed._put(CALL)
        await asyncio.sleep(0.02)
        await observed.close()
        assert await waiting == [CALL]
        with pytest.raises(TimeoutError):  # who gives a time knows that it may pass
            await observation().next(timeout_s=0.02)
    ((warning, file),) = heard
    assert "nothing of nothing comes while the program is stopped: resume it" in warning
    assert file == __file__  # the loop's, not one of the package


def test_at_a_prompt_all_is_short() -> None:
    assert repr(CALL).startswith(f"Call({CALL}")
    assert repr(INT) == "ObservedValue(7)"
    assert repr(NamedValue("count", INT)) == "NamedValue(count=7)"
    assert "\n" not in repr(CALL)
    assert len(repr(CALL)) < 200


async def test_it_ends_after_its_duration() -> None:
    observed = observation(Limits(duration_s=0.01))
    assert await observed.collect() == []
    assert not observed.is_open


async def test_a_failure_reaches_whoever_waits() -> None:
    observed = await observation()
    observed._put(CALL)
    observed._fail(BreakpointError("shop.Cart has no field total"))
    assert await observed.next() == CALL
    with pytest.raises(BreakpointError, match="no field total"):
        await observed.next()
