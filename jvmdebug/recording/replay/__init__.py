# SPDX-License-Identifier: Apache-2.0
"""A recording as a program that a debugger is connected to.

`connection.ReplayConnection` answers the commands of JDWP that read, from a recording in place of a
VM, so that the layers above it show the past by the code that shows the present. `program` owns the
position, what was requested, and the ways from one position to the next; `types` and `objects` are
the ids. What would run or change something is refused. Begin with `connection`.
"""
