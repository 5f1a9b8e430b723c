# SPDX-License-Identifier: Apache-2.0
"""The commands of the command line that answer a question and end: test, ps, threads, eval, heap.

Each module has `add(commands)`, which describes its arguments, and the function that it sets as
`run`, which gets them and returns the exit code. To add one, write such a module and name it in
`ALL`. What is needed to run is imported there: the arguments alone are read for `--version` too.
Called by `main`.
"""

from jvmdebug_cli.subcommands import (
    alloc,
    coverage,
    doctor,
    evaluate,
    gc,
    heap,
    measuring,
    monitors,
    profile,
    ps,
    record,
    relay,
    replay,
    sample,
    sessions,
    swap,
    test,
    threads,
    trace,
    who_sets,
)

ALL = (
    *(
        test,
        ps,
        threads,
        monitors,
        profile,
        coverage,
        record,
        evaluate,
        swap,
        trace,
        who_sets,
        sample,
        measuring,
    ),
    *(heap, alloc, gc, doctor, sessions, relay, replay),
)
