# SPDX-License-Identifier: Apache-2.0
"""Who sets a field to null

A field is null that must not be. The stack of each write that makes it so says who did it; nothing
stops. `to` takes any Java expression, and `condition="$old != null"` may say more.
"""

import jvmdebug.sync

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"]) as session:
    for write in session.who_sets("shop.Customer.name", to="null"):
        print(f"{write.field} was {write.old}; thread {write.thread}")
        for entry in write.stack:
            print("    at", entry)
