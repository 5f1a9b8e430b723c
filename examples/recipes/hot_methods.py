# SPDX-License-Identifier: Apache-2.0
"""Where the time goes

Sampled, without stopping anything, from the first call of a method on: what comes before is the
start of the JVM. `profile.write` makes a flame graph, which a browser shows; a name that ends in
`.json` or `.pb.gz` has another [format](profile.md).
"""

import jvmdebug.sync

with jvmdebug.sync.launch("shop.Main", class_path=["build/classes"], args=["report"]) as session:
    session.break_at("shop.Reports#run", once=True)
    stop = session.next_stop()
    assert stop is not None
    stop.resume()
    profile = session.profile(1.0, hz=200)
    for method in profile.methods(3):
        print(f"{profile.format(method.self_value):>10} {method.name}")
    profile.write("cpu.html")
    session.kill()
