# SPDX-License-Identifier: Apache-2.0
"""Who started the thread, or submitted the task, that has stopped

The stack of a thread of a pool begins in the pool; where its task comes from is remembered from the
moment when `origins` begins.
"""

import jvmdebug.sync

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"], args=["serve"]) as session:
    with session.origins():
        session.break_at("shop.Cart#order", condition='text.startsWith("from")')
        stop = session.next_stop()
        assert stop is not None
        print("stopped at", stop.frame.location, "in thread", stop.thread.name)
        for origin in stop.origins():
            print(origin.label)
            for frame in origin.frames:
                print("   ", frame)
    session.kill()
