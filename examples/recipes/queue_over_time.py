# SPDX-License-Identifier: Apache-2.0
"""How full a queue is, as a table for a spreadsheet

Sampled at intervals, without suspending anything: over static fields, and the size of a collection
that jvmdebug knows.
"""

import csv
import sys

import jvmdebug.sync

table = csv.writer(sys.stdout)
with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"], args=["serve"]) as session:
    start: float | None = None
    for sample in session.sample("shop.Main.ORDERS.size()", every=0.1):
        start = start or sample.time
        if sample.number is not None:
            table.writerow([f"{sample.time - start:.1f}", int(sample.number)])
