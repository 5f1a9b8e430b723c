# SPDX-License-Identifier: Apache-2.0
"""Logical views: the elements of a collection, read from its fields.

A view knows how many entries an object has and reads a page of them; nothing runs in the debuggee.
`known` finds the view of an object, `view` says what a view is. Called by `rendering`, `children`
and `renderers`. To add one: 1. a class with `size` and `page` in a module here, 2. its line in the
table of `known`, or of a module of `libraries`, 3. a value in tests/e2e/evaluate.
"""
