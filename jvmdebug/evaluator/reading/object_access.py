# SPDX-License-Identifier: Apache-2.0
"""What the interpreter and the computed methods ask of objects, classes and strings.

What was not read yet raises MissingError, whose `load` reads it: the caller is called again then.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, TypeVar

from jvmdebug.evaluator.reading.arrays import ReadArray
from jvmdebug.evaluator.reading.errors import (
    MissingError,
    NotReadError,
    RefusedError,
    ThrownError,
    UnreadableError,
)
from jvmdebug.evaluator.reading.heap import blank
from jvmdebug.evaluator.reading.objects import (
    OBJECT,
    STRING,
    ReadObject,
    string_fields,
    text_of_fields,
)
from jvmdebug.jdwp.generated import jvmti
from jvmdebug.model.agent import AgentCapability
from jvmdebug.model.primitives import BOXES

if TYPE_CHECKING:
    from collections.abc import Callable

    from jvmdebug.evaluator.reading.heap import Heap
    from jvmdebug.evaluator.reading.method_code import MethodCode
    from jvmdebug.evaluator.reading.read_class import ReadClass
    from jvmdebug.evaluator.reading.slots import Slot

T = TypeVar("T")
MOST_STEPS: Final = 1_000_000
"""Instructions of one evaluation: about a second."""
_STEPS_OF_READING: Final = 100
"""What reading something counts as, so that what is read again and again comes to an end."""
_SPREAD: Final = 0x9E3779B1
_MOST_HASH: Final = 0x7FFFFFFF
MOST_MADE: Final = 1_000_000
"""Objects and elements that an evaluation makes."""
_OF_JDK: Final = ("java/", "javax/", "jdk/", "sun/")
_BOXES: Final = {kind.value: name.replace(".", "/") for kind, name in BOXES.items()}


class Objects:
    """The objects of one evaluation."""

    def __init__(self, heap: Heap) -> None:
        self.heap = heap
        self.steps = 0
        """What was interpreted so far."""
        self._made = 0
        self._literals: dict[str, ReadObject] = {}
        self._mirrors: dict[ReadClass | str, ReadObject] = {}
        self._bootstrap: dict[str, ReadClass] = {}
        self._meant: dict[tuple[ReadClass, str], ReadClass | None] = {}
        """What code of a class means by a name, where the class itself does not keep it."""
        self._hashes: dict[ReadObject | ReadArray, int] = {}

    async def prepare(self) -> None:
        """Read the classes that everything needs; before anything else."""
        for name in (STRING, OBJECT):
            if name not in self._bootstrap:
                self._bootstrap[name] = await self.heap.bootstrap_class(name)

    async def read(self, wanted: Callable[[], T]) -> T:
        """The result of a function that may raise MissingError."""
        while True:
            try:
                return wanted()
            except MissingError as missing:
                await self.load(missing)

    async def load(self, missing: MissingError) -> None:
        """Read what is missing."""
        self.count_steps(_STEPS_OF_READING)
        await missing.load()

    def selected(self, receiver: Slot, name: str, descriptor: str) -> MethodCode:
        """The method that a call on an object runs."""
        of_class = self._bootstrap[OBJECT]
        if isinstance(receiver, ReadObject):
            of_class = self.class_of(receiver)
        elif receiver is None:
            raise ThrownError("java/lang/NullPointerException", f"cannot call {name}(): null")
        found = of_class.selected(name, descriptor)
        if found is None or found.is_abstract:
            raise UnreadableError(f"{of_class.java_name} has no code for {name}()")
        return found

    # --- what instructions ask for ---------------------------------------------------------------

    def class_of(self, found: Slot) -> ReadClass:
        """The class of an object."""
        if not isinstance(found, ReadObject):
            return self._bootstrap[OBJECT]
        if found.of_class is None:
            raise MissingError(lambda: self.heap.read_class(found))
        return found.of_class

    def read_fields(self, found: ReadObject) -> dict[str, Slot]:
        """The fields of an object."""
        if found.fields is None:
            raise MissingError(lambda: self.heap.read_fields(found))
        return found.fields

    def field(self, found: Slot, key: str) -> Slot:
        """A field of an object."""
        if not isinstance(found, ReadObject):
            raise ThrownError("java/lang/NullPointerException", f"cannot read {key}: null")
        fields = found.fields if found.fields is not None else self.read_fields(found)
        if key not in fields:
            raise UnreadableError(f"the VM does not show the field {key.replace('/', '.')}")
        return fields[key]

    def static(self, owner: ReadClass, name: str) -> Slot:
        """A static field."""
        known = self.heap.statics.get(owner)
        if known is None:
            raise MissingError(lambda: self.heap.read_statics(owner))
        if name not in known:
            raise UnreadableError(f"the VM does not show the field {owner.java_name}.{name}")
        return known[name]

    def length(self, array: ReadArray) -> int:
        """The length of an array."""
        if array.length < 0:
            raise MissingError(lambda: self.heap.read_length(array))
        return array.length

    def element(self, array: ReadArray, index: int) -> Slot:
        """An element of an array."""
        length = array.length if array.length >= 0 else self.length(array)
        if not 0 <= index < length:
            raise _out_of_bounds(index, length)
        items = array.items
        if isinstance(items, dict) and index not in items:
            raise MissingError(lambda: self.heap.read_element(array, index))
        return items[index]

    def set_element(self, array: ReadArray, index: int, value: Slot, code: MethodCode) -> None:
        """Assign an element of an array that the call has made."""
        length = self.length(array)
        if not 0 <= index < length:
            raise _out_of_bounds(index, length)
        if array.reference is not None:
            raise RefusedError(f"{code.label} writes to an array of the program")
        array.items[index] = value

    def is_same(self, left: Slot, right: Slot, code: MethodCode) -> bool:
        """Whether two references are equal. Which object a constant string is, is not known: the
        JDK's code compares texts next, other code is refused if they are equal.
        """
        if left is right:
            return True
        for one, other in ((left, right), (right, left)):
            if not isinstance(one, ReadObject) or not self._is_literal(one):
                continue
            text = None if other is None else self.text_if_string(other)
            if text == one.text and not code.of_class.name.startswith(_OF_JDK):
                raise UnreadableError(f"{code.label} compares a constant string by ==")
        return False

    def _is_literal(self, found: ReadObject) -> bool:
        return found.text is not None and self._literals.get(found.text) is found

    def is_instance(self, value: Slot, home: ReadClass, name: str) -> bool:
        """Whether an object is of a class that code of `home` names."""
        if name.startswith("["):
            return self.is_array_of(value, name)
        if isinstance(value, ReadArray):
            return name in (OBJECT, "java/lang/Cloneable", "java/io/Serializable")
        if name == OBJECT:
            return True
        made = value.captured if isinstance(value, ReadObject) else None
        if made is not None and name == "java/io/Serializable":
            return made.is_serializable
        supers = self.class_of(value).supers
        if not any(each.name == name or "." in each.name for each in supers):
            return False
        return self.resolve(home, name) in supers

    def is_array_of(self, value: Slot, descriptor: str) -> bool:
        """Whether a value is an array that can be used as this type."""
        if not isinstance(value, ReadArray):
            return False
        self.length(value)
        own = value.descriptor
        while own.startswith("[") and descriptor.startswith("["):
            own, descriptor = own[1:], descriptor[1:]
        if own == descriptor:
            return True
        if descriptor[0] != "L" or own[0] not in "L[":
            return False
        if descriptor == f"L{OBJECT};":
            return True
        home = self._bootstrap[OBJECT]
        return own[0] == "L" and any(
            each.name == descriptor[1:-1] for each in self.resolve(home, own[1:-1]).supers
        )

    def resolve(self, home: ReadClass, name: str) -> ReadClass:
        """The class that code of `home` names. UnreadableError if there is none."""
        found = self._meaning(home, name)
        if found is None:
            raise UnreadableError(f"the class {name.replace('/', '.')} is not loaded")
        return found

    def is_unknown(self, home: ReadClass, name: str) -> bool:
        """Whether code of `home` names a class that is not loaded, and of which no file is here."""
        return self._meaning(home, name) is None

    def _meaning(self, home: ReadClass, name: str) -> ReadClass | None:
        known = home.known(name)
        if known is not None:
            return known
        key = home, name
        if key not in self._meant:

            async def find() -> None:
                self._meant[key] = await self.heap.classes.named(name, home)

            raise MissingError(find)
        return self._meant[key]

    def bootstrap(self, name: str) -> ReadClass:
        """A class of the JDK."""
        known = self._bootstrap.get(name)
        if known is not None:
            return known

        async def find() -> None:
            self._bootstrap[name] = await self.heap.bootstrap_class(name)

        raise MissingError(find)

    def require_initialized(self, of_class: ReadClass) -> None:
        """RefusedError if the static initializer of a class of the program would run; those of the
        JDK are interpreted.
        """
        if not of_class.is_initialized and of_class not in self.heap.initialized:
            raise MissingError(lambda: self.heap.require_initialized(of_class))

    def mirror(self, of: ReadClass | str) -> ReadObject:
        """The java.lang.Class of a class, or of an array type."""
        known = self._mirrors.get(of)
        if known is not None:
            return known

        async def read() -> None:
            self._mirrors[of] = await self.heap.class_object(of)

        raise MissingError(read)

    def mirrored(self, found: Slot) -> ReadClass | str:
        """What a java.lang.Class stands for: a class, an array type, or `?` for a primitive
        type.
        """
        if not isinstance(found, ReadObject):
            raise ThrownError("java/lang/NullPointerException", "the class is null")
        if found.mirrored is None:
            if found.reference is None:
                raise UnreadableError("a java.lang.Class is made by native code")
            raise MissingError(lambda: self.heap.read_mirrored(found))
        return found.mirrored

    def identity_hash(self, found: ReadObject | ReadArray) -> int:
        """The identity hash code, which our agent alone tells."""
        if found in self._hashes:
            return self._hashes[found]
        reference = found.reference
        if reference is None:
            of_class = found.of_class if isinstance(found, ReadObject) else None
            if of_class is None or of_class.name == OBJECT or not of_class.name.startswith(_OF_JDK):
                raise UnreadableError("java.lang.Object.hashCode() of a new object is native")
            # What the JDK makes for itself may have any; no text shows it.
            made = self._hashes[found] = len(self._hashes) * _SPREAD & _MOST_HASH
            return made
        vm = self.heap.vm
        if not vm.agent_can(AgentCapability.JVMTI):
            raise UnreadableError(
                "java.lang.Object.hashCode() is native, and only jvmdebug's agent tells the hash "
                "code of an object"
            )

        async def read() -> None:
            reply = await vm.request(jvmti.Call("GetObjectHashCode", (), (), (reference.id,)))
            if reply.error:
                raise UnreadableError("java.lang.Object.hashCode() is not known of an object")
            self._hashes[found] = reply.numbers[0]

        raise MissingError(read)

    # --- strings and boxes -----------------------------------------------------------------------

    def new_string(self, text: str) -> ReadObject:
        """A string that the call makes."""
        self.count_made(1 + len(text) // 8)
        made = ReadObject(self._bootstrap[STRING])
        made.text = text
        made.fields = string_fields(text)
        return made

    def literal(self, text: str) -> ReadObject:
        """The constant string of a text."""
        known = self._literals.get(text)
        if known is None:
            known = self._literals[text] = self.new_string(text)
        return known

    def text(self, found: Slot) -> str:
        """The characters of a string."""
        if not isinstance(found, ReadObject):
            raise ThrownError("java/lang/NullPointerException", "the string is null")
        return self._characters(found)

    def text_if_string(self, found: Slot) -> str | None:
        """The same; None for another object."""
        if not isinstance(found, ReadObject) or self.class_of(found).name != STRING:
            return None
        return self._characters(found)

    def _characters(self, found: ReadObject) -> str:
        if found.text is not None:
            return found.text
        if found.reference is not None:
            raise MissingError(lambda: self.heap.read_characters(found))
        text = None if found.fields is None else text_of_fields(found.fields)
        if text is None:
            raise UnreadableError("a string is used before it has its characters")
        return text

    def boxed(self, value: Slot, descriptor: str) -> ReadObject:
        """A new box of a number."""
        name = _BOXES[descriptor]
        made = blank(self.bootstrap(name))
        if made.fields is not None:
            made.fields[f"{name}.value"] = value
        return made

    # --- limits ----------------------------------------------------------------------------------

    def count_made(self, size: int) -> None:
        """NotReadError when the call has made too much."""
        self._made += size
        if self._made > MOST_MADE:
            raise NotReadError(f"it makes more than {MOST_MADE:,} objects and elements")

    def count_steps(self, steps: int) -> None:
        """What a computed method takes, as instructions."""
        self.steps += steps
        if self.steps > MOST_STEPS:
            raise NotReadError(f"it takes more than {MOST_STEPS:,} instructions")


def _out_of_bounds(index: int, length: int) -> ThrownError:
    return ThrownError(
        "java/lang/ArrayIndexOutOfBoundsException",
        f"Index {index} out of bounds for length {length}",
    )
