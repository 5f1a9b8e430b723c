# SPDX-License-Identifier: Apache-2.0
"""Static types, and what the classes of the debuggee declare.

Owns types (`types`), declarations (`declarations`), member lookup and subtyping (`hierarchy`), and
reading all of it from the debuggee (`loaded_types`). Knows no expression. Begin with
`declarations`: the binder sees classes only through its `TypeSource`.
"""
