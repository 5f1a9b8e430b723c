# SPDX-License-Identifier: Apache-2.0
"""Records a small program without a VM: an interpreter of class files that makes the records.

It knows ints, references, arrays of ints, fields, calls of the program's own methods and
exceptions that it throws itself; of others (`System.out.println`) nothing is done. What it
records is what the format says of an agent that records all.

    interpreted(tmp_path / "cart.jvmrec", [class_file, …], "shop.Cart")
"""

from __future__ import annotations

import struct
from typing import TYPE_CHECKING, Any

from jvmdebug.classfile.attributes import Code
from jvmdebug.classfile.bytecode import instructions
from jvmdebug.classfile.class_file import ClassFile
from jvmdebug.classfile.constant_pool import ConstantTag
from jvmdebug.classfile.descriptors import java_name, parse_method_descriptor, slot_count
from jvmdebug.recording.format import (
    SITE,
    Ending,
    Header,
    ObjectDefinition,
    ObjectKind,
    RecordKind,
)
from jvmdebug.recording.writer import RecordingWriter

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from jvmdebug.classfile.class_file import Member

_MASK = (1 << 64) - 1
_SITES_OF_A_CLASS = 8192
_COMPARED: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda a, b: a == b,
    "ne": lambda a, b: a != b,
    "lt": lambda a, b: a < b,
    "ge": lambda a, b: a >= b,
    "gt": lambda a, b: a > b,
    "le": lambda a, b: a <= b,
}
_COMPUTED: dict[str, Callable[[int, int], int]] = {
    "iadd": lambda a, b: a + b,
    "isub": lambda a, b: a - b,
    "imul": lambda a, b: a * b,
    "irem": lambda a, b: a % b,
    "iand": lambda a, b: a & b,
}


class _Thrown(Exception):  # noqa: N818 - what happens in the program
    def __init__(self, serial: int) -> None:
        super().__init__(serial)
        self.serial = serial


class _Class:
    def __init__(self, content: bytes, first: int) -> None:
        self.content = content
        self.first = first
        self.file = ClassFile.read(content)
        self.sites: dict[tuple[int, int, int, int, int], int] = {}
        self.statics: dict[str, int] = {}

    def find(self, name: str, descriptor: str) -> int | None:
        for at, each in enumerate(self.file.methods):
            if (each.name, each.descriptor) == (name, descriptor):
                return at
        return None


class Interpreter:
    """One thread of one program."""

    def __init__(self, contents: Sequence[bytes]) -> None:
        self.classes: dict[str, _Class] = {}
        for at, content in enumerate(contents):
            made = _Class(content, 16 + at * _SITES_OF_A_CLASS)
            self.classes[made.file.name] = made
        self.records: list[tuple[int, int]] = []
        self.objects: list[dict[str, int]] = [{}]
        self.arrays: dict[int, list[int]] = {}
        self.definitions: list[ObjectDefinition] = []
        self.strings: dict[str, int] = {}
        self.depth = 0

    def record(self, of: _Class, site: tuple[int, str, int, int, int], value: int = 0) -> None:
        """One record."""
        kind, type_, method, bci, detail = site
        key = (kind, ord(type_), method, bci, detail)
        number = of.first + of.sites.setdefault(key, len(of.sites))
        self.records.append((number, value & _MASK))

    def made(self, name: str, kind: ObjectKind = ObjectKind.PLAIN, **more: Any) -> int:
        """A new object's number."""
        self.objects.append({})
        serial = len(self.objects) - 1
        self.definitions.append(ObjectDefinition(serial, name, kind, **more))
        return serial

    def run(self, name: str, method: str, descriptor: str, arguments: list[int]) -> int:
        """Call a method; what it returns. _Thrown if it throws."""
        of = self.classes[name]
        number = of.find(method, descriptor)
        if number is None:
            return self.run(of.file.superclass or "", method, descriptor, arguments)
        return _Frame(self, of, number, arguments).run()

    def write(self, path: Path, main: str, ending: Ending, chunk: int) -> None:
        """The recording of what was run."""
        with RecordingWriter(path, Header(started=1000, main=main, java_version="17.0.1")) as made:
            for each in self.classes.values():
                sites = b"".join(SITE.pack(*key) for key in each.sites)
                made.add_class(each.file.java_name, each.first, each.content, sites)
            made.add_thread(1, "main", is_virtual=False)
            for at in range(0, len(self.records), chunk):
                part = self.records[at : at + chunk]
                sites = struct.pack(f"<{len(part)}I", *(site for site, _ in part))
                values = struct.pack(f"<{len(part)}Q", *(value for _, value in part))
                made.add_chunk(1, at * 100, (at + len(part)) * 100, sites, values)
            made.add_objects(self.definitions)
            made.end(ending)


