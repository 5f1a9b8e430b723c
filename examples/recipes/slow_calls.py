# SPDX-License-Identifier: Apache-2.0
"""How often methods are called, and which calls take longest

A call that is traced takes longer than it would: compare calls with each other, and take a profiler
for what is called a million times.
"""

from collections import Counter

import jvmdebug.sync

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"]) as session:
    calls = session.trace("shop.*#*").collect()

for method, count in Counter(call.method for call in calls).most_common():
    slowest = max(call.duration_s for call in calls if call.method == method)
    print(f"{count:4} {method}, at most {slowest * 1000:.1f} ms")
