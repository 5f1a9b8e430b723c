# SPDX-License-Identifier: Apache-2.0
"""The exceptions of jvmdebug as one tree.

Every layer raises these and nothing else of its own; a front end catches JvmDebugError and shows
str(error), which says what was tried, on what, and what to do. Nothing here knows the wire or the
model.

    JvmDebugError
    ├── WireError                  the bytes are not JDWP, or the connection has ended
    │   ├── HandshakeFailed        the peer is not (or not yet, or no longer) a JDWP agent
    │   │   ├── AgentBusy          it serves another debugger
    │   │   ├── TokenError         its token is missing, wrong, or cannot be read
    │   │   └── CertificateError   its certificate is not the expected one, or cannot be used
    │   ├── ConnectionFailed       no peer accepted the connection
    │   ├── ConnectionLost         the connection ended while it was needed
    │   │   ├── ProgramEnded       since the program has ended
    │   │   └── TakenOver          since another debugger has taken over
    │   └── RequestTimeout         no reply within the time given
    ├── VmError                    the VM refused a command; one subclass for each JDWP error code
    │   ├── InvalidThreadError … InvalidCountError
    ├── StateError                 right request, wrong time: stale handle, not stopped, ended
    ├── UnsupportedError           the VM or its agent lacks a capability; says what to start
    │   └── FullModeNeeded         our agent has it, in the full mode
    ├── ArgumentError              an argument is none that is possible; says which are
    ├── LaunchError                the debuggee did not start
    │   ├── JdkError               there is no Java runtime, or none that is new enough
    │   └── ProjectError            see jvmdebug.projects.errors
    ├── BreakpointError            a breakpoint cannot be set as asked
    ├── SourceError                a source cannot be found or read
    ├── ClassFileError             the bytes are not a class file
    └── EvaluationError            an expression cannot be parsed, bound or run; column when known
        └── DebuggeeException      code that was run in the debuggee threw; see jvmdebug.model
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Sequence


class JvmDebugError(Exception):
    """Base of all errors that jvmdebug raises."""


class WireError(JvmDebugError):
    """Bytes that are not well-formed JDWP: truncated, trailing, unknown tag, impossible length."""


class HandshakeFailed(WireError):  # noqa: N818 - the word of the field
    """The peer did not answer the JDWP handshake as an agent does."""


class TokenError(HandshakeFailed):
    """The token of an agent is missing, wrong, or cannot be read."""


class CertificateError(HandshakeFailed):
    """The certificate of a relay is not the expected one, or ours cannot be made or read."""


class AgentBusy(HandshakeFailed):
    """Another debugger, `holder` for people, has been connected to the agent for `seconds`."""

    def __init__(self, message: str, holder: str, seconds: float) -> None:
        super().__init__(message)
        self.holder = holder
        self.seconds = seconds


class ConnectionFailed(WireError):  # noqa: N818 - the word of the field
    """No connection could be made to the address within the time given."""


class ConnectionLost(WireError):  # noqa: N818 - the word of the field
    """The connection to the debuggee is gone; the message says what was waiting for a reply."""


class ProgramEnded(ConnectionLost):
    """The program has ended, and the VM with it, before a reply came."""


class TakenOver(ConnectionLost):
    """Another debugger has taken over the program. It was resumed, and our requests are gone."""


class RequestTimeout(WireError):  # noqa: N818 - the word of the field
    """The debuggee did not reply within the time given. The connection is still usable."""


class StateError(JvmDebugError):
    """The request is not possible in this state: a stale handle, a running thread, an ended
    session.
    """


class UnsupportedError(JvmDebugError):
    """The VM or its agent cannot do this; the message says what to start the VM with."""


class FullModeNeeded(UnsupportedError):  # noqa: N818 - what to do, as the others say what happened
    """The agent runs in the fast mode, and only the full mode has this."""


class ReadOnlyError(JvmDebugError):
    """The session is read-only, and this would run code of the program or change it."""


class ArgumentError(JvmDebugError):
    """An argument is none that is possible; the message says which are."""


class LaunchError(JvmDebugError):
    """The debuggee could not be started, or ended before it could be debugged."""


class JdkError(LaunchError):
    """There is no Java runtime, or none that is new enough.

    `summary` is one sentence; `tried` has a line for each place that was looked at. `wanted` is
    the oldest release of Java that would do; None if any would.
    """

    def __init__(self, summary: str, *, tried: Sequence[str], wanted: int | None = None) -> None:
        super().__init__(f"{summary} (tried {'; '.join(tried)})" if tried else summary)
        self.summary = summary
        self.tried = tuple(tried)
        self.wanted = wanted


class BreakpointError(JvmDebugError):
    """A breakpoint cannot be set as asked: unknown location, wrong condition, unusable field."""


class SourceError(JvmDebugError):
    """A source file cannot be found, read or mapped."""


class ClassFileError(JvmDebugError):
    """Bytes that are not a class file, or not a whole one; also a constant that is not there."""


class EvaluationError(JvmDebugError):
    """An expression cannot be evaluated. `column` is 0-based in `expression`, the text that was to
    be evaluated; both are None when unknown.
    """

    def __init__(self, message: str, column: int | None = None) -> None:
        super().__init__(message)
        self.column = column
        self.expression: str | None = None


class MissingValueError(EvaluationError, LookupError):
    """A frame has no such variable, a value no such field, key or index; the message has those that
    there are.
    """


class WrongValueError(EvaluationError, TypeError):
    """A value is not of a kind for this: the length of a number, an object as a number."""


class VmError(JvmDebugError):
    """The VM answered a command with an error code; also raised when the core knows
    beforehand that it would.

    `code` is the JDWP error code (equal to the member of ErrorCode), `name` its constant's name.
    """

    CODE: ClassVar[int] = -1
    NAME: ClassVar[str] = "UNKNOWN"
    _by_code: ClassVar[dict[int, type[VmError]]] = {}

    def __init_subclass__(cls, *, code: int, name: str) -> None:
        super().__init_subclass__()
        cls.CODE = code
        cls.NAME = name
        VmError._by_code[code] = cls

    def __init__(self, attempt: str, *, code: int | None = None) -> None:
        """`attempt`: what was tried, on what ("ThreadReference.Frames(thread=1, …)")."""
        self.attempt = attempt
        self.code = self.CODE if code is None else code
        self.name = self.NAME
        super().__init__(f"{attempt} failed with {self.name} ({self.code}): {self.meaning}")

    @property
    def meaning(self) -> str:
        """One sentence on what the code means."""
        return (
            (self.__doc__ or "").strip()
            if self.CODE >= 0
            else "An error code that JDWP does not define."
        )

    @classmethod
    def of_code(cls, code: int, attempt: str) -> VmError:
        """The error of the class that belongs to this code; VmError itself for an undefined one."""
        by_code = cls._by_code.get(code)
        return by_code(attempt) if by_code is not None else VmError(attempt, code=code)


class InvalidThreadError(VmError, code=10, name="INVALID_THREAD"):
    """The id is not a thread, or the thread has exited."""


class InvalidThreadGroupError(VmError, code=11, name="INVALID_THREAD_GROUP"):
    """The id is not a thread group."""


class InvalidPriorityError(VmError, code=12, name="INVALID_PRIORITY"):
    """The thread priority is invalid."""


class ThreadNotSuspendedError(VmError, code=13, name="THREAD_NOT_SUSPENDED"):
    """The thread is not suspended by an event or a suspend command."""


class ThreadSuspendedError(VmError, code=14, name="THREAD_SUSPENDED"):
    """The thread is already suspended."""


class ThreadNotAliveError(VmError, code=15, name="THREAD_NOT_ALIVE"):
    """The thread has not been started or is dead."""


class InvalidObjectError(VmError, code=20, name="INVALID_OBJECT"):
    """The object id is unknown, or the object has been unloaded or garbage collected."""


class InvalidClassError(VmError, code=21, name="INVALID_CLASS"):
    """The id is not a class."""


class ClassNotPreparedError(VmError, code=22, name="CLASS_NOT_PREPARED"):
    """The class has been loaded but not yet prepared."""


class InvalidMethodIdError(VmError, code=23, name="INVALID_METHODID"):
    """The method id is not one of this class."""


class InvalidLocationError(VmError, code=24, name="INVALID_LOCATION"):
    """The location does not exist."""


class InvalidFieldIdError(VmError, code=25, name="INVALID_FIELDID"):
    """The field id is not one of this class."""


class InvalidFrameIdError(VmError, code=30, name="INVALID_FRAMEID"):
    """The frame id is unknown, or its thread has run since it was given out."""


class NoMoreFramesError(VmError, code=31, name="NO_MORE_FRAMES"):
    """There are no more Java or JNI frames on the stack."""


class OpaqueFrameError(VmError, code=32, name="OPAQUE_FRAME"):
    """The frame cannot be inspected or changed (it is native, or not at a suspension point)."""


class NotCurrentFrameError(VmError, code=33, name="NOT_CURRENT_FRAME"):
    """The operation works on the topmost frame only."""


class TypeMismatchError(VmError, code=34, name="TYPE_MISMATCH"):
    """The value does not have the type that is needed here."""


class InvalidSlotError(VmError, code=35, name="INVALID_SLOT"):
    """There is no live variable in this slot."""


class DuplicateError(VmError, code=40, name="DUPLICATE"):
    """The item is already set."""


class NotFoundError(VmError, code=41, name="NOT_FOUND"):
    """The item was not found."""


class InvalidModuleError(VmError, code=42, name="INVALID_MODULE"):
    """The id is not a module."""


class InvalidMonitorError(VmError, code=50, name="INVALID_MONITOR"):
    """The monitor is invalid."""


class NotMonitorOwnerError(VmError, code=51, name="NOT_MONITOR_OWNER"):
    """The thread does not own the monitor."""


class InterruptedByDebuggerError(VmError, code=52, name="INTERRUPT"):
    """The call was interrupted before it completed."""


class InvalidClassFormatError(VmError, code=60, name="INVALID_CLASS_FORMAT"):
    """The bytes are not a class file that the VM can read."""


class CircularClassDefinitionError(VmError, code=61, name="CIRCULAR_CLASS_DEFINITION"):
    """The class would be its own superclass."""


class FailsVerificationError(VmError, code=62, name="FAILS_VERIFICATION"):
    """The class file does not pass verification."""


class AddMethodNotImplementedError(VmError, code=63, name="ADD_METHOD_NOT_IMPLEMENTED"):
    """The VM cannot add methods to a loaded class."""


class SchemaChangeNotImplementedError(VmError, code=64, name="SCHEMA_CHANGE_NOT_IMPLEMENTED"):
    """The VM cannot change the fields of a loaded class."""


class InvalidTypestateError(VmError, code=65, name="INVALID_TYPESTATE"):
    """The state of the thread was changed and is inconsistent."""


class HierarchyChangeNotImplementedError(VmError, code=66, name="HIERARCHY_CHANGE_NOT_IMPLEMENTED"):
    """The VM cannot change the superclass or interfaces of a loaded class."""


class DeleteMethodNotImplementedError(VmError, code=67, name="DELETE_METHOD_NOT_IMPLEMENTED"):
    """The VM cannot remove methods of a loaded class."""


class UnsupportedVersionError(VmError, code=68, name="UNSUPPORTED_VERSION"):
    """The version of the class file is not supported by this VM."""


class NamesDontMatchError(VmError, code=69, name="NAMES_DONT_MATCH"):
    """The class name in the class file is not that of the class to redefine."""


class ClassModifiersChangeNotImplementedError(
    VmError, code=70, name="CLASS_MODIFIERS_CHANGE_NOT_IMPLEMENTED"
):
    """The VM cannot change the modifiers of a loaded class."""


class MethodModifiersChangeNotImplementedError(
    VmError, code=71, name="METHOD_MODIFIERS_CHANGE_NOT_IMPLEMENTED"
):
    """The VM cannot change the modifiers of a method of a loaded class."""


class ClassAttributeChangeNotImplementedError(
    VmError, code=72, name="CLASS_ATTRIBUTE_CHANGE_NOT_IMPLEMENTED"
):
    """The VM cannot change the nest, record or permitted-subclasses attributes of a loaded
    class.
    """


class NotImplementedByVmError(VmError, code=99, name="NOT_IMPLEMENTED"):
    """The functionality is not implemented in this VM."""


class NullPointerError(VmError, code=100, name="NULL_POINTER"):
    """A null pointer or a null id was given where one is not allowed."""


class AbsentInformationError(VmError, code=101, name="ABSENT_INFORMATION"):
    """The class file does not hold this information (compile with -g)."""


class InvalidEventTypeError(VmError, code=102, name="INVALID_EVENT_TYPE"):
    """The event kind is unknown or not supported."""


class IllegalArgumentError(VmError, code=103, name="ILLEGAL_ARGUMENT"):
    """An argument has a value that is not allowed."""


class OutOfMemoryVmError(VmError, code=110, name="OUT_OF_MEMORY"):
    """The VM has no memory left for the request."""


class AccessDeniedError(VmError, code=111, name="ACCESS_DENIED"):
    """Debugging has not been enabled in this VM."""


class VmDeadError(VmError, code=112, name="VM_DEAD"):
    """The VM is not running."""


class InternalVmError(VmError, code=113, name="INTERNAL"):
    """An unexpected internal error has occurred."""


class UnattachedThreadError(VmError, code=115, name="UNATTACHED_THREAD"):
    """The thread of this call is not attached to the VM."""


class InvalidTagError(VmError, code=500, name="INVALID_TAG"):
    """The object tag or event tag is invalid."""


class AlreadyInvokingError(VmError, code=502, name="ALREADY_INVOKING"):
    """The thread is already in an invocation for the debugger."""


class InvalidIndexError(VmError, code=503, name="INVALID_INDEX"):
    """The index is outside the array."""


class InvalidLengthError(VmError, code=504, name="INVALID_LENGTH"):
    """The length is invalid."""


class InvalidStringError(VmError, code=506, name="INVALID_STRING"):
    """The id is not a string."""


class InvalidClassLoaderError(VmError, code=507, name="INVALID_CLASS_LOADER"):
    """The id is not a class loader."""


class InvalidArrayError(VmError, code=508, name="INVALID_ARRAY"):
    """The id is not an array."""


class TransportLoadError(VmError, code=509, name="TRANSPORT_LOAD"):
    """The transport could not be loaded."""


class TransportInitError(VmError, code=510, name="TRANSPORT_INIT"):
    """The transport could not be initialised."""


class NativeMethodError(VmError, code=511, name="NATIVE_METHOD"):
    """A native method has no such information."""


class InvalidCountError(VmError, code=512, name="INVALID_COUNT"):
    """The count is invalid."""
