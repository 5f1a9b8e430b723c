# SPDX-License-Identifier: Apache-2.0
"""Which class is it, and where did it come from?

One line for each class loader that has a class of that name: two lines are the reason of many a
`ClassCastException`. `session.classes` and `session.jvmti` have [the rest of JVM TI](jvmti.md).
"""

import jvmdebug.sync

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"]) as session:
    session.break_at("shop.Cart#toPay")
    session.next_stop()
    for loaded in session.classes.find("shop.Cart"):
        print(loaded)
    print(len(session.classes.class_file("shop.Cart")), "bytes, as the VM runs it")
    session.kill()
