# SPDX-License-Identifier: Apache-2.0
# ruff: noqa: ANN401 - commands and replies of all kinds
"""The answers of a replayed program to the commands of JDWP that read, a table by command."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from jvmdebug.errors import VmError
from jvmdebug.jdwp.generated import (
    array_reference,
    class_object_reference,
    class_type,
    event_request,
    method,
    object_reference,
    reference_type,
    stack_frame,
    string_reference,
    thread_group_reference,
    thread_reference,
    virtual_machine,
)
from jvmdebug.jdwp.generated.constants import (
    ClassStatus,
    ErrorCode,
    SuspendStatus,
    Tag,
    ThreadStatus,
)
from jvmdebug.jdwp.ids import NoValue, TaggedObject, Value
from jvmdebug.recording.replay.objects import CLASS_OBJECTS, THREADS
from jvmdebug.recording.states import Position, Written

if TYPE_CHECKING:
    from jvmdebug.recording.methods import MethodInfo
    from jvmdebug.recording.replay.program import ReplayedProgram
    from jvmdebug.recording.replay.types import ReplayType
    from jvmdebug.recording.states import FrameAt

Answer: TypeAlias = Callable[[Any], Any]
_CAN: Final = frozenset(
    (
        *("can_get_bytecodes", "can_get_constant_pool", "can_get_synthetic_attribute"),
        *("can_get_source_debug_extension", "can_watch_field_modification"),
        "can_use_instance_filters",
        *("can_pop_frames", "can_force_early_return", "can_redefine_classes"),
    )
)
"""The last ones so that the connection says why it refuses them."""
_GROUP: Final = 1 << 49
_NOT_RECORDED: Final = "not recorded"
_READY: Final = ClassStatus.VERIFIED | ClassStatus.PREPARED | ClassStatus.INITIALIZED


def answers_of(program: ReplayedProgram) -> dict[type[Any], Answer]:
    """Command → function that gives the reply, or raises VmError."""
    return {
        **_Vm(program).answers(),
        **_Types(program).answers(),
        **_Methods(program).answers(),
        **_Objects(program).answers(),
        **_Threads(program).answers(),
        **_Requests(program).answers(),
    }


def _done(_: Any) -> None:
    """The reply to a command that has none."""


def _refused(code: ErrorCode) -> Answer:
    def answer(command: Any) -> Any:
        raise VmError.of_code(code, command.NAME)

    return answer


class _Vm:
    def __init__(self, program: ReplayedProgram) -> None:
        self._program = program

    def answers(self) -> dict[type[Any], Answer]:
        vm = virtual_machine
        header = self._program.reader.index.header
        can = [name in _CAN for name, _ in vm.CapabilitiesNewReply.LAYOUT]
        version = vm.VersionReply("a recording", 1, 8, header.java_version, "a recording of a JVM")
        paths = vm.ClassPathsReply("/", tuple(header.class_path), ())
        return {
            vm.Version: lambda _: version,
            vm.IDSizes: lambda _: vm.IDSizesReply(8, 8, 8, 8, 8),
            vm.CapabilitiesNew: lambda _: vm.CapabilitiesNewReply(*can),
            vm.ClassPaths: lambda _: paths,
            vm.AllThreads: lambda _: vm.AllThreadsReply(tuple(self._threads())),
            vm.TopLevelThreadGroups: lambda _: vm.TopLevelThreadGroupsReply((_GROUP,)),  # type: ignore[arg-type]
            vm.AllClassesWithGeneric: self._all_classes,
            vm.ClassesBySignature: self._by_signature,
            vm.AllModules: lambda _: vm.AllModulesReply(()),
            vm.Suspend: _done,
            vm.Resume: _done,
            vm.Dispose: _done,
            vm.DisposeObjects: _done,
            vm.HoldEvents: _done,
            vm.ReleaseEvents: _done,
            vm.SetDefaultStratum: _done,
        }

    def _threads(self) -> list[Any]:
        return [THREADS + each for each in self._program.threads]

    def _all_classes(self, _: Any) -> Any:
        reply = virtual_machine.AllClassesWithGenericReply
        return reply(
            tuple(
                reply.Class(each.tag, each.id, each.signature, each.generic, _READY)  # type: ignore[arg-type]
                for each in self._program.types
            )
        )

    def _by_signature(self, command: virtual_machine.ClassesBySignature) -> Any:
        reply = virtual_machine.ClassesBySignatureReply
        found = self._program.types.known(command.signature)
        return reply(tuple(reply.Class(each.tag, each.id, _READY) for each in found))  # type: ignore[arg-type]


class _Types:
    def __init__(self, program: ReplayedProgram) -> None:
        self._program = program

    def answers(self) -> dict[type[Any], Answer]:
        types = reference_type
        return {
            types.SignatureWithGeneric: self._signature,
            types.ClassLoader: lambda _: types.ClassLoaderReply(0),  # type: ignore[arg-type]
            types.Modifiers: lambda it: types.ModifiersReply(self._of(it).modifiers),
            types.FieldsWithGeneric: self._fields,
            types.MethodsWithGeneric: self._methods,
            types.GetValues: self._statics,
            types.SourceFile: self._source_file,
            types.NestedTypes: self._nested,
            types.Status: lambda _: types.StatusReply(_READY),
            types.Interfaces: self._interfaces,
            types.ClassObject: lambda it: types.ClassObjectReply(CLASS_OBJECTS + it.type_id),
            types.SourceDebugExtension: self._extension,
            types.ClassFileVersion: self._version,
            types.ConstantPool: self._constants,
            types.Module: _refused(ErrorCode.NOT_IMPLEMENTED),
            class_type.Superclass: self._superclass,
            class_object_reference.ReflectedType: self._reflected,
        }

    def _of(self, command: Any) -> ReplayType:
        return self._program.types.of(command.type_id)

    def _recorded(self, command: Any) -> Any:
        info = self._of(command).info
        if info is None:
            raise VmError.of_code(ErrorCode.ABSENT_INFORMATION, command.NAME)
        return info.file

    def _signature(self, command: Any) -> Any:
        found = self._of(command)
        return reference_type.SignatureWithGenericReply(found.signature, found.generic)

    def _fields(self, command: Any) -> Any:
        found, reply = self._of(command), reference_type.FieldsWithGenericReply
        return reply(
            tuple(
                reply.Field(
                    found.field_id(at),  # type: ignore[arg-type]
                    each.name,
                    each.signature,
                    each.generic,
                    each.modifiers,
                )
                for at, each in enumerate(found.fields)
            )
        )

    def _methods(self, command: Any) -> Any:
        info, reply = self._of(command).info, reference_type.MethodsWithGenericReply
        methods = () if info is None else info.methods
        return reply(
            tuple(
                reply.Method(each.number + 1, each.name, each.descriptor, "", each.member.access)  # type: ignore[arg-type]
                for each in methods
            )
        )

    def _statics(self, command: reference_type.GetValues) -> Any:
        objects = self._program.objects
        fields = map(self._program.types.field, command.fields)
        return reference_type.GetValuesReply(tuple(objects.field(0, *each) for each in fields))

    def _source_file(self, command: Any) -> Any:
        info = self._of(command).info
        if info is None or info.source_file is None:
            raise VmError.of_code(ErrorCode.ABSENT_INFORMATION, command.NAME)
        return reference_type.SourceFileReply(info.source_file)

    def _nested(self, command: Any) -> Any:
        outer, reply = self._of(command).name + "$", reference_type.NestedTypesReply
        found = (each for each in self._program.types if each.name.startswith(outer))
        return reply(tuple(reply.Class(each.tag, each.id) for each in found))  # type: ignore[arg-type]

    def _interfaces(self, command: Any) -> Any:
        names = self._of(command).interfaces
        found = (self._program.types.known("L" + each.replace(".", "/") + ";") for each in names)
        ids = tuple(each[0].id for each in found if each)
        return reference_type.InterfacesReply(ids)  # type: ignore[arg-type]

    def _extension(self, command: Any) -> Any:
        attribute = self._recorded(command).attribute("SourceDebugExtension")
        if attribute is None:
            raise VmError.of_code(ErrorCode.ABSENT_INFORMATION, command.NAME)
        text = attribute.content.decode("utf-8", "replace")
        return reference_type.SourceDebugExtensionReply(text)

    def _version(self, command: Any) -> Any:
        file = self._recorded(command)
        return reference_type.ClassFileVersionReply(file.major_version, file.minor_version)

    def _constants(self, command: Any) -> Any:
        constants = self._recorded(command).constants
        return reference_type.ConstantPoolReply(constants.count, constants.raw)

    def _superclass(self, command: Any) -> Any:
        above = self._program.types.above(self._of(command))
        return class_type.SuperclassReply(above[1].id if len(above) > 1 else 0)  # type: ignore[arg-type]

    def _reflected(self, command: Any) -> Any:
        found = self._program.types.of(command.class_object - CLASS_OBJECTS)
        return class_object_reference.ReflectedTypeReply(found.tag, found.id)  # type: ignore[arg-type]


class _Methods:
    def __init__(self, program: ReplayedProgram) -> None:
        self._program = program

    def answers(self) -> dict[type[Any], Answer]:
        return {
            method.LineTable: self._lines,
            method.VariableTableWithGeneric: self._variables,
            method.Bytecodes: self._bytecodes,
            method.IsObsolete: lambda _: method.IsObsoleteReply(False),  # noqa: FBT003
        }

    def _of(self, command: Any) -> MethodInfo:
        found = self._program.types.of(command.type_id).method(command.method_id)
        if found.code is None:
            raise VmError.of_code(ErrorCode.NATIVE_METHOD, command.NAME)
        return found

    def _lines(self, command: Any) -> Any:
        found, reply = self._of(command), method.LineTableReply
        if found.code is None or found.lines is None or not found.lines.lines:
            raise VmError.of_code(ErrorCode.ABSENT_INFORMATION, command.NAME)
        lines = tuple(reply.Line(*each) for each in found.lines.lines)
        return reply(0, len(found.code.code) - 1, lines)

    def _variables(self, command: Any) -> Any:
        found, reply = self._of(command), method.VariableTableWithGenericReply
        if not found.variables:
            raise VmError.of_code(ErrorCode.ABSENT_INFORMATION, command.NAME)
        return reply(
            found.argument_slots,
            tuple(
                reply.Variable(
                    each.start, each.name, each.descriptor, each.generic, each.length, each.slot
                )
                for each in found.variables
            ),
        )

    def _bytecodes(self, command: Any) -> Any:
        code = self._of(command).code
        return method.BytecodesReply(b"" if code is None else code.code)


class _Objects:
    def __init__(self, program: ReplayedProgram) -> None:
        self._program = program

    def answers(self) -> dict[type[Any], Answer]:
        reference, objects = object_reference, self._program.objects
        return {
            reference.ReferenceType: self._type,
            reference.GetValues: self._fields,
            reference.DisableCollection: _done,
            reference.EnableCollection: _done,
            reference.IsCollected: lambda _: reference.IsCollectedReply(False),  # noqa: FBT003
            array_reference.Length: lambda it: array_reference.LengthReply(
                objects.length(it.array)
            ),
            array_reference.GetValues: lambda it: array_reference.GetValuesReply(
                objects.elements(it.array, it.first_index, it.length)
            ),
            string_reference.Value: lambda it: string_reference.ValueReply(objects.text(it.string)),
        }

    def _type(self, command: object_reference.ReferenceType) -> Any:
        found = self._program.objects.type_of(command.object)
        return object_reference.ReferenceTypeReply(found.tag, found.id)  # type: ignore[arg-type]

    def _fields(self, command: object_reference.GetValues) -> Any:
        fields = map(self._program.types.field, command.fields)
        objects = self._program.objects
        found = tuple(objects.field(command.object, *each) for each in fields)
        return object_reference.GetValuesReply(found)


class _Threads:
    def __init__(self, program: ReplayedProgram) -> None:
        self._program = program

    def answers(self) -> dict[type[Any], Answer]:
        threads, groups = thread_reference, thread_group_reference
        suspended = threads.StatusReply(ThreadStatus.RUNNING, SuspendStatus.SUSPENDED)
        return {
            threads.Name: lambda it: threads.NameReply(self._name(it.thread)),
            threads.Suspend: _done,
            threads.Resume: _done,
            threads.Status: lambda _: suspended,
            threads.ThreadGroup: lambda _: threads.ThreadGroupReply(_GROUP),  # type: ignore[arg-type]
            threads.Frames: self._frames,
            threads.FrameCount: lambda it: threads.FrameCountReply(
                len(self._program.frames(it.thread))
            ),
            threads.SuspendCount: lambda _: threads.SuspendCountReply(1),
            threads.IsVirtual: lambda it: threads.IsVirtualReply(
                self._program.thread_number(it.thread) in self._program.virtual
            ),
            groups.Name: lambda _: groups.NameReply("recorded"),
            groups.Parent: lambda _: groups.ParentReply(0),  # type: ignore[arg-type]
            groups.Children: lambda _: groups.ChildrenReply(
                tuple(THREADS + each for each in self._program.threads),  # type: ignore[misc]
                (),
            ),
            stack_frame.GetValues: self._values,
            stack_frame.ThisObject: self._this,
        }

    def _name(self, thread: int) -> str:
        number = self._program.thread_number(thread)
        return self._program.names.get(number, f"thread {number}")

    def _frames(self, command: thread_reference.Frames) -> Any:
        found = self._program.frames(command.thread)
        start = command.start_frame
        if start > len(found) or (start == len(found) and command.length > 0):
            raise VmError.of_code(ErrorCode.INVALID_INDEX, command.NAME)
        stop = len(found) if command.length < 0 else start + command.length
        if stop > len(found):
            raise VmError.of_code(ErrorCode.INVALID_LENGTH, command.NAME)
        reply = thread_reference.FramesReply
        return reply(
            tuple(
                reply.Frame(each.depth + 1, self._program.location(each))  # type: ignore[arg-type]
                for each in found[start:stop]
            )
        )

    def _frame(self, command: Any) -> FrameAt:
        frames: tuple[FrameAt, ...] = self._program.frames(command.thread)
        if not 0 < command.frame <= len(frames):
            raise VmError.of_code(ErrorCode.INVALID_FRAMEID, command.NAME)
        depth: int = len(frames) - command.frame
        return frames[depth]

    def _values(self, command: stack_frame.GetValues) -> Any:
        frame = self._frame(command)
        number = self._program.thread_number(command.thread)
        past, objects = self._program.past, self._program.objects
        found: list[Value] = []
        for each in command.slots:
            variable = frame.method.variable(each.slot, frame.bci)
            known = frame.open.locals.get(each.slot)
            written, signature = None, chr(each.tag)
            if variable is not None:
                written = past.slot(frame, number, variable)
                signature = variable.descriptor
            elif known is not None:
                written = Written(Position(number, known[1]), known[0], known[2])
            if written is None:
                found.append(NoValue(Tag.OBJECT, 0, _NOT_RECORDED))
            else:
                found.append(objects.at_site(written.site, written.value, signature))
        return stack_frame.GetValuesReply(tuple(found))

    def _this(self, command: stack_frame.ThisObject) -> Any:
        frame = self._frame(command)
        this: TaggedObject = self._program.objects.tagged(self._program.past.this(frame))
        return stack_frame.ThisObjectReply(this)


class _Requests:
    def __init__(self, program: ReplayedProgram) -> None:
        self._program = program

    def answers(self) -> dict[type[Any], Answer]:
        return {
            event_request.Set: lambda it: event_request.SetReply(self._program.requests.add(it)),
            event_request.Clear: lambda it: self._program.requests.clear(it.request_id),
            event_request.ClearAllBreakpoints: lambda _: self._program.requests.clear_breakpoints(),
        }
