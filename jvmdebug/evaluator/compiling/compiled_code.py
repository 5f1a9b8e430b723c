# SPDX-License-Identifier: Apache-2.0
"""A text compiled for one location: compile and define it once, invoke it in many frames."""

from __future__ import annotations

import asyncio
import functools
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

from jvmdebug.classfile.descriptors import package_name
from jvmdebug.errors import EvaluationError, JvmDebugError
from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.compiling import javac
from jvmdebug.evaluator.compiling.defining import define, makes_own_lambdas
from jvmdebug.evaluator.compiling.program_access import with_program_access
from jvmdebug.evaluator.compiling.program_classes import ProgramClasses
from jvmdebug.evaluator.compiling.result_shape import is_void
from jvmdebug.evaluator.compiling.rewriting import METHOD, Rewriter
from jvmdebug.evaluator.compiling.runtime import KIND_FIELD, NO_VALUE
from jvmdebug.evaluator.compiling.source import Source, parsed
from jvmdebug.evaluator.errors import RefusedByCompilerError
from jvmdebug.evaluator.parse.syntax import Span
from jvmdebug.evaluator.reading.reader import CompiledClass
from jvmdebug.evaluator.run.exceptions import EVALUATED_CLASS
from jvmdebug.evaluator.run.values import unboxed
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.types import ArrayType, ClassType, PrimitiveType, ValueType
from jvmdebug.javac.tasks import Compilers
from jvmdebug.model.debuggee_exception import DebuggeeException
from jvmdebug.model.primitives import PrimitiveKind
from jvmdebug.model.values import (
    NULL,
    VOID,
    ArrayReference,
    ClassObjectReference,
    ObjectReference,
    StringReference,
    UnavailableValue,
    Value,
)

if TYPE_CHECKING:
    from jvmdebug.evaluator.bind.binder import Binder
    from jvmdebug.evaluator.run.interpreter import Run, RunValue
    from jvmdebug.model.field import Field
    from jvmdebug.model.method import Method
    from jvmdebug.model.reference_type import ReferenceType

Compile: TypeAlias = Callable[[javac.Unit], Awaitable[dict[str, bytes]]]

_NO_RESULT: Final = "no suitable method found for $result"
_OWN_CLASS: Final = rf"(?:[\w.]+\.)?{re.escape(EVALUATED_CLASS)}[0-9a-f]+"
_OWN_METHOD: Final = re.compile(rf"method (?:<.*>)?{re.escape(METHOD)}\(.*\)")
_OWN_LOCATION: Final = re.compile(rf"location: class {_OWN_CLASS}$")
_OWN_NAME: Final = re.compile(
    rf"(?P<anonymous><anonymous {_OWN_CLASS}\$\d+>)|{_OWN_CLASS}(?:\$\d*(?P<local>[^\W\d]\w*))?"
)
_QUALIFIED: Final = re.compile(r"(?<![\w$.])(?:[a-z_]\w*\.)+[A-Z]\w*")
_MOST_ROUNDS: Final = 20
_NO_ACCESS: Final = "java.lang.IllegalAccessError"
_HIDDEN_TYPE: Final = (
    "the VM refuses this code a class of another package that is not public: use it outside of "
    "lambdas and anonymous classes"
)
_OTHER_MODULE: Final = "package exists in another module"
_BOXES: Final = frozenset(types.boxed(each) for each in types.PRIMITIVES.values())
_VOID: Final = "'void' type not allowed here"


@dataclass(frozen=True, slots=True)
class _Defined:
    """The class in the debuggee; its pinned class object `holder` keeps it alive."""

    source: Source
    type: ReferenceType
    method: Method
    kind: Field
    holder: ClassObjectReference
    extra_types: Mapping[str, ValueType]
    """Those that the source takes, in its order."""


