# SPDX-License-Identifier: Apache-2.0
"""JVM TI from Python: functions by their names, events that JDWP has not, classes and modules.

Owns what is asked of our agent with the command set Jvmti, and how its answers are typed. What JDWP
offers is the model's. Called by the session's doors `session.jvmti` and `session.classes`. Which
call reaches which function, event and capability of JVM TI is declared in tools/jvmti_table. Begin
with `functions`.
"""

from typing import TYPE_CHECKING, Final

from jvmdebug.later import names

if TYPE_CHECKING:
    from jvmdebug.jvmti.calling import JvmtiError
    from jvmdebug.jvmti.error_code import JvmtiErrorCode
    from jvmdebug.jvmti.events import JvmtiEvent, JvmtiEvents
    from jvmdebug.jvmti.functions import Jvmti
    from jvmdebug.jvmti.loaded_classes import LoadedClass, LoadedClasses
    from jvmdebug.jvmti.modules import ModuleDetails, ModulePackage
    from jvmdebug.jvmti.values import (
        ExtensionParameter,
        JvmtiExtension,
        JvmtiPhase,
        JvmtiVersion,
        RedirectedNative,
        ThreadDetails,
        ThreadGroupDetails,
        ThreadState,
        TimerInfo,
    )

_HOMES: Final = {
    "calling": ("JvmtiError",),
    "error_code": ("JvmtiErrorCode",),
    "events": ("JvmtiEvent", "JvmtiEvents"),
    "functions": ("Jvmti",),
    "loaded_classes": ("LoadedClass", "LoadedClasses"),
    "modules": ("ModuleDetails", "ModulePackage"),
    "values": (
        "ExtensionParameter",
        "JvmtiExtension",
        "JvmtiPhase",
        "JvmtiVersion",
        "ThreadDetails",
        "ThreadGroupDetails",
        "RedirectedNative",
        "ThreadState",
        "TimerInfo",
    ),
}

if not TYPE_CHECKING:  # a name that does not exist is an error of the type checker
    __getattr__ = names(__name__, _HOMES)

__all__ = [
    "ExtensionParameter",
    "Jvmti",
    "JvmtiError",
    "JvmtiErrorCode",
    "JvmtiEvent",
    "JvmtiEvents",
    "JvmtiExtension",
    "JvmtiPhase",
    "JvmtiVersion",
    "LoadedClass",
    "LoadedClasses",
    "ModuleDetails",
    "ModulePackage",
    "RedirectedNative",
    "ThreadDetails",
    "ThreadGroupDetails",
    "ThreadState",
    "TimerInfo",
]
