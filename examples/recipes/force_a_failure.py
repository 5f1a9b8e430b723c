# SPDX-License-Identifier: Apache-2.0
"""Try what happens when a method fails, or returns something else

The second call returns -1 without running; the third throws. How does the program take it?
"""

import jvmdebug.sync

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"], args=["serve"]) as session:
    breakpoint_ = session.break_at("shop.Cart#order")
    for number, stop in enumerate(session.stops(), 1):
        if number == 2:
            stop.force_return('"nothing"')
        elif number == 3:
            stop.throw('new IllegalStateException("sold out")')
            breakpoint_.remove()
    print("".join(piece.text for piece in session.output if piece.stream == "stderr"))
