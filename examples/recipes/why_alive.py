# SPDX-License-Identifier: Apache-2.0
"""Why objects are not garbage

The objects of a class that have something in common, and for one of them the fields and indices by
which the program still reaches it.
"""

import jvmdebug.sync

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"], args=["report"]) as session:
    session.break_at("shop.Reports#sum", hit_condition="100")
    session.next_stop()
    for report in session.heap.instances("shop.Reports$Report", where="number == 5"):
        print("kept:", report)
        for path in session.heap.paths_to_roots(report, 1):
            print(path)
    session.kill()
