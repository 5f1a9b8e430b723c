# SPDX-License-Identifier: Apache-2.0
"""Texts of toString() methods that only join fields, computed from the fields alone.

The code of such a method is read once and becomes a plan (`decoding`): constants, fields, calls of
other methods without arguments, concatenation, and jumps forward. To write an object (`writing`)
its fields are read and the plan is followed: a command for each object at most, and none for those
that a stop has prefetched. What is not such a method has no plan, and nothing is written for it.

`planned` has the plans of a VM, until classes are redefined. Begin there.
"""
