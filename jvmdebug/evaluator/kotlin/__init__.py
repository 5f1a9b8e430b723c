# SPDX-License-Identifier: Apache-2.0
"""Kotlin expressions in frames of Kotlin code.

There is no Kotlin compiler here: a text is parsed by tree-sitter and evaluated step by step. Each
step is bound and run as the Java that Kotlin's compiler would make of it (`u.label` is
`u.getLabel()`), with the class that a value has at run time. Lambdas, `when`, loops and
declarations of functions are not evaluated. Begin with `evaluation`.
"""