class _Frame:
    def __init__(self, vm: Interpreter, of: _Class, number: int, arguments: list[int]) -> None:
        self.vm = vm
        self.of = of
        self.number = number
        self.member: Member = of.file.methods[number]
        attribute = self.member.attribute("Code")
        assert attribute is not None
        self.code = Code.read(attribute.content, of.file.constants)
        self.locals: dict[int, int] = {}
        self.stack: list[Any] = []
        self.arguments = arguments
        self.steps = list(instructions(self.code.code))
        self.index = {each.index: at for at, each in enumerate(self.steps)}
        self.starts = {index for index, _ in self.code.line_table.lines}

    def record(
        self, kind: RecordKind, bci: int, value: int = 0, type_: str = "V", detail: int = 0
    ) -> None:
        self.vm.record(self.of, (kind, type_, self.number, bci, detail), value)

    def run(self) -> int:
        self.record(RecordKind.ENTER, 0)
        parameters = list(parse_method_descriptor(self.member.descriptor).parameters)
        if not self.member.access & 8:
            parameters.insert(0, "Lthis;")
        slot = 0
        for value, descriptor in zip(self.arguments, parameters, strict=True):
            self.store(slot, value, descriptor[0], 0)
            slot += slot_count(descriptor)
        at = 0
        while True:
            step = self.steps[at]
            if step.index in self.starts:
                self.record(RecordKind.LINE, step.index)
            try:
                following = self.do(step)
            except _Thrown as thrown:
                handler = next(
                    (
                        each.handler
                        for each in self.code.handlers
                        if each.start <= step.index < each.end
                    ),
                    None,
                )
                if handler is None:
                    self.record(RecordKind.THROWN, step.index, thrown.serial, "L")
                    raise
                self.record(RecordKind.CAUGHT, handler, thrown.serial, "L")
                self.stack = [thrown.serial]
                at = self.index[handler]
                continue
            if isinstance(following, tuple):
                type_ = self.member.descriptor.rpartition(")")[2][0]
                self.record(RecordKind.EXIT, step.index, following[0], type_)
                return int(following[0])
            at = at + 1 if following is None else self.index[following]

    def store(self, slot: int, value: int, type_: str, bci: int) -> None:
        self.locals[slot] = value
        self.record(RecordKind.LOCAL, bci, value, type_, slot)

    def do(self, step: Any) -> Any:  # noqa: C901, PLR0911, PLR0912 - a case for each instruction
        name, stack = step.mnemonic, self.stack
        if name in _COMPUTED:
            right, left = stack.pop(), stack.pop()
            stack.append(_COMPUTED[name](left, right))
        elif name.startswith("iconst_"):
            stack.append({"m1": -1}.get(name[7:]) or int(name[7:].replace("m1", "-1")))
        elif name in ("bipush", "sipush"):
            stack.append(step.number)
        elif name == "aconst_null":
            stack.append(0)
        elif name.startswith(("iload", "aload")) and step.local is not None:
            stack.append(self.locals[step.local])
        elif name.startswith(("istore", "astore")) and step.local is not None:
            type_ = "I" if name[0] == "i" else "L"
            self.store(step.local, stack.pop(), type_, step.index + step.size)
        elif name == "iinc":
            value = self.locals[step.local] + step.number
            self.store(step.local, value, "I", step.index + step.size)
        elif name.startswith("if_"):
            right, left = stack.pop(), stack.pop()
            return step.targets[0] if _COMPARED[name[-2:]](left, right) else None
        elif name in ("ifnull", "ifnonnull"):
            return step.targets[0] if (stack.pop() == 0) == (name == "ifnull") else None
        elif name.startswith("if"):
            return step.targets[0] if _COMPARED[name[2:]](stack.pop(), 0) else None
        elif name == "goto":
            return step.targets[0]
        elif name in ("dup", "pop"):
            stack.append(stack[-1]) if name == "dup" else stack.pop()
        elif name == "return":
            return (0,)
        elif name in ("ireturn", "areturn"):
            return (stack.pop(),)
        elif name == "athrow":
            self.record(RecordKind.THROWS, step.index, stack[-1], "L")
            raise _Thrown(stack.pop())
        else:
            self.do_more(step)
        return None

    def do_more(self, step: Any) -> None:  # noqa: C901, PLR0912 - the same
        name, stack, vm = step.mnemonic, self.stack, self.vm
        pool = self.of.file.constants
        match name:
            case "new":
                stack.append(vm.made(pool.class_name(step.constant).replace("/", ".")))
            case "newarray":
                length = stack.pop()
                zeros = (0,) * min(length, 100)
                serial = vm.made("[I", ObjectKind.ARRAY, length=length, elements=zeros)
                vm.arrays[serial] = [0] * length
                stack.append(serial)
            case "ldc" if pool.tag(step.constant) == ConstantTag.STRING:
                text = pool.string(step.constant)
                if text not in vm.strings:
                    kind, length = ObjectKind.STRING, len(text)
                    vm.strings[text] = vm.made("java.lang.String", kind, text=text, length=length)
                stack.append(vm.strings[text])
            case "ldc":
                stack.append(pool.number(step.constant))
            case "getfield" | "getstatic":
                field = pool.member(step.constant)
                if name == "getfield":
                    stack.append(vm.objects[stack.pop()].get(field.name, 0))
                elif field.owner in vm.classes:
                    stack.append(vm.classes[field.owner].statics.get(field.name, 0))
                else:
                    stack.append(0)
            case "putfield" | "putstatic":
                field = pool.member(step.constant)
                value = stack.pop()
                if name == "putfield":
                    serial = stack.pop()
                    self.record(RecordKind.OBJECT, step.index, serial, "L")
                    vm.objects[serial][field.name] = value
                else:
                    vm.classes[field.owner].statics[field.name] = value
                self.record(RecordKind.FIELD, step.index, value, field.descriptor[0])
            case "iaload":
                index, array = stack.pop(), stack.pop()
                stack.append(vm.arrays[array][index])
            case "iastore":
                value, index, array = stack.pop(), stack.pop(), stack.pop()
                self.record(RecordKind.OBJECT, step.index, array, "L")
                self.record(RecordKind.INDEX, step.index, index, "I")
                self.record(RecordKind.ELEMENT, step.index, value, "I")
                vm.arrays[array][index] = value
            case _:
                self.call(step)

    def call(self, step: Any) -> None:
        name, stack, vm = step.mnemonic, self.stack, self.vm
        member = self.of.file.constants.member(step.constant)
        descriptor = parse_method_descriptor(member.descriptor)
        arguments = [stack.pop() for _ in descriptor.parameters][::-1]
        if name != "invokestatic":
            arguments.insert(0, stack.pop())
        owner = member.owner
        if name == "invokevirtual" and arguments[0]:
            owner = vm.definitions[arguments[0] - 1].class_name.replace(".", "/")
        if owner in vm.classes:
            result = vm.run(owner, member.name, member.descriptor, arguments)
        else:
            result = 0
            if member.name == "<init>" and "Exception" in java_name(f"L{owner};"):
                serial = arguments[0]
                text = [each for each, number in vm.strings.items() if number in arguments[1:]]
                vm.definitions[serial - 1] = ObjectDefinition(
                    serial, owner.replace("/", "."), ObjectKind.THROWABLE, "".join(text)
                )
            elif member.name != "<init>":
                self.record(RecordKind.CALL, step.index)
                self.record(RecordKind.RETURNED, step.index, result, descriptor.result[0])
        if descriptor.result != "V":
            stack.append(result)


def interpreted(path: Path, contents: Sequence[bytes], main: str, chunk: int = 1 << 16) -> Path:
    """A recording of `main`; `chunk` records at most are in one chunk."""
    vm = Interpreter(contents)
    ending = Ending("exited", exit_code=0)
    arguments = vm.made("[Ljava.lang.String;", ObjectKind.ARRAY, length=0)
    try:
        vm.run(main.replace(".", "/"), "main", "([Ljava/lang/String;)V", [arguments])
    except _Thrown as thrown:
        known = vm.definitions[thrown.serial - 1]
        ending = Ending("exception", 1, f"{known.class_name}: {known.text}")
    vm.write(path, main, ending, chunk)
    return path
