# SPDX-License-Identifier: Apache-2.0
"""Calls of methods without running code in the debuggee: their bytecode is interpreted here, over
objects that are read in bulk.

Owns what a call may do without a change: read fields and elements, compute, and write to objects
that the call itself has made. Whatever else a method does is refused with its name. The JDK's
methods are interpreted as the program's are, so that results agree with the VM on every JDK; what
is native is in `natives`, and fields of the JDK that hold what was computed before may be written
for the evaluation alone (`natives.CACHED`). Locks are not taken. Begin with `reader`; `machine` is
the interpreter, `object_access` what it asks for, `heap` reads objects, `classes` reads code.
Called by `run`, where only reading is allowed.
"""
