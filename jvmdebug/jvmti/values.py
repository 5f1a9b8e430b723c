# SPDX-License-Identifier: Apache-2.0
"""What functions of JVM TI answer, as plain data. Made by `functions`."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntFlag, StrEnum
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from jvmdebug.model.values import ObjectReference, ThreadGroupReference


class JvmtiPhase(StrEnum):
    """How far the VM is."""

    ONLOAD = "onload"
    PRIMORDIAL = "primordial"
    START = "start"
    LIVE = "live"
    DEAD = "dead"


PHASES: Final = {
    1: JvmtiPhase.ONLOAD,
    2: JvmtiPhase.PRIMORDIAL,
    4: JvmtiPhase.LIVE,
    6: JvmtiPhase.START,
    8: JvmtiPhase.DEAD,
}


class ThreadState(IntFlag):
    """The bits of a thread's state; without any it has not begun."""

    ALIVE = 0x1
    TERMINATED = 0x2
    RUNNABLE = 0x4
    WAITING_INDEFINITELY = 0x10
    WAITING_WITH_TIMEOUT = 0x20
    SLEEPING = 0x40
    WAITING = 0x80
    IN_OBJECT_WAIT = 0x100
    PARKED = 0x200
    BLOCKED_ON_MONITOR_ENTER = 0x400
    SUSPENDED = 0x100000
    INTERRUPTED = 0x200000
    IN_NATIVE = 0x400000

    def __str__(self) -> str:
        """`alive waiting sleeping`"""
        words = (each.name or "" for each in type(self) if each in self)
        return " ".join(word.lower().replace("_", " ") for word in words) or "new"


@dataclass(frozen=True, slots=True)
class ThreadDetails:
    """All that the VM says of a thread beside its state."""

    name: str
    priority: int
    """1 to 10; 5 unless it was set."""
    is_daemon: bool
    """Whether the program ends though it still runs."""
    group: ThreadGroupReference | None
    """None for a thread that has ended."""
    context_class_loader: ObjectReference | None
    """None for the VM's own loader."""


@dataclass(frozen=True, slots=True)
class ThreadGroupDetails:
    """All that the VM says of a thread group."""

    name: str
    max_priority: int
    """No thread in it gets a greater one."""
    is_daemon: bool
    """Whether it was marked as one; from JDK 19 on it means nothing."""
    parent: ThreadGroupReference | None
    """The group above; None for the topmost one."""


@dataclass(frozen=True, slots=True)
class JvmtiVersion:
    """The version of JVM TI; its major number is the release of the JDK from 9 on."""

    major: int
    minor: int
    micro: int

    def __str__(self) -> str:
        return f"{self.major}.{self.minor}.{self.micro}"


@dataclass(frozen=True, slots=True)
class TimerInfo:
    """What a timer of the VM measures."""

    kind: str
    """`user CPU`, `total CPU`, `elapsed`"""
    max_value: int
    """The largest value, in nanoseconds, before it begins again."""
    may_skip_forward: bool
    may_skip_backward: bool


TIMER_KINDS: Final = {30: "user CPU", 31: "total CPU", 32: "elapsed"}


@dataclass(frozen=True, slots=True)
class ExtensionParameter:
    """What an extension takes or gives."""

    name: str
    kind: str
    """`in`, `out`, `in pointer`: as jvmtiParamKind."""
    type: str
    """`jthread`: as jvmtiParamTypes."""
    may_be_null: bool


@dataclass(frozen=True, slots=True)
class JvmtiExtension:
    """A function or event that this VM has beyond JVM TI."""

    id: str
    """`com.sun.hotspot.functions.IsClassUnloadingEnabled`"""
    description: str
    """What the VM says of it."""
    parameters: tuple[ExtensionParameter, ...]


@dataclass(frozen=True, slots=True)
class RedirectedNative:
    """A native method that runs another function."""

    method: str
    can_be_undone: bool
    """Whether what it ran before is known: its function has the name that JNI prescribes."""


PARAMETER_KINDS: Final = {
    91: "in",
    92: "in pointer",
    93: "in buffer",
    94: "allocated buffer",
    95: "allocated allocated buffer",
    96: "out",
    97: "out buffer",
}
PARAMETER_TYPES: Final = dict(
    enumerate(
        (
            *("jbyte", "jchar", "jshort", "jint", "jlong", "jfloat", "jdouble", "jboolean"),
            *("jobject", "jthread", "jclass", "jvalue", "jfieldID", "jmethodID"),
            *("char", "void", "JNIEnv"),
        ),
        101,
    )
)

# In the order of the specification, which is that of their bits.
CAPABILITIES: Final = (
    "can_tag_objects",
    "can_generate_field_modification_events",
    "can_generate_field_access_events",
    "can_get_bytecodes",
    "can_get_synthetic_attribute",
    "can_get_owned_monitor_info",
    "can_get_current_contended_monitor",
    "can_get_monitor_info",
    "can_pop_frame",
    "can_redefine_classes",
    "can_signal_thread",
    "can_get_source_file_name",
    "can_get_line_numbers",
    "can_get_source_debug_extension",
    "can_access_local_variables",
    "can_maintain_original_method_order",
    "can_generate_single_step_events",
    "can_generate_exception_events",
    "can_generate_frame_pop_events",
    "can_generate_breakpoint_events",
    "can_suspend",
    "can_redefine_any_class",
    "can_get_current_thread_cpu_time",
    "can_get_thread_cpu_time",
    "can_generate_method_entry_events",
    "can_generate_method_exit_events",
    "can_generate_all_class_hook_events",
    "can_generate_compiled_method_load_events",
    "can_generate_monitor_events",
    "can_generate_vm_object_alloc_events",
    "can_generate_native_method_bind_events",
    "can_generate_garbage_collection_events",
    "can_generate_object_free_events",
    "can_force_early_return",
    "can_get_owned_monitor_stack_depth_info",
    "can_get_constant_pool",
    "can_set_native_method_prefix",
    "can_retransform_classes",
    "can_retransform_any_class",
    "can_generate_resource_exhaustion_heap_events",
    "can_generate_resource_exhaustion_threads_events",
    "can_generate_early_vmstart",
    "can_generate_early_class_hook_events",
    "can_generate_sampled_object_alloc_events",
    "can_support_virtual_threads",
)
