# SPDX-License-Identifier: Apache-2.0
"""The session: the public façade over one debugged program; most of what `jvmdebug` exports.

Owns the state of the session, stops and the handles that they give out (`stop`, `frame_handle`,
`variable`), starting and ending a program (`launch`, `program`, `lifecycle`), settings, and the
events for front ends. Knows no front end. Begin with `session`; `services` lists the objects that
do the work.
"""
