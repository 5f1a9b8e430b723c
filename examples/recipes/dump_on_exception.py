# SPDX-License-Identifier: Apache-2.0
"""Write the state of the program to a file when an exception is thrown

The snapshot has all threads with their stacks, the variables of the topmost frames, locks and
deadlocks. It is plain data: text for people, `as_dict()` for programs.
"""

import json
from pathlib import Path

import jvmdebug.sync

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"]) as session:
    session.break_on_exception("java.lang.NullPointerException")
    for number, stop in enumerate(session.stops(), 1):
        snapshot = session.snapshot(variables=3)
        thrown = stop.thrown()
        state = {"exception": str(thrown and thrown.message), **snapshot.as_dict()}
        Path(f"state-{number}.json").write_text(json.dumps(state, indent=2), encoding="utf-8")
        print(snapshot.thread(stop.thread.name))
