# SPDX-License-Identifier: Apache-2.0
"""Compare two runs

What does the program do differently with another input? Trace both, and compare the calls. In the
mode `full` the agent knows the results that are computed, too.
"""

import difflib

import jvmdebug.sync


def calls(*args: str) -> list[str]:
    """The calls of one run, without their times."""
    with jvmdebug.sync.launch(
        "shop.Main", class_path=["build/classes"], args=args, mode="full"
    ) as session:
        trace = session.trace("shop.Cart#*")
        return [f"{'  ' * call.depth}{call.call_text} = {call.result}" for call in trace]


for line in difflib.unified_diff(calls("sell", "0"), calls("sell", "50"), lineterm="", n=0):
    print(line)
