# SPDX-License-Identifier: Apache-2.0
"""Fail a pytest when a method is called from a wrong thread

The fixtures come with jvmdebug. Calls are recorded with the name of their thread and, here, their
callers; the test fails with the stack of the call that must not be.
"""

from jvmdebug_pytest import OpenSession


def test_orders_are_made_by_the_main_thread(jvmdebug_session: OpenSession) -> None:
    session = jvmdebug_session("shop.Main", class_path=["build/classes"], args=["serve"])
    calls = session.trace("shop.Cart#order", stack=5, limit=10).collect()
    wrong = [call for call in calls if call.thread != "main"]
    assert not wrong, "\n".join([str(wrong[0]), *map(str, wrong[0].stack)])
