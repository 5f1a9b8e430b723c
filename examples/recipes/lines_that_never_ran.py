# SPDX-License-Identifier: Apache-2.0
"""Which lines of a program have not run

Its classes are the program's own: nothing is instrumented before it starts. `coverage` can also
begin in a program that runs, and end while it goes on.
"""

import jvmdebug.sync

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"], args=["sell"]) as session:
    with session.coverage() as covering:
        session.start()
        session.wait()
    for file in covering.read().files:
        missed = [line for line, seen in file.lines.items() if seen.status == "none"]
        print(f"{file.name}: {len(missed)} of {len(file.lines)} lines never ran: {missed}")
