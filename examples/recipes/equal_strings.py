# SPDX-License-Identifier: Apache-2.0
"""Which strings there are many times

Texts that many strings of the program have, and the bytes that one string for all of them would
save. A heap dump (`jvmdebug.heap.open`) can be asked the same.
"""

import jvmdebug.sync

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"], args=["report"]) as session:
    session.break_at("shop.Reports#sum", hit_condition="1000")
    session.next_stop()
    heap = session.heap.snapshot(contents=True)
    for each in heap.duplicate_strings(2):
        print(f"{each.count} times {each.text!r}, {each.wasted:,} bytes too many")
    session.kill()
