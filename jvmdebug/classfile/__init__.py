# SPDX-License-Identifier: Apache-2.0
"""Class files (JVMS 4): the one reader of their bytes, whether from disk or from the VM.

Owns constant pools, attributes, instructions, line tables, descriptors and names. Knows no VM and
imports nothing but errors. Every length is checked: bytes that are not a class file raise
ClassFileError. Called by the model and everything above. Begin with `class_file`; a method's code
is `bytecode`.
"""

from typing import TYPE_CHECKING, Final

from jvmdebug.later import names

if TYPE_CHECKING:
    from jvmdebug.classfile.annotations import annotation_types, annotation_values
    from jvmdebug.classfile.attributes import (
        BootstrapMethod,
        Code,
        ExceptionHandler,
        InnerClass,
        LocalVariableEntry,
        bootstrap_methods,
        encode_inner_classes,
        inner_classes,
        local_variables,
        parameter_names,
    )
    from jvmdebug.classfile.bytecode import (
        NOT_AN_INSTRUCTION,
        Instruction,
        exception_entries,
        instructions,
    )
    from jvmdebug.classfile.class_file import Attribute, ClassFile, Member
    from jvmdebug.classfile.constant_pool import ConstantPool, ConstantTag, MemberReference
    from jvmdebug.classfile.editor import THIS, ClassEditor, StaticCall
    from jvmdebug.classfile.line_table import LineTable

_HOMES: Final = {
    "annotations": ("annotation_types", "annotation_values"),
    "attributes": (
        "BootstrapMethod",
        "Code",
        "ExceptionHandler",
        "InnerClass",
        "LocalVariableEntry",
        "bootstrap_methods",
        "encode_inner_classes",
        "inner_classes",
        "local_variables",
        "parameter_names",
    ),
    "bytecode": (
        "NOT_AN_INSTRUCTION",
        "Instruction",
        "exception_entries",
        "instructions",
    ),
    "class_file": (
        "Attribute",
        "ClassFile",
        "Member",
    ),
    "constant_pool": (
        "ConstantPool",
        "ConstantTag",
        "MemberReference",
    ),
    "editor": ("THIS", "ClassEditor", "StaticCall"),
    "line_table": ("LineTable",),
}

if not TYPE_CHECKING:  # a name that does not exist is an error of the type checker
    __getattr__ = names(__name__, _HOMES)

__all__ = [
    "NOT_AN_INSTRUCTION",
    "THIS",
    "Attribute",
    "BootstrapMethod",
    "ClassEditor",
    "ClassFile",
    "Code",
    "ConstantPool",
    "ConstantTag",
    "ExceptionHandler",
    "InnerClass",
    "Instruction",
    "LineTable",
    "LocalVariableEntry",
    "Member",
    "MemberReference",
    "StaticCall",
    "annotation_types",
    "annotation_values",
    "bootstrap_methods",
    "encode_inner_classes",
    "exception_entries",
    "inner_classes",
    "instructions",
    "local_variables",
    "parameter_names",
]
