# SPDX-License-Identifier: Apache-2.0
"""Patch a method and run the frame again

Stopped in a method with a bug: mend the source, compile it, give the running program the new code,
and begin the method again, with the arguments that it has.
"""

import subprocess
from pathlib import Path

import jvmdebug.sync

with jvmdebug.sync.launch(
    "shop.Main", class_path=["build/classes"], args=["sell", "50"]
) as session:
    session.break_at("shop.Cart#reduction")
    stop = session.next_stop()
    assert stop is not None

    source = Path("src/shop/Cart.java")
    text = source.read_text(encoding="utf-8")
    source.write_text(text.replace("* discount / 100", "* Math.min(discount, 10) / 100"), "utf-8")
    command = ["javac", "-g", "-cp", "build/classes", "-d", "patched", str(source)]
    subprocess.run(command, check=True)

    for outcome in session.redefine("patched", changed_only=False):
        print(outcome.type_name, outcome.outcome)
    stop.restart_frame()
    again = session.next_stop()
    assert again is not None
    print("again at", again.frame.location)
    session.resume()
    session.wait()
    print([piece.text for piece in session.output])
