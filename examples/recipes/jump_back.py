# SPDX-License-Identifier: Apache-2.0
"""Run some lines again with other values

Stopped behind the lines: set a variable, jump back to the first of them, and let them run again.
The program runs once, and goes on afterwards.
"""

import jvmdebug.sync

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"], args=["sell", "0"]) as session:
    session.break_at("shop.Main:38")
    stop = session.next_stop()
    for discount in (10, 50):
        assert stop is not None
        stop.frame.set("discount", str(discount))
        stop.jump_to(37).resume()
        stop = session.next_stop()
    session.resume()
    session.wait()
    print("".join(piece.text for piece in session.output))
