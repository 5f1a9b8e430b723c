# SPDX-License-Identifier: Apache-2.0
"""Which threads run a line, without stopping them

A log point at work: it writes a message for each hit, with values of expressions in braces.
"""

from collections import Counter

import jvmdebug
import jvmdebug.sync

hits: Counter[str] = Counter()


def on_event(event: object) -> None:
    """Called for everything that happens in the session."""
    if isinstance(event, jvmdebug.sync.BreakpointLogged):
        hits[event.thread.name] += 1


with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"], args=["serve"]) as session:
    session.subscribe(on_event)
    session.break_at("shop.Cart#order", log_message="{text}")
    session.resume()
    session.wait()

print(hits)
