# SPDX-License-Identifier: Apache-2.0
"""Instances before and after

Which objects does an operation leave behind? Count those of the classes that matter before it and
after it. What is no longer reachable does not count.
"""

import jvmdebug.sync

CLASSES = ("shop.Customer", "shop.Cart", "java.util.ArrayList")

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"]) as session:
    session.break_at("shop.Main#sell")
    stop = session.next_stop()
    assert stop is not None
    before = session.instance_counts(*CLASSES)
    stop.step_out()
    session.next_stop()
    after = session.instance_counts(*CLASSES)
    for name in CLASSES:
        print(f"{name}: {before[name]} -> {after[name]}")
