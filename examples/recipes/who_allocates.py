# SPDX-License-Identifier: Apache-2.0
"""Who allocates, and what of it stays

A sample each 64 KB that a thread allocates. What is still alive after a collection, and there is
more and more of, is the leak.
"""

import time

import jvmdebug.sync

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"], args=["report"]) as session:
    session.start()
    with session.allocations(every=64 * 1024) as allocations:
        time.sleep(1.0)
        session.heap.collect()
        for site in allocations.profile().sites[:3]:
            print(site)
    session.kill()
