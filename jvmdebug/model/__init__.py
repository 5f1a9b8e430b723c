# SPDX-License-Identifier: Apache-2.0
"""Mirrors of the debuggee: what is in the VM, as Python objects with caches and lifetimes.

Types are cached until they are unloaded, frames until their thread resumes; values are immutable.
Knows nothing of sources, expressions or editors, and neither suspends nor resumes (`events` does).
Called by everything above. Begin with `virtual_machine`, then `reference_type`, `thread`, `values`.
Import from the submodules or from here.
"""

from __future__ import annotations

from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.field import Field
from jvmdebug.model.frame import Frame
from jvmdebug.model.location import Location
from jvmdebug.model.method import LocalVariableSlot, Method
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.reference_type import ArrayType, ClassType, InterfaceType, ReferenceType
from jvmdebug.model.thread import Thread, ThreadState
from jvmdebug.model.values import (
    NULL,
    VOID,
    ArrayReference,
    ClassLoaderReference,
    ClassObjectReference,
    MonitorState,
    NullValue,
    ObjectReference,
    StringReference,
    ThreadGroupReference,
    ThreadReference,
    UnavailableValue,
    Value,
    VoidValue,
)
from jvmdebug.model.variable import LocalVariable
from jvmdebug.model.version import VmVersion
from jvmdebug.model.virtual_machine import VirtualMachine

__all__ = [
    "NULL",
    "VOID",
    "ArrayReference",
    "ArrayType",
    "ClassLoaderReference",
    "ClassObjectReference",
    "ClassType",
    "DebuggeeException",
    "Field",
    "Frame",
    "InterfaceType",
    "LocalVariable",
    "LocalVariableSlot",
    "Location",
    "Method",
    "MonitorState",
    "NullValue",
    "ObjectReference",
    "PrimitiveKind",
    "PrimitiveValue",
    "ReferenceType",
    "StringReference",
    "Thread",
    "ThreadGroupReference",
    "ThreadReference",
    "ThreadState",
    "UnavailableValue",
    "Value",
    "VirtualMachine",
    "VmVersion",
    "VoidValue",
]
