# SPDX-License-Identifier: Apache-2.0
"""The values of an expression at a line, for a minute

Each time that a thread reaches the line; `every=0.1` would take ten values a second at most. The
expression is evaluated there, so it may use local variables and call methods.
"""

import jvmdebug.sync

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"]) as session:
    samples = session.sample("total + price", at="shop/Cart.java:20", every=0, duration_s=60)
    for sample in samples:
        print(f"{sample.time:.1f} {sample.value} in {sample.thread}")
