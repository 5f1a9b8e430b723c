# SPDX-License-Identifier: Apache-2.0
"""Running names, members and conversions, which read the debuggee."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jvmdebug.classfile.descriptors import descriptor_of
from jvmdebug.errors import EvaluationError, InvalidIndexError, InvalidLengthError
from jvmdebug.evaluator.bind import arithmetic, bound
from jvmdebug.evaluator.bind.scope import runtime_type
from jvmdebug.evaluator.reading.arrays import ReadArray
from jvmdebug.evaluator.reading.objects import ReadObject
from jvmdebug.evaluator.run import namesakes
from jvmdebug.evaluator.run.exceptions import JavaThrowsError
from jvmdebug.evaluator.run.interpreter import MadeObject, NewString, Run, RunValue
from jvmdebug.evaluator.symbols import signatures, types
from jvmdebug.evaluator.symbols.types import (
    ArrayType,
    ClassType,
    PrimitiveType,
    ReferenceType,
    ValueType,
)
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.values import NULL, ArrayReference, NullValue, ObjectReference, Value

if TYPE_CHECKING:
    from jvmdebug.evaluator.parse.syntax import Span
    from jvmdebug.evaluator.symbols.declarations import FieldDeclaration, MethodDeclaration
    from jvmdebug.model.field import Field
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType as LoadedType


async def constant(_run: Run, node: bound.Constant) -> RunValue:
    if isinstance(node.value, str):
        return NewString(node.value, is_constant=True)
    if not isinstance(node.type, PrimitiveType):
        raise TypeError(f"a constant of type {node.type}")
    return PrimitiveValue(node.type.kind, node.value)


async def named_constant(run: Run, node: bound.NamedConstant) -> RunValue:
    if isinstance(node.value, str) and isinstance(node.variable, bound.StaticField):
        # Set when the class was loaded: reading it initializes nothing (JLS 12.4.1).
        field = origin_field(node.variable.field)
        return (await field.declaring_type.static_values([field]))[0]
    return await constant(run, node)


async def null(_run: Run, _node: bound.NullConstant) -> RunValue:
    return NULL


async def local(run: Run, node: bound.FrameLocal) -> RunValue:
    return run.local(node)


async def declared_local(run: Run, node: bound.DeclaredLocal) -> RunValue:
    return run.declared_local(node)


async def extra_variable(run: Run, node: bound.ExtraVariable) -> RunValue:
    return run.extra[node.name]


async def temporary(run: Run, node: bound.Temporary) -> RunValue:
    return run.temporaries[node]


async def this(run: Run, node: bound.This) -> RunValue:
    found = await run.frame.this_object()
    if found is None:
        raise EvaluationError("there is no this in this frame", node.span.column)
    return found


async def class_object(run: Run, node: bound.ClassObject) -> RunValue:
    match node.of:
        case ArrayType():
            return await (await run.source.array_class(node.of)).class_object()
        case ClassType(name=name):
            return await (await declared(run, name, node.span)).class_object()
        case _:
            # int.class is Integer.TYPE, void.class is Void.TYPE
            box = "java.lang.Void"
            if isinstance(node.of, PrimitiveType):
                box = types.boxed(node.of).name
            declaration = await run.source.load(box)
            field = None if declaration is None else declaration.field("TYPE")
            if field is None:
                raise EvaluationError(f"the class {box} is not loaded", node.span.column)
            return await read_static(run, field)


async def declared(run: Run, name: str, span: Span) -> LoadedType:
    """The loaded class of that name."""
    declaration = await run.source.load(name)
    if declaration is None or declaration.origin is None:
        raise EvaluationError(f"the class {name} is not loaded", span.column)
    return declaration.origin


# --- fields and elements --------------------------------------------------------------------------


async def static_field(run: Run, node: bound.StaticField) -> RunValue:
    if node.target is not None:
        await run.value(node.target)
    return await read_static(run, node.field)


async def read_static(run: Run, declaration: FieldDeclaration) -> Value:
    """Initializes the class first, as Java does; a read-only evaluation does not."""
    field = origin_field(declaration)
    type_ = field.declaring_type
    if not run.is_read_only:
        await run.source.initialize(type_)
    return (await type_.static_values([field]))[0]


async def instance_field(run: Run, node: bound.InstanceField) -> RunValue:
    field = origin_field(node.field)
    found = await run.value(node.target)
    if isinstance(found, MadeObject):
        owner = field.declaring_type.name
        return await run.reader.field(found, owner, field.name, field.signature)
    target = await run.object_of(found, node.target, f"read the field {node.field.name}")
    await namesakes.check_target(run, field.declaring_type, target, node.target.span)
    return (await target.get_values([field]))[0]


async def array_length(run: Run, node: bound.ArrayLength) -> RunValue:
    found = await run.value(node.array)
    if isinstance(found, MadeObject) and isinstance(found.found, ReadArray):
        return PrimitiveValue(PrimitiveKind.INT, found.found.length)
    array = checked_array(found, node, "read the length")
    return PrimitiveValue(PrimitiveKind.INT, await array.length())


async def element(run: Run, node: bound.Element) -> RunValue:
    array = await run.value(node.array)
    index = await run.integer(node.index)
    if isinstance(array, MadeObject):
        return await run.reader.element(array, index, node.span)
    return await read_element(checked_array(array, node, "read an element"), index, node)


def checked_array(found: RunValue, node: bound.Bound, purpose: str) -> ArrayReference:
    if isinstance(found, NullValue):
        raise JavaThrowsError(
            "java.lang.NullPointerException", f"cannot {purpose}: the array is null", node.span
        )
    if not isinstance(found, ArrayReference):
        raise EvaluationError(f"expected an array, the VM gave {found}", node.span.column)
    return found


async def read_element(array: ArrayReference, index: int, node: bound.Element) -> Value:
    try:
        if index >= 0:
            return (await array.get(index, 1))[0]
    except (InvalidIndexError, InvalidLengthError):
        pass  # raised below, with the message of Java
    raise out_of_bounds(index, await array.length(), node.index.span)


def out_of_bounds(index: int, length: int, span: Span) -> JavaThrowsError:
    return JavaThrowsError(
        "java.lang.ArrayIndexOutOfBoundsException",
        f"index {index} out of bounds for length {length}",
        span,
    )


def origin_field(declaration: FieldDeclaration) -> Field:
    if declaration.origin is None:
        raise EvaluationError(f"{declaration.name} has no field in the VM")
    return declaration.origin


def origin_method(declaration: MethodDeclaration) -> Method:
    if declaration.origin is None:
        raise EvaluationError(f"{declaration} has no method in the VM")
    return declaration.origin


# --- conversions ----------------------------------------------------------------------------------


async def primitive_conversion(run: Run, node: bound.PrimitiveConversion) -> RunValue:
    return arithmetic.convert(await run.primitive(node.operand), node.to.kind)


async def unboxing(run: Run, node: bound.Unboxing) -> RunValue:
    found = await run.value(node.operand)
    if isinstance(found, MadeObject):
        value = await run.reader.unboxed(found)
        if value is not None:
            return value
    box = await run.object_of(found, node.operand, f"unbox to {node.to}")
    return await unboxed(run, box, node.to, node.span)


async def unboxed(
    run: Run, box: ObjectReference, primitive: PrimitiveType, span: Span
) -> PrimitiveValue:
    """Reads the field `value`, which boxes have in every JDK, instead of invoking a method."""
    declaration = await run.source.load(types.boxed(primitive).name)
    field = None if declaration is None else declaration.field("value")
    if field is None:
        raise EvaluationError(f"{types.boxed(primitive)} has no field value", span.column)
    found = (await box.get_values([origin_field(field)]))[0]
    if not isinstance(found, PrimitiveValue):
        raise EvaluationError(f"expected {primitive}, the VM gave {found}", span.column)
    return found


async def boxing(run: Run, node: bound.Boxing) -> RunValue:
    operand = await run.primitive(node.operand)
    box = types.boxed(node.of)
    declaration = await run.source.load(box.name)
    descriptor = f"({node.of.descriptor}){box.descriptor}"
    for method in () if declaration is None else declaration.methods:
        if method.name == "valueOf" and method.descriptor == descriptor:
            if run.is_read_only:
                return await run.reader.static_call(method, [operand], node.span)
            origin = origin_method(method)
            return await run.invoked(
                origin.declaring_type.invoke(
                    origin, [operand], run.frame.thread, timeout_s=run.remaining_s()
                )
            )
    raise EvaluationError(f"{box} has no valueOf({node.of})", node.span.column)


async def reference_cast(run: Run, node: bound.ReferenceCast) -> RunValue:
    value = await run.value(node.operand)
    for check in node.checks:
        if not isinstance(value, NullValue) and not await is_instance(run, value, check):
            actual = await class_name(value)
            why = (
                f": another class loader has loaded that {check}"
                if await _has_namesake(value, check)
                else ""
            )
            raise JavaThrowsError(
                "java.lang.ClassCastException",
                f"class {actual} cannot be cast to class {check}{why}",
                node.span,
            )
    return value


async def instance_test(run: Run, node: bound.InstanceTest) -> RunValue:
    value = await run.value(node.operand)
    is_one = not isinstance(value, NullValue) and await is_instance(run, value, node.tested)
    return PrimitiveValue(PrimitiveKind.BOOLEAN, is_one)


async def is_instance(run: Run, value: RunValue, tested: ReferenceType) -> bool:
    """Whether an object is an instance of a class, by its run-time type."""
    erased = types.erased_reference(tested)
    if isinstance(value, NewString):
        return await run.hierarchy.is_subtype(types.STRING, erased)
    if isinstance(value, MadeObject):
        if isinstance(erased, ClassType) and isinstance(value.found, ReadObject):
            return erased.name in value.class_names
        own = signatures.value_type(descriptor_of(value.class_name))
        return await run.hierarchy.is_subtype(own, erased)
    if not isinstance(value, ObjectReference):
        return False
    actual = await value.type()
    if isinstance(erased, ClassType) and not isinstance(value, ArrayReference):
        return erased == types.OBJECT or await _is_subtype(run, actual, erased)
    found = signatures.value_type(actual.signature)
    return await run.hierarchy.is_subtype(found, erased)


async def _is_subtype(run: Run, actual: LoadedType, tested: ClassType) -> bool:
    """Compares names; not a namesake that another class loader has loaded."""
    if not await actual.is_subtype_of(tested.name):
        return False
    declaration = await run.source.declaration(tested.name)
    if declaration is None or declaration.origin is None or run.source.is_ambiguous(tested.name):
        return True
    return declaration.origin == actual or declaration.origin in await actual.supertypes()


async def _has_namesake(value: RunValue, tested: ReferenceType) -> bool:
    return (
        isinstance(value, ObjectReference)
        and isinstance(tested, ClassType)
        and await (await value.type()).is_subtype_of(tested.name)
    )


async def run_time_type(value: RunValue) -> ValueType:
    """The type of a value by its class."""
    if isinstance(value, NewString):
        return types.STRING
    if isinstance(value, MadeObject):
        return signatures.value_type(descriptor_of(value.class_name))
    return await runtime_type(value)


async def class_name(value: RunValue) -> str:
    if isinstance(value, ObjectReference):
        return (await value.type()).name
    if isinstance(value, MadeObject):
        return value.class_name
    return "java.lang.String" if isinstance(value, NewString) else str(value)
