# SPDX-License-Identifier: Apache-2.0
"""Wait for a deadlock and show it

A snapshot suspends the program for some milliseconds. It knows which thread holds what another
waits for.
"""

import time

import jvmdebug.sync

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"], args=["transfer"]) as session:
    session.start()
    while not (snapshot := session.snapshot()).deadlocks:
        time.sleep(0.1)
    for names in snapshot.deadlocks:
        for name in names:
            print(snapshot.thread(name))
    session.kill()
