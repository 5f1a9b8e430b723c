# SPDX-License-Identifier: Apache-2.0
"""Defining class files as classes in the debuggee.

The class with the code is a hidden nest mate of the frame's class (JDK 15 and newer): it may use
private members and is unloaded when it is no longer referenced. On older JDKs it is an ordinary
class of the same package, without private access. So are its helper classes on all JDKs, since the
code refers to them by name, and the class with the accessors for what they may not use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.compiling.lambda_classes import with_own_metafactory
from jvmdebug.evaluator.run.calls import invoke_virtual
from jvmdebug.evaluator.run.values import origin_method
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.primitives import PrimitiveKind, PrimitiveValue
from jvmdebug.model.values import (
    NULL,
    ArrayReference,
    ClassObjectReference,
    ObjectReference,
    Value,
)

if TYPE_CHECKING:
    from jvmdebug.evaluator.compiling.accessors import Accessors, Use
    from jvmdebug.evaluator.run.interpreter import Run
    from jvmdebug.evaluator.symbols.declarations import TypeDeclaration
    from jvmdebug.model.reference_type import ReferenceType

HIDDEN_CLASSES_SINCE: Final = 15
LAMBDAS_IN_HIDDEN_CLASSES_SINCE: Final = 25
_LOOKUP: Final = "java.lang.invoke.MethodHandles$Lookup"
_OPTION: Final = f"{_LOOKUP}$ClassOption"
_LOOKUP_TYPE: Final = "Ljava/lang/invoke/MethodHandles$Lookup;"
_GET_BYTES: Final = "(Ljava/nio/charset/Charset;)[B"
_METHOD_TYPE: Final = "java.lang.invoke.MethodType"
_DEFINE_HIDDEN: Final = f"([BZ[L{_OPTION.replace('.', '/')};){_LOOKUP_TYPE}"


def makes_own_lambdas(release: int) -> bool:
    """Whether the platform's LambdaMetafactory does not support hidden classes."""
    return HIDDEN_CLASSES_SINCE <= release < LAMBDAS_IN_HIDDEN_CLASSES_SINCE


async def define(
    run: Run, name: str, class_files: dict[str, bytes], accessors: Accessors
) -> ReferenceType:
    """Define `name` in the package of the frame's class; the other class files are its helpers."""
    try:
        if accessors.uses:
            await _define_accessors(run, accessors)
        return await _define(run, name, class_files)
    except DebuggeeException as error:
        thrown = (await error.exception.type()).name
        raise EvaluationError(
            f"the debuggee rejects the compiled code: {thrown} in class {name}"
        ) from error


async def _define(run: Run, name: str, class_files: dict[str, bytes]) -> ReferenceType:
    lookup = await _lookup(run)
    for other in sorted(set(class_files) - {name}):
        await _define_named(run, lookup, class_files[other])
    release = run.vm.version.feature_release
    if release < HIDDEN_CLASSES_SINCE:
        await _define_named(run, lookup, class_files[name])
        # Such a class is linked when it is first used, or looked up by name.
        declaration = await run.source.load(name)
        if declaration is None:
            raise EvaluationError(f"the debuggee does not find the compiled class {name}")
        return _origin(declaration)
    code = class_files[name]
    if makes_own_lambdas(release):
        code = with_own_metafactory(code)
    content = await _byte_array(run, code)
    made = await invoke_virtual(
        run,
        lookup,
        _LOOKUP,
        "defineHiddenClass",
        _DEFINE_HIDDEN,
        content,
        PrimitiveValue(PrimitiveKind.BOOLEAN, value=True),
        await _nest_mate(run),
    )
    if not isinstance(made, ObjectReference):
        raise EvaluationError("the debuggee gave no class for the compiled code")
    class_object = await invoke_virtual(run, made, _LOOKUP, "lookupClass", "()Ljava/lang/Class;")
    return await _type(class_object)


async def _define_named(run: Run, lookup: ObjectReference, content: bytes) -> Value:
    array = await _byte_array(run, content)
    return await invoke_virtual(run, lookup, _LOOKUP, "defineClass", "([B)Ljava/lang/Class;", array)


async def _define_accessors(run: Run, accessors: Accessors) -> None:
    """Define the class, and give it a handle for each member, from the lookup that may use all."""
    lookup = await _lookup(run)
    made = await _define_named(run, lookup, accessors.class_file())
    type_ = await _type(made)
    await run.source.initialize(type_)
    fields = {each.name: each for each in await type_.fields()}
    trusted = await _static(run, _LOOKUP, "IMPL_LOOKUP")
    for use, number in accessors.uses.items():
        handle = await _handle(run, trusted, use)
        await type_.set_static_value(fields[f"h{number}"], handle)


