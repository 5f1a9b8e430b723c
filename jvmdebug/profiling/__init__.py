# SPDX-License-Identifier: Apache-2.0
"""Profiles of a program: where its threads spend their time, wait for monitors, allocate.

Owns the profile, what it is written as (flame graph, collapsed stacks, speedscope, pprof), and the
talk with the sampler of our agent (command set Sampling). Knows no session. Begin with `profile`.
"""

from typing import TYPE_CHECKING, Final

from jvmdebug.later import names

if TYPE_CHECKING:
    from jvmdebug.profiling.allocated import Allocated, of_allocations
    from jvmdebug.profiling.contended import Wait, of_waits
    from jvmdebug.profiling.errors import ProfileError
    from jvmdebug.profiling.profile import (
        Profile,
        ProfiledMethod,
        ProfiledStack,
        ProfiledThread,
        ProfileFormat,
    )
    from jvmdebug.profiling.sampling import ProfileProgress, SampledAt, SampledClock, record
    from jvmdebug.profiling.stack_tree import ProfiledFrame

_HOMES: Final = {
    "allocated": ("Allocated", "of_allocations"),
    "contended": ("Wait", "of_waits"),
    "errors": ("ProfileError",),
    "profile": ("Profile", "ProfiledMethod", "ProfiledStack", "ProfiledThread", "ProfileFormat"),
    "sampling": ("ProfileProgress", "SampledAt", "SampledClock", "record"),
    "stack_tree": ("ProfiledFrame",),
}

if not TYPE_CHECKING:  # a name that does not exist is an error of the type checker
    __getattr__ = names(__name__, _HOMES)

__all__ = [
    "Allocated",
    "Profile",
    "ProfileError",
    "ProfileFormat",
    "ProfileProgress",
    "ProfiledFrame",
    "ProfiledMethod",
    "ProfiledStack",
    "ProfiledThread",
    "SampledAt",
    "SampledClock",
    "Wait",
    "of_allocations",
    "of_waits",
    "record",
]
