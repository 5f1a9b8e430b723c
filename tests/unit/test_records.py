# SPDX-License-Identifier: Apache-2.0
"""Dataclasses whose methods are made later behave as those of the standard library."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import FrozenInstanceError, field
from functools import partial
from typing import Any, ClassVar

import pytest

from jvmdebug import records


def family(dataclass: Any) -> dict[str, Any]:
    """Classes of every shape that the core has."""

    @dataclass(frozen=True, slots=True)
    class Base:
        """A field with a default, one that is not compared, and none of an instance."""

        name: str
        count: int = 3
        note: str = field(default="", compare=False, repr=False)
        known: ClassVar[int] = 7

        def twice(self) -> int:
            return self.count * 2

    @dataclass(frozen=True, slots=True)
    class Derived(Base):
        """More fields, by a factory too."""

        parts: list[int] = field(default_factory=list, hash=False)

    @dataclass(frozen=True, slots=True, eq=False)
    class Own(Base):
        """Without comparison."""

        def __repr__(self) -> str:
            return "own"

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Named(Base):
        """A field that is given by name."""

        last: int = 0

    @dataclass(slots=True)
    class Changed:
        """It can change, so that it has no hash."""

        value: int = 0
        seen: list[int] = field(init=False, default_factory=list)

        def __post_init__(self) -> None:
            self.seen.append(self.value)

    @dataclass(frozen=True, slots=True)
    class Empty:
        """Without a field."""

    return {each.__name__: each for each in (Base, Derived, Own, Named, Changed, Empty)}


def facts(made: dict[str, Any]) -> list[Any]:
    """What can be seen of them."""
    base, derived = made["Base"]("a", note="n"), made["Derived"]("a", 4, parts=[1])
    changed = made["Changed"](5)
    changed.value = 6
    own, named = made["Own"]("a"), made["Named"]("a", last=2)
    found: list[Any] = [repr(each).rpartition(".")[2] for each in (base, derived, own, named)]
    found += [repr(changed).rpartition(".")[2], repr(made["Empty"]()).rpartition(".")[2]]
    found += [base == made["Base"]("a"), base != made["Base"]("b"), base == derived, base == own]
    found += [own == made["Own"]("a"), made["Empty"]() == made["Empty"](), base == 5]
    found += [hash(base) == hash(made["Base"]("a")), changed.__hash__ is None, base.known]
    found += [hash(derived) == hash(dataclasses.replace(derived, parts=[2])), base.twice()]
    for each in made.values():
        found += [each.__match_args__, [one.name for one in dataclasses.fields(each)]]
        found += [each.__slots__, dataclasses.is_dataclass(each), each.__doc__]
    found += [dataclasses.asdict(named), copy.copy(derived) == derived]
    match base:
        case made_base if isinstance(made_base, made["Base"]):
            found.append(made_base.note)
    return found


def test_they_are_as_those_of_the_standard_library() -> None:
    assert facts(family(records.dataclass)) == facts(family(dataclasses.dataclass))


def test_a_frozen_one_cannot_be_changed() -> None:
    base = family(records.dataclass)["Base"]("a")
    for name in ("name", "other"):
        with pytest.raises(FrozenInstanceError, match=name):
            setattr(base, name, "b")
    with pytest.raises(FrozenInstanceError, match="name"):
        del base.name


def test_wrong_arguments_are_refused() -> None:
    made = family(records.dataclass)
    with pytest.raises(TypeError, match="missing 1 required positional argument: 'name'"):
        made["Base"]()
    with pytest.raises(TypeError, match="unexpected keyword argument 'size'"):
        made["Base"]("a", size=1)


@records.dataclass(frozen=True, slots=True)
class Kept:
    """Of a module, as pickle needs it."""

    name: str


def test_it_can_be_pickled() -> None:
    assert pickle.loads(pickle.dumps(Kept("a"))) == Kept("a")


def test_threads_may_use_a_class_for_the_first_time_at_once() -> None:
    for _ in range(20):
        made = family(records.dataclass)["Derived"]
        with ThreadPoolExecutor(4) as threads:
            found = list(threads.map(partial(made, "a"), range(4)))
        assert [each.count for each in found] == [0, 1, 2, 3]
        assert len({repr(each) for each in found}) == 4


def test_nothing_is_made_before_it_is_used() -> None:
    base = family(records.dataclass)["Base"]
    later = {name for name, each in vars(base).items() if type(each).__name__ == "_Later"}
    assert {"__init__", "__repr__", "__eq__", "__hash__", "__match_args__"} <= later
    base("a")
    later = {name for name, each in vars(base).items() if type(each).__name__ == "_Later"}
    assert later == {"__repr__", "__eq__", "__hash__"}
