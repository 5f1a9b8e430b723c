# SPDX-License-Identifier: Apache-2.0
"""What methods of java.lang.Class, and of arrays by reflection, compute: see `natives`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jvmdebug.classfile.access import Access
from jvmdebug.classfile.descriptors import java_name
from jvmdebug.evaluator.reading.arrays import ReadArray, new_array
from jvmdebug.evaluator.reading.dynamic import LambdaCall
from jvmdebug.evaluator.reading.errors import ThrownError, UnreadableError
from jvmdebug.evaluator.reading.heap import blank
from jvmdebug.evaluator.reading.objects import OBJECT
from jvmdebug.model.primitives import PrimitiveKind

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping

    from jvmdebug.evaluator.reading.object_access import Objects
    from jvmdebug.evaluator.reading.read_class import ReadClass
    from jvmdebug.evaluator.reading.slots import Slot


def _get_class(objects: Objects, arguments: list[Slot]) -> Slot:
    (found,) = arguments
    if isinstance(found, ReadArray):
        objects.length(found)
        return objects.mirror(found.descriptor)
    return objects.mirror(objects.class_of(found))


def _class(objects: Objects, arguments: list[Slot], method: str) -> ReadClass:
    found = objects.mirrored(arguments[0])
    if isinstance(found, str):
        raise UnreadableError(f"java.lang.Class.{method}() of an array or primitive type is native")
    return found


def _name(objects: Objects, arguments: list[Slot]) -> Slot:
    found = objects.mirrored(arguments[0])
    if isinstance(found, str):
        shown = found.replace("/", ".") if found.startswith("[") else java_name(found)
        return objects.new_string(shown)
    return objects.new_string(found.java_name)


def _simple_name(objects: Objects, arguments: list[Slot]) -> Slot:
    """The simple name; a `$` in the name of a class is taken for that of a nested one."""
    found = objects.mirrored(arguments[0])
    name = java_name(found) if isinstance(found, str) else found.java_name
    simple = name.rpartition(".")[2]
    if "/" in simple or simple.endswith("$"):
        raise UnreadableError("java.lang.Class.getSimpleName() reads the class file")
    return objects.new_string(simple.rpartition("$")[2].lstrip("0123456789"))


def _is_instance(objects: Objects, arguments: list[Slot]) -> Slot:
    wanted, found = objects.mirrored(arguments[0]), arguments[1]
    if found is None:
        return 0
    if isinstance(wanted, str):
        return int(wanted.startswith("[") and objects.is_array_of(found, wanted))
    if isinstance(found, ReadArray):
        return int(wanted.name == OBJECT)
    return int(wanted in objects.class_of(found).supers)


def _is_assignable(objects: Objects, arguments: list[Slot]) -> Slot:
    wanted = _class(objects, arguments, "isAssignableFrom")
    return int(wanted in _class(objects, arguments[1:], "isAssignableFrom").supers)


def _superclass(objects: Objects, arguments: list[Slot]) -> Slot:
    above = _class(objects, arguments, "getSuperclass").superclass
    return None if above is None else objects.mirror(above)


def _is_array(objects: Objects, arguments: list[Slot]) -> Slot:
    found = objects.mirrored(arguments[0])
    return int(isinstance(found, str) and found.startswith("["))


def _is_primitive(objects: Objects, arguments: list[Slot]) -> Slot:
    found = objects.mirrored(arguments[0])
    return int(isinstance(found, str) and not found.startswith("["))


def _is_interface(objects: Objects, arguments: list[Slot]) -> Slot:
    found = objects.mirrored(arguments[0])
    return int(not isinstance(found, str) and found.is_interface)


def _is_record(objects: Objects, arguments: list[Slot]) -> Slot:
    found = objects.mirrored(arguments[0])
    above = None if isinstance(found, str) else found.superclass
    return int(above is not None and above.name == "java/lang/Record")


def _is_enum(objects: Objects, arguments: list[Slot]) -> Slot:
    found = objects.mirrored(arguments[0])
    above = None if isinstance(found, str) else found.superclass
    is_marked = not isinstance(found, str) and found.modifiers & Access.ENUM
    return int(bool(is_marked) and above is not None and above.name == "java/lang/Enum")


def _enum_constants(objects: Objects, arguments: list[Slot]) -> Generator[Any, Any, Slot]:
    """Return those of the enum, from its method values(); null for another class."""
    of = yield lambda: objects.mirrored(arguments[0])
    code = None if isinstance(of, str) else of.methods.get(("values", f"()[L{of.name};"))
    if code is None:
        return None
    yield lambda: objects.require_initialized(of)
    return (yield LambdaCall(code, []))


def _primitive_class(objects: Objects, arguments: list[Slot]) -> Slot:
    """Return that of a name such as `long`; called where a box's class is initialized."""
    name = objects.text(arguments[0])
    kinds = [each for each in PrimitiveKind if each.java_name == name]
    made = blank(objects.bootstrap("java/lang/Class"))
    made.mirrored = kinds[0].value if kinds else "V"
    return made


