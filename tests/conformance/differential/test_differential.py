# SPDX-License-Identifier: Apache-2.0
"""The same requests to our agent and the JDK's own: replies and event sets must be the same.

One test for each conversation and JDK. The conversations of a fixture share a VM for each agent;
JVMDEBUG_TEST_ORDER, a number, lets them take place in another order.
Known differences are in native/protocol/differences.toml.
"""

from __future__ import annotations

import os
import random
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import pytest

from tests.conformance.differential import ledger
from tests.conformance.differential.differences import declared_differences, fits
from tests.conformance.differential.fixture import TARGET
from tests.conformance.differential.registry import Conversation, all_conversations
from tests.conformance.differential.running import FixtureVms, vms_of
from tests.support import process
from tests.support.jdks import jdks_to_test
from tests.support.matrix import is_newest, is_whole

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conformance.differential.fixture import Fixture
    from tests.conformance.differential.recording_client import RecordingClient
    from tests.support.jdks import Jdk


@dataclass(frozen=True)
class Case:
    """A conversation on a JDK."""

    conversation: Conversation
    jdk: Jdk


_SAMPLED = re.compile(r"^wrong\.")
_EACH_ON_NEWEST = 6
_EACH = 10


def _marks(one: Conversation, jdk: Jdk, number: int) -> list[pytest.MarkDecorator]:
    """Marks as slow what of the wrong fields is left to `make matrix`: see tests/support/matrix."""
    is_sampled = not is_whole() and _SAMPLED.match(one.name)
    each = _EACH_ON_NEWEST if is_newest(jdk) else _EACH
    return [pytest.mark.agent, *([pytest.mark.slow] if is_sampled and number % each else [])]


def _cases() -> list[object]:
    # pytest brings tests together whose parameters are equal: those of one place, and not those
    # of one conversation on several JDKs, for which all VMs would have to start each time.
    conversations = list(enumerate(all_conversations()))
    if seed := os.environ.get("JVMDEBUG_TEST_ORDER"):
        random.Random(seed).shuffle(conversations)
    return [
        pytest.param(
            (one.fixture, jdk),
            Case(one, jdk),
            id=f"{jdk.label}-{one.fixture.name}-{one.name}",
            marks=_marks(one, jdk, number),
        )
        for jdk in jdks_to_test()
        for number, one in conversations
        if one.fixture.runs_on(jdk) and one.is_for(jdk.version)
    ]


@pytest.fixture(scope="module")
def vms(request: pytest.FixtureRequest) -> Iterator[FixtureVms]:
    """The VMs of a fixture on one JDK."""
    fixture, jdk = cast("tuple[Fixture, Jdk]", request.param)
    with vms_of(fixture, jdk) as shared:
        shared.begin()  # not in the time of the first test
        yield shared


@pytest.mark.parametrize(("vms", "case"), _cases(), indirect=["vms"], scope="module")
def test_both_agents_say_the_same(vms: FixtureVms, case: Case) -> None:
    verdict = vms.hold(case.conversation)
    assert verdict.is_good, str(verdict)
    if case.jdk.version == ledger.VERSION:
        own = case.conversation.name
        pairs = {pair for pair, name in ledger.witnesses().items() if name == own}
        assert pairs <= verdict.exercised, "ledger.toml says that it exercises these too"


def test_a_vm_that_replaces_another_may_outlive_its_test() -> None:
    """Otherwise one conversation that is late would fail each second one of those after it."""

    def break_off(_client: RecordingClient) -> None:
        raise TimeoutError("late")

    late = Conversation("none.late", TARGET, break_off, False, 0, 999)  # noqa: FBT003
    before = process.java_processes()
    with vms_of(TARGET, jdks_to_test()[-1]) as shared:
        assert len(shared.hold(late).broken) == 2
        shared.begin()
        started = process.java_processes() - before
        assert len(started) == 2
        assert started <= process.OUTLIVING
    assert started.isdisjoint(process.OUTLIVING)


def test_every_conversation_that_is_named_exists() -> None:
    names = [one.name for one in all_conversations()]
    named = {name for one in declared_differences() for name in one.conversations}
    assert [one for one in named if not any(fits(name, one) for name in names)] == []
    assert set(ledger.witnesses().values()) - set(names) == set()


def test_everything_that_jdwp_has_is_exercised() -> None:
    """Or the ledger says why it cannot be; every command, event kind and modifier is."""
    witnessed, without = set(ledger.witnesses()), set(ledger.without_witness())
    assert witnessed | without == ledger.required()
    assert witnessed & without == set()
    # Only errors may be missing, and events that no conversation can wait for by themselves.
    errors = {one for one in without if "=" in one and not one.endswith("=NONE")}
    assert without - errors <= ledger.HEARD_ON_THE_SIDE.keys()
    # What would be heard if it came is said; a conversation that the reason names is there.
    assert not witnessed & ledger.never().keys()
    said = "\n".join(ledger.without_witness().values())
    named = set(re.findall(r"\(([a-z_]+\.[^()]+)\)", said))
    assert named <= {one.name for one in all_conversations()}
