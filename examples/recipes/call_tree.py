# SPDX-License-Identifier: Apache-2.0
"""A tree of calls that grows while the program runs

`events` gives a call twice: when it begins, and when it is over, with what it returned or threw.
"""

import jvmdebug
import jvmdebug.sync

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"]) as session:
    for event in session.trace("shop.*#*").events():
        indent = "  " * event.depth
        if not isinstance(event, jvmdebug.Call):
            print(f"{indent}{event.call_text}")
        elif event.outcome == "threw":
            print(f"{indent}  threw {event.exception}")
        elif event.result is not None:
            print(f"{indent}  = {event.result}")
