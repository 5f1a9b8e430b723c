# SPDX-License-Identifier: Apache-2.0
"""Tests which classes are watched for while a source has none: the program waits at each."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from jvmdebug.breakpoints import BreakpointOptions
from jvmdebug.jdwp.generated.virtual_machine import CapabilitiesNewReply
from jvmdebug.model import VirtualMachine
from jvmdebug.sources import LineSpec
from tests.support.fake_requests import CLASS_PREPARE

if TYPE_CHECKING:
    from jvmdebug.breakpoints import BreakpointSet
    from tests.support.fake_requests import EventRequests

JDK = {"java.*", "javax.*", "jdk.*", "sun.*", "com.sun.*"}


@pytest.mark.parametrize(
    ("path", "included"),
    [
        ("/home/ann/shop/src/main/java/shop/Cart.java", set()),
        ("/home/ann/Cart.java", set()),
        ("/home/ann/jdk/src/java.base/share/classes/java/util/ArrayList.java", {"java.*", "jdk.*"}),
        ("/home/ann/api/javax/money/Money.java", {"javax.*"}),
        ("/src/com/sun/net/Server.java", {"sun.*", "com.sun.*"}),
        ("util/ArrayList.java", JDK),  # the end of a path: of any package
        ("ArrayList.java", JDK),
    ],
)
async def test_classes_of_the_jdk_are_not_waited_for(
    breakpoints: BreakpointSet,
    requests: EventRequests,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    included: set[str],
) -> None:
    known = {name: name != "can_use_source_name_filters" for name, _ in CapabilitiesNewReply.LAYOUT}
    monkeypatch.setattr(VirtualMachine, "capabilities", SimpleNamespace(**known))
    await breakpoints.add(LineSpec(6, path=path), BreakpointOptions())
    (request,) = requests.of(CLASS_PREPARE)
    excluded = {each["pattern"] for each in request["modifiers"]} - {"*"}
    assert excluded == JDK - included
