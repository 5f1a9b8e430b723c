# SPDX-License-Identifier: Apache-2.0
"""Lets compiled code use members that the VM refuses it: private, protected, package-private ones.

The evaluator itself may use all members, so what it compiles may too. Each use of such a member
becomes the call of a static method, an accessor, in a class of its own. That calls a method handle:

    final class Code$access {
        static MethodHandle h0;
        static int a0(Pier p0) { return (int) h0.invokeExact(p0); }
    }

An instruction and its replacement have the same length, so nothing else of the code changes. The
handles come from the trusted lookup, see `defining`. Called by `compiled_code`.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final, NamedTuple

from jvmdebug.classfile import ClassFile, ConstantTag
from jvmdebug.classfile.attributes import Code
from jvmdebug.classfile.bytecode import instructions
from jvmdebug.classfile.constant_pool import ConstantPool
from jvmdebug.classfile.descriptors import parse_method_descriptor, slot_count
from jvmdebug.classfile.opcodes import Op
from jvmdebug.classfile.writer import ClassWriter, CodeWriter, modified_utf8
from jvmdebug.evaluator.compiling.lambda_classes import bootstraps
from jvmdebug.evaluator.compiling.stack_frames import with_nulls

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from jvmdebug.classfile.bytecode import Instruction
    from jvmdebug.classfile.constant_pool import MemberReference

_HANDLE: Final = "java/lang/invoke/MethodHandle"
_HANDLE_TYPE: Final = f"L{_HANDLE};"
_OBJECT_TYPE: Final = "Ljava/lang/Object;"
_JAVA_8: Final = 52
_INVOKE_STATIC: Final = 6
_CONSTRUCTOR: Final = "<init>"
_USES: Final = {
    "getfield": "findGetter",
    "putfield": "findSetter",
    "getstatic": "findStaticGetter",
    "putstatic": "findStaticSetter",
    "invokevirtual": "findVirtual",
    "invokeinterface": "findVirtual",
    "invokestatic": "findStatic",
}
_HANDLE_USES: Final = {5: "findVirtual", 6: "findStatic", 8: "findConstructor", 9: "findVirtual"}
"""The kinds of method handles that a method reference becomes (JVMS 5.4.3.5)."""
_RETURNS: Final = {
    "J": Op.LRETURN,
    "F": Op.FRETURN,
    "D": Op.DRETURN,
    "A": Op.ARETURN,
    "V": Op.RETURN,
}


class Use(NamedTuple):
    """How code uses a member."""

    find: str
    """The method of Lookup that gives a handle for it."""
    owner: str
    name: str
    descriptor: str
    receiver: str = ""
    """The type of the target where code says so, the internal name; else it is the owner."""
    placeholders: int = 0
    """How many values without meaning the accessor takes before the others."""

    @property
    def is_field(self) -> bool:
        return self.find.endswith("etter")

    @property
    def accessor_type(self) -> str:
        """The descriptor of its accessor."""
        type_ = self._type(self.receiver or self.owner)
        return f"({_OBJECT_TYPE * self.placeholders}{type_[1:]}"

    @property
    def handle_type(self) -> str:
        """The type of the method handle."""
        return self._type(self.owner)

    def _type(self, receiver: str) -> str:
        target, own = f"L{receiver};", self.descriptor
        if self.find == "findStatic":
            return own
        return {
            "findGetter": f"({target}){own}",
            "findSetter": f"({target}{own})V",
            "findStaticGetter": f"(){own}",
            "findStaticSetter": f"({own})V",
            "findVirtual": f"({target}{own[1:]}",
            "findConstructor": f"{own[:-1]}{target}",
        }[self.find]


class Accessors:
    """The accessors of one compilation. `class_name` is internal: `shop/Code$access`."""

    def __init__(self, class_name: str) -> None:
        self.class_name = class_name
        self.uses: dict[Use, int] = {}

    def name_of(self, use: Use) -> str:
        """The name of the accessor."""
        return f"a{self.uses.setdefault(use, len(self.uses))}"

    def class_file(self) -> bytes:
        """The class, whose fields `h0`, `h1` … take the handles in the order of `uses`."""
        written = ClassWriter(self.class_name, (), _JAVA_8)
        for use, number in self.uses.items():
            parameters, result = parse_method_descriptor(use.accessor_type)
            slots = sum(map(slot_count, parameters))
            code = CodeWriter(written.pool, 2 + slots, slots)
            code.field(Op.GETSTATIC, self.class_name, f"h{number}", _HANDLE_TYPE)
            slot = use.placeholders
            for each in parameters[use.placeholders :]:
                code.load(_kind(each), slot)
                slot += slot_count(each)
            code.invoke(Op.INVOKEVIRTUAL, _HANDLE, "invokeExact", use.handle_type)
            code.op(_RETURNS.get(_kind(result), Op.IRETURN))
            written.static_field(f"h{number}", _HANDLE_TYPE)
            written.static_method(f"a{number}", use.accessor_type, code)
        return written.written()


def uses_in(class_file: bytes) -> set[Use]:
    """The members of classes that the code of a class uses."""
    file = ClassFile.read(class_file)
    found = {use for _, use in _handles(file)}
    for method in file.methods:
        attribute = method.attribute("Code")
        if attribute is not None:
            code = Code.read(attribute.content, file.constants)
            found |= {use for _, use in _uses(code, file.constants)}
    return found


def with_accessors(
    class_file: bytes, accessors: Accessors, is_refused: Callable[[Use], bool]
) -> bytes:
    """The class file with each use of a member that is refused replaced by its accessor."""
    file = ClassFile.read(class_file)
    pool = _Pool(file.constants)

    def replacement(use: Use) -> int:
        return pool.method(accessors.class_name, accessors.name_of(use), use.accessor_type)

    for start, use in _handles(file):
        if is_refused(use):
            pool.replace(start, struct.pack(">BH", _INVOKE_STATIC, replacement(use)))
    methods = []
    for method in file.methods:
        attribute = method.attribute("Code")
        if attribute is not None:
            code = Code.read(attribute.content, file.constants)
            changed = _Replacing(code, file.constants).replaced(is_refused, replacement)
            new = replace(attribute, content=changed.encode())
            attributes = [new if each is attribute else each for each in method.attributes]
            method = replace(method, attributes=tuple(attributes))  # noqa: PLW2901
        methods.append(method)
    return replace(file, constants=pool.written(), methods=tuple(methods)).encode()


class _Pool:
    """A constant pool that grows at its end."""

    def __init__(self, constants: ConstantPool) -> None:
        first = next(iter(constants))
        # Entries begin with their tag; that of a text has its length in front of its content.
        self._offset = first.start - (3 if first.tag == ConstantTag.UTF8 else 1)
        self._content = bytearray(constants.raw)
        self._count = constants.count
        self._known: dict[bytes, int] = {}

    def method(self, owner: str, name: str, descriptor: str) -> int:
        class_ = self._add(ConstantTag.CLASS, struct.pack(">H", self._utf8(owner)))
        named = struct.pack(">HH", self._utf8(name), self._utf8(descriptor))
        pair = self._add(ConstantTag.NAME_AND_TYPE, named)
        return self._add(ConstantTag.METHOD_REFERENCE, struct.pack(">HH", class_, pair))

    def _utf8(self, text: str) -> int:
        content = modified_utf8(text)
        return self._add(ConstantTag.UTF8, struct.pack(">H", len(content)) + content)

    def _add(self, tag: ConstantTag, content: bytes) -> int:
        entry = bytes((tag,)) + content
        number = self._known.get(entry)
        if number is None:
            number = self._known[entry] = self._count
            self._content += entry
            self._count += 1
        return number

    def written(self) -> ConstantPool:
        return ConstantPool(self._count, bytes(self._content))

    def replace(self, start: int, content: bytes) -> None:
        """Replace what begins at a byte of the class file."""
        start -= self._offset
        self._content[start : start + len(content)] = content


def _handles(file: ClassFile) -> Iterator[tuple[int, Use]]:
    """The method handles among the constants: where each begins, and the member that it uses."""
    captured = _captured(file)
    for each in file.constants:
        if each.tag == ConstantTag.METHOD_HANDLE:
            kind, member = file.constants.method_handle(each.number)
            if kind in _HANDLE_USES:
                find = _HANDLE_USES[kind]
                receiver = captured.get(each.number, "") if find == "findVirtual" else ""
                yield each.start, Use(find, *file.constants.member(member), receiver)


def _captured(file: ClassFile) -> dict[int, str]:
    """The number of a handle → the type of the first value that its method reference captures."""
    attribute = file.attribute("BootstrapMethods")
    methods = [] if attribute is None else bootstraps(attribute.content)
    found: dict[int, str] = {}
    for each in file.constants:
        if each.tag == ConstantTag.INVOKE_DYNAMIC:
            content = file.constants.content(each.number, ConstantTag.INVOKE_DYNAMIC)
            parameters, _ = parse_method_descriptor(file.constants.member(each.number).descriptor)
            if parameters and parameters[0].startswith("L"):
                _, arguments = methods[int.from_bytes(content[:2])]
                found.update(dict.fromkeys(arguments[1:2], parameters[0][1:-1]))
    return found


def _uses(code: Code, constants: ConstantPool) -> Iterator[tuple[Instruction, Use]]:
    for each in instructions(code.code):
        found = None if each.constant is None else constants.find_member(each.constant)
        if found is not None and (use := _use(each.mnemonic, found)) is not None:
            yield each, use


def _use(mnemonic: str, member: MemberReference) -> Use | None:
    if member.owner.startswith("["):
        return None
    if mnemonic == "invokespecial":
        if member.name != _CONSTRUCTOR:
            return None
        return Use("findConstructor", *member, placeholders=2)
    find = _USES.get(mnemonic)
    return None if find is None else Use(find, *member)


@dataclass
class _Replacing:
    """Replaces instructions of one method."""

    code: Code
    constants: ConstantPool

    def replaced(
        self, is_refused: Callable[[Use], bool], replacement: Callable[[Use], int]
    ) -> Code:
        changed = bytearray(self.code.code)
        creations = self._creations()
        replaced: set[int] = set()
        for each, use in _uses(self.code, self.constants):
            if not is_refused(use):
                continue
            if use.find == "findConstructor":
                created = creations.get(each.index)
                if created is None:
                    continue
                # In the place of new and dup: what the accessor takes for the two.
                two = (Op.ACONST_NULL, Op.ACONST_NULL, Op.NOP, Op.NOP)
                changed[created : created + len(two)] = bytes(two)
                replaced.add(created)
            end = each.index + each.size
            changed[each.index : end] = bytes((each.size) * (Op.NOP,))
            call = struct.pack(">BH", Op.INVOKESTATIC, replacement(use))
            changed[each.index : each.index + 3] = call
        return with_nulls(replace(self.code, code=bytes(changed)), replaced)

    def _creations(self) -> dict[int, int]:
        """The call of each constructor → its `new`, where `dup` follows that."""
        pending: dict[str, list[int]] = {}
        found: dict[int, int] = {}
        for each in instructions(self.code.code):
            if each.mnemonic == "new" and each.constant is not None:
                pending.setdefault(self.constants.class_name(each.constant), []).append(each.index)
            elif each.mnemonic == "invokespecial" and each.constant is not None:
                member = self.constants.member(each.constant)
                if member.name == _CONSTRUCTOR and pending.get(member.owner):
                    created = pending[member.owner].pop()
                    if self.code.code[created + 3] == Op.DUP:
                        found[each.index] = created
        return found


def _kind(type_: str) -> str:
    return type_ if type_ in "JFDV" else "A" if type_[0] in "L[" else "I"
