# SPDX-License-Identifier: Apache-2.0
"""JDWP, the Java Debug Wire Protocol, the debugger's side.

`transport` makes a `connection` (asyncio), which drives the `engine` (no I/O); `prefetched` keeps
replies that our agent has prefetched; `generated` holds the commands, replies and events, made from
native/protocol. What a class or a thread means is up to the model. Begin with `connection`.
"""
