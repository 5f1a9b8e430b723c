# SPDX-License-Identifier: Apache-2.0
"""When a field got a value, and who was there

The program is recorded, and then read: every write of a name, and the stack at the one that is
wanted, with its variables.
"""

import jvmdebug
import jvmdebug.sync

with (
    jvmdebug.sync.launch("shop.Main", class_path=["build/classes"], args=["sell"]) as session,
    session.record("sell.jvmrec"),
):
    session.start()
    session.wait()

with jvmdebug.recording.open("sell.jvmrec") as past:
    for write in past.writes("total"):
        print(f"total became {write.text} in {write.where}")
    (found,) = past.writes("total", "60")
    for frame in found.moment.frames:
        print("   ", frame.place, {value.name: value.text for value in frame.variables()})
