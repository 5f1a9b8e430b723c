# SPDX-License-Identifier: Apache-2.0
"""One session for several front ends: its owner shares it, guests in other processes join it.

The owner has the only Session: one set of stops, breakpoints, caches and suspend counts. A guest
has an object of the same class whose methods and attributes ask the owner's, so all front ends work
in it as in their own. Begin with `sharing` (the owner) and `guest` (who joins); `values` is what
both write on the socket, `host` serves a guest, `remote` makes the classes of a guest's objects.
ADR 11 has the reasons.
"""
