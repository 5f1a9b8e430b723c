# SPDX-License-Identifier: Apache-2.0
"""Mirrors of the debuggee: what is in the VM, as Python objects with caches and lifetimes.

The model asks and changes the VM through JDWP; it never decides when the VM runs on (events.router
does) and knows nothing of sources, expressions or editors. Types are cached until they are
unloaded, frames until their thread resumes; values are immutable. Import from the submodules or
from here.
"""