def _for_name(objects: Objects, arguments: list[Slot]) -> Generator[Any, Any, Slot]:
    """A class of the JDK by its name, initialized for the evaluation; others are looked up by
    native code.
    """
    name, initializes, loader = arguments[:3]
    if loader is not None:
        raise UnreadableError("java.lang.Class.forName() of a class of the program is native")
    text = yield lambda: objects.text(name)
    of = yield lambda: objects.bootstrap(text.replace(".", "/"))
    if initializes:
        yield lambda: objects.require_initialized(of)
    return (yield lambda: objects.mirror(of))


def _no_assertions(_objects: Objects, _arguments: list[Slot]) -> Slot:
    return 0


def _component(objects: Objects, arguments: list[Slot]) -> Slot:
    found = objects.mirrored(arguments[0])
    if not isinstance(found, str) or not found.startswith("["):
        return None
    component = found[1:]
    if component.startswith("L"):
        home = objects.bootstrap(OBJECT)
        return objects.mirror(objects.resolve(home, component[1:-1]))
    return objects.mirror(component)


def _new_array(objects: Objects, arguments: list[Slot]) -> Slot:
    of, length = arguments
    found = objects.mirrored(of)
    if length < 0:
        raise ThrownError("java/lang/NegativeArraySizeException", str(length))
    objects.count_made(1 + length)
    if isinstance(found, str):
        return new_array(f"[{found}", length)
    return new_array(f"[L{found.name};", length)


def _length(objects: Objects, arguments: list[Slot]) -> Slot:
    if not isinstance(arguments[0], ReadArray):
        raise ThrownError("java/lang/IllegalArgumentException", "Argument is not an array")
    return objects.length(arguments[0])


FUNCTIONS: Final[Mapping[str, Callable[[Objects, list[Slot]], Any]]] = {
    "java/lang/Object.getClass": _get_class,
    "java/lang/Class.getName": _name,
    "java/lang/Class.getSimpleName": _simple_name,
    "java/lang/Class.isInstance": _is_instance,
    "java/lang/Class.isAssignableFrom": _is_assignable,
    "java/lang/Class.getSuperclass": _superclass,
    "java/lang/Class.isArray": _is_array,
    "java/lang/Class.isPrimitive": _is_primitive,
    "java/lang/Class.isInterface": _is_interface,
    "java/lang/Class.isRecord": _is_record,
    "java/lang/Class.isEnum": _is_enum,
    "java/lang/Class.getComponentType": _component,
    "java/lang/Class.componentType": _component,
    "java/lang/Class.forName0": _for_name,
    "java/lang/Class.getPrimitiveClass": _primitive_class,
    "java/lang/Class.getEnumConstantsShared": _enum_constants,
    "java/lang/Class.desiredAssertionStatus": _no_assertions,
    "java/lang/reflect/Array.newArray": _new_array,
    "java/lang/reflect/Array.newInstance": _new_array,
    "java/lang/reflect/Array.getLength": _length,
}
