# SPDX-License-Identifier: Apache-2.0
"""JDWP, the Java Debug Wire Protocol, as the debugger's side speaks it.

`transport` makes a `connection` (asyncio), which drives the `engine` (no I/O); `generated` holds
the commands, replies and events, made from native/protocol. Nothing here knows what a class or a
thread means: that is jvmdebug.model.
"""