async def _handle(run: Run, trusted: ObjectReference, use: Use) -> Value:
    owner = await run.source.load(use.owner.replace("/", "."))
    if owner is None:
        raise EvaluationError(f"the class {use.owner} is not loaded")
    descriptor = f"(){use.descriptor}" if use.is_field else use.descriptor
    type_: Value = (method_type := await _method_type(run, descriptor))
    arguments: list[Value] = [await _origin(owner).class_object()]
    parameters = "Ljava/lang/Class;"
    if use.find != "findConstructor":
        arguments.append(await run.pin(await run.vm.create_string(use.name)))
        parameters += "Ljava/lang/String;"
    if use.is_field:
        # The type of a field is what a method without parameters returns.
        result = "()Ljava/lang/Class;"
        type_ = await invoke_virtual(run, method_type, _METHOD_TYPE, "returnType", result)
        parameters += "Ljava/lang/Class;"
    else:
        parameters += f"L{_METHOD_TYPE.replace('.', '/')};"
    find = f"({parameters})Ljava/lang/invoke/MethodHandle;"
    return await invoke_virtual(run, trusted, _LOOKUP, use.find, find, *arguments, type_)


async def _method_type(run: Run, descriptor: str) -> ObjectReference:
    text = await run.pin(await run.vm.create_string(descriptor))
    loader = await run.frame.location.type.class_loader() or NULL
    declaration = await run.source.load(_METHOD_TYPE)
    if declaration is None:
        raise EvaluationError(f"the VM has no {_METHOD_TYPE}")
    parse = next(each for each in declaration.methods if each.name == "fromMethodDescriptorString")
    made = await run.invoked(
        _origin(declaration).invoke(
            origin_method(parse), [text, loader], run.frame.thread, timeout_s=run.remaining_s()
        )
    )
    if not isinstance(made, ObjectReference):
        raise EvaluationError(f"the debuggee gave no type for {descriptor}")
    return made


async def _type(class_object: object) -> ReferenceType:
    if not isinstance(class_object, ClassObjectReference):
        raise EvaluationError("the debuggee gave no class for the compiled code")
    return await class_object.reflected_type()


async def _lookup(run: Run) -> ObjectReference:
    """A Lookup with full access to the frame's class, from a private field: Java code gets none."""
    trusted = await _static(run, _LOOKUP, "IMPL_LOOKUP")
    home = await run.frame.location.type.class_object()
    narrowed = await invoke_virtual(
        run, trusted, _LOOKUP, "in", f"(Ljava/lang/Class;){_LOOKUP_TYPE}", home
    )
    if not isinstance(narrowed, ObjectReference):
        raise EvaluationError("the debuggee gave no lookup for the frame's class")
    return narrowed


async def _nest_mate(run: Run) -> ArrayReference:
    option = await _static(run, _OPTION, "NESTMATE")
    array_class = await run.source.array_class(ArrayType(ClassType(_OPTION)))
    array = await run.pin(await array_class.new_instance(1))
    if not isinstance(array, ArrayReference):
        raise TypeError("a new array is an array")
    await array.set(0, [option])
    return array


async def _byte_array(run: Run, content: bytes) -> ObjectReference:
    """Sent as a string, which the debuggee encodes: faster than to set array elements."""
    charset = await _static(run, "java.nio.charset.StandardCharsets", "ISO_8859_1")
    text = await run.pin(await run.vm.create_string(content.decode("latin-1")))
    made = await invoke_virtual(run, text, "java.lang.String", "getBytes", _GET_BYTES, charset)
    if not isinstance(made, ArrayReference):
        raise EvaluationError("the debuggee made no bytes of the compiled code")
    return made


async def _static(run: Run, class_name: str, field_name: str) -> ObjectReference:
    declaration = await run.source.load(class_name)
    field = None if declaration is None else declaration.field(field_name)
    if declaration is None or field is None or field.origin is None:
        raise EvaluationError(f"this VM has no {class_name}.{field_name}")
    type_ = _origin(declaration)
    await run.source.initialize(type_)
    (value,) = await type_.static_values([field.origin])
    if not isinstance(value, ObjectReference):
        raise EvaluationError(f"{class_name}.{field_name} is not set in this VM")
    return value


def _origin(declaration: TypeDeclaration) -> ReferenceType:
    if declaration.origin is None:
        raise EvaluationError(f"{declaration.name} is not loaded")
    return declaration.origin
