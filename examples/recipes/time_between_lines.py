# SPDX-License-Identifier: Apache-2.0
"""How long a piece of a method takes

Not a whole method, but from one line to another, without changing the program and without a stop:
the program takes the time itself. The count says how often a place was passed, also under a
condition. Both go on while the program runs, and can be read at any time.
"""

from pathlib import Path

import jvmdebug.sync

lines = Path("src/shop/Cart.java").read_text().splitlines()
adds = next(number for number, line in enumerate(lines, 1) if "prices.add(" in line)

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"]) as session:
    with (
        session.time_between(f"Cart.java:{adds}", "shop.Cart#toPay") as timing,
        session.count("shop.Cart#add", condition="price > 20") as dear,
    ):
        session.wait()
    print("from the last thing in the cart to the price:", timing.read())
    print("dear things:", dear.read())