class CompiledCode:
    """One text at one location, with one set of extra variables."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._defined: _Defined | None = None
        self._kind: str | None = None
        self._seen: ValueType | None = None
        """The type of a value that is an object, if other code can know it: see `as_call`."""
        self._readable: tuple[Source, CompiledClass] | None = None
        """What is computed where only reading is allowed."""
        self._compiling = asyncio.Lock()

    async def run(self, run: Run, binder: Binder) -> Value:
        """The value in the frame of the run. Compiles the first time.

        Raises EvaluationError with the column when the compiler rejects the text, or when there is
        no compiler; DebuggeeException when the code throws.
        """
        run.pins_results = True
        if run.is_read_only:
            return await run.result(await self._read(run, binder))
        with run.deadline.stopped():  # while it is compiled for another thread
            await self._compiling.acquire()
        try:
            defined = self._defined
            if defined is None:
                defined = self._defined = await self._define(run, binder)
        finally:
            self._compiling.release()
        return await self._invoke(run, defined)

    async def _read(self, run: Run, binder: Binder) -> RunValue:
        """The value, computed by reading: the code is compiled, and not defined in the VM."""
        span = Span(0, len(self._text))
        if self._readable is None:
            name, source, files, _ = await self._compile(run, binder, own_lambdas=False)
            if source.assigned:
                binder.refuse_effect("an assignment", span)
            internal, home = name.replace(".", "/"), run.frame.location.type
            self._readable = (
                source,
                CompiledClass(internal, files, METHOD, KIND_FIELD, home, self._text),
            )
        source, compiled = self._readable
        arguments: list[RunValue] = [*await self._of_frame(run, source)]
        arguments += [run.extra[name] for name in source.extra]
        letter, value = await run.reader.compiled_call(compiled, [*arguments, NULL], span)
        return VOID if letter == NO_VALUE else value

    def as_call(self) -> bound.CompiledCall | None:
        """How other code of the frame's class may call it.

        None before it has run once, where it assigns variables of the frame, where an extra
        variable is none of a primitive type, and where its value is an object other than a string
        or a box. Its type is that of the first value: javac does not tell what it is declared as.
        The call of one that gives another later throws a ClassCastException.
        """
        defined, kind = self._defined, self._kind
        if defined is None or kind in {None, NO_VALUE} or defined.source.assigned:
            return None
        type_ = self._seen if kind == "L" else types.boxed(PrimitiveType(PrimitiveKind(kind)))
        if type_ is None:
            return None
        if not all(isinstance(each, PrimitiveType) for each in defined.extra_types.values()):
            return None
        source = defined.source
        span = Span(0, len(self._text))
        this = (bound.This(span, types.OBJECT),) if source.has_this else ()
        frame = (bound.FrameLocal(span, each.type, each.variable) for each in source.locals)
        extra = (
            bound.ExtraVariable(span, type_, name) for name, type_ in defined.extra_types.items()
        )
        return bound.CompiledCall(span, type_, defined.method, (*this, *frame, *extra))

    @property
    def has_run(self) -> bool:
        """Whether it is compiled, and has had a value: whether `as_call` is final."""
        return self._defined is not None and self._kind is not None

    async def release(self) -> None:
        """Let the debuggee unload the class. The connection may be lost."""
        defined, self._defined = self._defined, None
        if defined is not None:
            try:
                await defined.holder.enable_collection()
            except JvmDebugError:
                return  # the VM has ended

    # --- compiling -------------------------------------------------------------------------------

    async def _define(self, run: Run, binder: Binder) -> _Defined:
        release = run.vm.version.feature_release
        own_lambdas = makes_own_lambdas(release)
        name, source, class_files, program = await self._compile(
            run, binder, own_lambdas=own_lambdas
        )
        class_files, accessors = await with_program_access(program, name, class_files, release)
        type_ = await define(run, name, class_files, accessors)
        holder = await type_.class_object()
        await holder.disable_collection()
        method = next(each for each in await type_.methods() if each.name == METHOD)
        kind = next(each for each in await type_.fields() if each.name == KIND_FIELD)
        extra_types = {each: binder.scope.extra[each] for each in source.extra}
        return _Defined(source, type_, method, kind, holder, extra_types)

    async def _compile(
        self, run: Run, binder: Binder, *, own_lambdas: bool
    ) -> tuple[str, Source, dict[str, bytes], ProgramClasses]:
        """The name of the class with the code, its source, all class files, and what they use."""
        release = run.vm.version.feature_release
        jdk = await asyncio.to_thread(javac.find_compiler, release)
        package = package_name(binder.scope.declaring_type)
        simple = f"{EVALUATED_CLASS}{secrets.token_hex(4)}"
        name = f"{package}.{simple}" if package else simple
        program = ProgramClasses(run)
        compile_class = functools.partial(
            javac.compile_class,
            run.vm.companion(Compilers).of(jdk),
            jdk,
            class_path=await program.class_path(),
            release=release,
            classes=program,
        )
        rewriter = functools.partial(Rewriter, self._text, binder, own_lambdas=own_lambdas)
        wrapped, root, _ = parsed(self._text)
        await _load_qualified(self._text, binder)
        shapes = (False,) if await is_void(wrapped, root, binder) else (True, False)
        compile_ = functools.partial(_compile, program, compile_class)
        with run.deadline.stopped():  # on a busy machine javac takes seconds to start
            source, class_files = await _compiled(name, shapes, rewriter, compile_)
        return name, source, class_files, program

    # --- running ---------------------------------------------------------------------------------

    async def _invoke(self, run: Run, defined: _Defined) -> Value:
        source = defined.source
        arguments = await self._of_frame(run, source)
        arguments += [await run.materialize(run.extra[name]) for name in source.extra]
        out = await _object_array(run, len(source.assigned))
        arguments.append(NULL if out is None else out)
        try:
            result = await run.invoked(
                defined.type.invoke(
                    defined.method, arguments, run.frame.thread, timeout_s=run.remaining_s()
                )
            )
        except DebuggeeException as error:
            await _write_back(run, source, out)
            thrown = (await error.exception.type()).name
            if thrown == _NO_ACCESS:
                raise EvaluationError(_HIDDEN_TYPE, 0) from error
            raise DebuggeeException(
                f"the evaluated code threw {thrown}", error.exception
            ) from error
        await _write_back(run, source, out)
        return await self._typed(run, defined, result)

    async def _of_frame(self, run: Run, source: Source) -> list[Value]:
        """The arguments that come from the frame: `this` and the variables."""
        arguments: list[Value] = []
        if source.has_this:
            this = await run.frame.this_object()
            if this is None:
                raise EvaluationError("there is no this in this frame")
            arguments.append(this)
        values = await run.frame.values([each.variable for each in source.locals])
        for local, value in zip(source.locals, values, strict=True):
            if isinstance(value, UnavailableValue):
                raise EvaluationError(f"{local.variable.name} is {value.reason}")
            arguments.append(value)
        return arguments

    async def _typed(self, run: Run, defined: _Defined, result: Value) -> Value:
        """The result by its static type: primitive values are returned boxed."""
        (kind,) = await defined.type.static_values([defined.kind])
        letter = await kind.as_text() if isinstance(kind, StringReference) else NO_VALUE
        if letter == "L" and self._kind is None:
            if result == NULL:
                return result  # of what type is not known yet
            self._seen = await _known_type(result)
        self._kind = letter
        if letter == NO_VALUE:
            return VOID
        if letter == "L" or not isinstance(result, ObjectReference):
            return result
        primitive = PrimitiveType(PrimitiveKind(letter))
        return await unboxed(run, result, primitive, Span(0, len(self._text)))


async def _known_type(value: Value) -> ValueType | None:
    """The type of a string or a box."""
    if isinstance(value, StringReference):
        return types.STRING
    if isinstance(value, ObjectReference):
        found = ClassType((await value.type()).name)
        return found if found in _BOXES else None
    return None


async def _compiled(
    name: str,
    shapes: tuple[bool, ...],
    rewriter: Callable[..., Rewriter],
    compile_class: Compile,
) -> tuple[Source, dict[str, bytes]]:
    """The source and its class files. `shapes` are the variants to try: returning the value of the
    text (True), and without value, for void (False).
    """
    for gives_value in shapes:
        rejected: EvaluationError | None = None
        variant = 0
        while True:
            made = rewriter(gives_value=gives_value, variant=variant)
            source = await made.source(name)
            try:
                return source, await compile_class(javac.Unit(name, source.text))
            except javac.CompilationError as error:
                is_void = any(_VOID in each.message for each in error.diagnostics)
                if gives_value and is_void:
                    break
                rejected = rejected or _located(source, error)
                variant += 1
                if variant == source.variants:
                    raise rejected from error
    raise ValueError("no variants to try")


async def _compile(
    program: ProgramClasses, compile_class: Compile, unit: javac.Unit
) -> dict[str, bytes]:
    """Compile; again when classes that are not loaded were missing and the program has them, and
    when the compiler refused what the evaluator may use.
    """
    for _ in range(_MOST_ROUNDS):
        try:
            return await compile_class(unit)
        except javac.CompilationError as error:
            found = await program.find(error.diagnostics)
            if not found and not program.offer_more(error.diagnostics):
                raise
    return await compile_class(unit)


async def _load_qualified(text: str, binder: Binder) -> None:
    """Load the classes that the text names in full: the compiler is given the loaded ones."""
    for name in dict.fromkeys(_QUALIFIED.findall(text)):
        await binder.type_names.qualified(name, load=True)


def _located(source: Source, error: javac.CompilationError) -> EvaluationError:
    """The first error of the compiler, at its column in the user's text."""
    if not error.diagnostics:
        return EvaluationError("the compiler crashes on this text: rephrase it", 0)
    first = error.diagnostics[0]
    if _OTHER_MODULE in first.message:
        return EvaluationError(
            "lambdas and other code that is compiled cannot be evaluated in a frame of a module "
            f"({first.message.rpartition(' ')[2]}): evaluate it in a frame of the program",
            0,
        )
    column = source.original_column(first.line, first.column)
    if _NO_RESULT in first.message:
        return EvaluationError(
            "a lambda or method reference alone has no type: cast it to an interface, as in "
            "(Runnable) () -> { }, or pass it to a method",
            0 if column is None else column,
        )
    shown = [part for part in first.message.split("; ") if not _OWN_LOCATION.match(part)]
    message = _OWN_NAME.sub(_shown_name, _OWN_METHOD.sub("this method", "; ".join(shown)))
    return RefusedByCompilerError(f"the compiler says: {message}", 0 if column is None else column)


def _shown_name(name: re.Match[str]) -> str:
    """What to call the generated class, and the classes in it, in messages."""
    if name["anonymous"]:
        return "the anonymous class"
    return name["local"] or "the evaluated code"


async def _object_array(run: Run, length: int) -> ArrayReference | None:
    if not length:
        return None
    array_class = await run.source.array_class(ArrayType(types.OBJECT))
    array = await run.pin(await array_class.new_instance(length))
    if not isinstance(array, ArrayReference):
        raise TypeError("a new array is an array")
    return array


async def _write_back(run: Run, source: Source, out: ArrayReference | None) -> None:
    """Store the variables that the code assigned into the frame.

    Call only after the code has completed: it fills `out` at its end.
    """
    if out is None:
        return
    for local, value in zip(source.assigned, await out.get(), strict=True):
        stored = value
        if isinstance(local.type, PrimitiveType) and isinstance(value, ObjectReference):
            stored = await unboxed(run, value, local.type, Span(0, 0))
        await run.frame.set_value(local.variable, stored)
