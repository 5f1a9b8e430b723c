# SPDX-License-Identifier: Apache-2.0
"""Every expression that a check of the program's own may be compiled from has, as bytecode, the
value, the type and the exception that javac gave it.

The texts are those of test_differential, where the interpreter is compared. What cannot be compiled
is evaluated by the debugger, as it is in a condition, and has a reason.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import pytest

from jvmdebug import evaluator
from jvmdebug.classfile.writer import ClassWriter, CodeWriter
from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.expression import CompiledExpression
from jvmdebug.evaluator.symbols import types
from jvmdebug.evaluator.symbols.declarations import FieldDeclaration
from jvmdebug.evaluator.symbols.types import PrimitiveType
from jvmdebug.model.primitives import PrimitiveKind
from jvmdebug.model.reference_type import ClassType
from jvmdebug.model.values import NULL, ObjectReference, PrimitiveValue
from jvmdebug.probes.codegen.accessible import Home, names_of
from jvmdebug.probes.codegen.check import frame_arguments
from jvmdebug.probes.codegen.code import ExpressionCode, class_operand
from jvmdebug.probes.codegen.given import Given, GivenKind
from jvmdebug.probes.codegen.handles import write_given
from jvmdebug.probes.codegen.members import NotCompiledError, reaches, walk
from jvmdebug.probes.codegen.writers import WRITERS
from tests.e2e.evaluate.expected import difference, expectations, unboxed
from tests.e2e.evaluate.test_differential import CONSTRUCTS, CONTEXTS, EVERYDAY, PRECISE

if TYPE_CHECKING:
    from jvmdebug.evaluator.symbols.types import JavaType
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value
    from jvmdebug.probes.codegen.loads import FrameArguments
    from tests.e2e.evaluate.conftest import StartEvaluating

DEFINE: Final = (
    "java.lang.invoke.MethodHandles.Lookup.IMPL_LOOKUP.in($home)"
    ".defineClass($content.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1))"
)
_ARETURN, _RETURN, _ACONST_NULL = 176, 177, 1
_INVOKEVIRTUAL, _INVOKESTATIC, _CHECKCAST = 182, 184, 192
CORPORA: Final = {
    "evaluate": ("evaluate", "evaluate.Main", CONTEXTS, 0.8),
    "constructs": ("constructs", "constructs.Main", CONSTRUCTS, 0.8),
    "statements": ("statements", "statements.Main", ("flow", "switches", "patterns"), 0.0),
    "everyday": ("everyday", "everyday.Main", EVERYDAY, 0.8),
    "precise": ("precise", "precise.Main", PRECISE, 0.7),  # 144 of 195 are
}


@pytest.mark.agent
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "corpus",
    [pytest.param(each, marks=() if each == "evaluate" else pytest.mark.slow) for each in CORPORA],
)
async def test_compiled_expressions_have_the_values_of_javac(
    evaluating_with_ours: StartEvaluating, corpus: str
) -> None:
    topic, main, contexts, least_share = CORPORA[corpus]
    wrong: list[str] = []
    reasons: Counter[str] = Counter()
    compiled = 0
    async with evaluating_with_ours(topic, main) as program:
        for context in contexts:
            async for frame, text, kind, value in expectations(program, context):
                try:
                    check = await _compiled(frame, text, compiled)
                except (NotCompiledError, EvaluationError) as error:
                    reasons[str(error)] += 1
                    asked = evaluator.evaluate(frame, text, deadline_s=20.0)
                else:
                    asked = check.value(frame)
                    compiled += 1
                if found := await difference(frame, asked, kind, value):
                    wrong.append(f"[{context}] {text}: {found}")
    print(f"{corpus}: {compiled} compiled, {reasons.total()} not: {dict(reasons)}")
    assert not wrong, "\n".join(wrong)
    assert compiled >= least_share * (compiled + reasons.total()), reasons


@dataclass(frozen=True, slots=True)
class _Compiled:
    """A class with a static method that gives the value of an expression in a box."""

    name: str
    class_file: bytes
    arguments: FrameArguments
    type: JavaType
    given: tuple[Given, ...]

    async def value(self, frame: Frame) -> Value:
        """The value in a frame; DebuggeeException for what it throws."""
        vm = frame.thread.vm
        await evaluator.evaluate(
            frame,
            DEFINE,
            names={
                "$home": await frame.location.type.class_object(),
                "$content": await vm.create_string(self.class_file.decode("latin-1")),
            },
        )
        await _give(frame, self.given)
        home = await frame.location.type.class_object()
        initialized = (
            f'Class.forName("{self.name.replace("/", ".")}", true, $home.getClassLoader())'
        )
        await evaluator.evaluate(
            frame, initialized, names={"$home": home}
        )  # before it JDK 11 lists none
        (defined,) = await vm.classes_by_signature(f"L{self.name};")
        (method,) = [each for each in await defined.methods() if each.name == "c"]
        variables = {each.slot: each for each in await frame.variables()}
        slots = [each for each in self.arguments.locals if each >= 0]
        given = [
            _as_argument(each) for each in await frame.values([variables[each] for each in slots])
        ]
        if -1 in self.arguments.locals:
            this = await frame.this_object()
            given.insert(0, NULL if this is None else this)
        assert isinstance(defined, ClassType)
        found = await defined.invoke(method, given, frame.thread)
        if isinstance(self.type, PrimitiveType) and isinstance(found, ObjectReference):
            return await unboxed(found)
        return found


def _as_argument(value: Value) -> Value:
    """The argument is an int where the variable is smaller."""
    if isinstance(value, PrimitiveValue) and value.kind.value in "ZBCS":
        return PrimitiveValue(PrimitiveKind.INT, int(value.value))
    return value


async def _compiled(frame: Frame, text: str, number: int) -> _Compiled:
    expression = await CompiledExpression(text).bound_at(frame.location)
    if expression is None:
        raise NotCompiledError("it has a lambda, or is a statement")
    arguments = frame_arguments(frame.location, await frame.variables())
    home = Home(frame.location.type, await frame.location.type.class_loader())
    names = await names_of(list(walk(expression)), home)
    reach = await reaches(expression, home, names)
    own = frame.location.type.signature[1:-1]
    package = own.rpartition("/")[0]
    name = f"{package}/Compiled{number}" if package else f"Compiled{number}"
    made = ClassWriter(name)
    depth = 16 + 4 * sum(1 for _ in walk(expression))
    code = CodeWriter(made.pool, depth, arguments.slots)
    out = ExpressionCode(code, name, arguments.locals, reach, WRITERS, names)
    out.value(expression)
    if isinstance(expression.type, PrimitiveType):
        box = class_operand(types.boxed(expression.type))
        descriptor = f"({expression.type.descriptor})L{box};"
        out.invoke(_INVOKESTATIC, box, "valueOf", descriptor)
    elif isinstance(expression.type, types.VoidType):
        code.op(_ACONST_NULL)
    code.op(_ARETURN)
    made.static_method("c", f"{arguments.descriptor[:-1]}Ljava/lang/Object;", code)
    if out.given:
        initializer = CodeWriter(made.pool, 12)
        write_given(made, initializer, out.given, _ask_test)
        initializer.op(_RETURN)
        made.static_method("<clinit>", "()V", initializer)
    return _Compiled(name, made.written(), arguments, expression.type, tuple(out.given))


def _ask_test(code: CodeWriter) -> None:
    """The agent gives nothing to a class that it has not made."""
    code.invoke(_INVOKESTATIC, "java/lang/System", "getProperties", "()Ljava/util/Properties;")
    code.push_string("given")
    get = "(Ljava/lang/Object;)Ljava/lang/Object;"
    code.invoke(_INVOKEVIRTUAL, "java/util/Properties", "get", get)
    code.op_index(_CHECKCAST, code.pool.class_("[Ljava/lang/Object;"))


async def _give(frame: Frame, given: tuple[Given, ...]) -> None:
    if not given:
        return
    made = [await _made(frame, each) for each in given]
    names = {f"$given{index}": value for index, value in enumerate(made)}
    array = f"new Object[] {{{', '.join(names)}}}"
    await evaluator.evaluate(frame, f'System.getProperties().put("given", {array})', names=names)


async def _made(frame: Frame, given: Given) -> Value:
    """What the agent would give."""
    assert given.type is not None
    type_ = await given.type.class_object()
    if given.kind is GivenKind.TYPE or given.member is None:
        return type_
    member = f'"{given.member.name}"'
    names: dict[str, Value] = {"$type": type_}
    if isinstance(given.member, FieldDeclaration):
        kind = "Getter" if given.kind is GivenKind.READ else "Setter"
        found = f"unreflect{kind}($type.getDeclaredField({member}))"
    else:
        text = given.member.descriptor
        parameters = (
            f'java.lang.invoke.MethodType.fromMethodDescriptorString("{text}",'
            " $type.getClassLoader()).parameterArray()"
        )
        found = f"unreflect($type.getDeclaredMethod({member}, {parameters}))"
        if given.kind is GivenKind.NEW:
            found = f"unreflectConstructor($type.getDeclaredConstructor({parameters}))"
        elif given.caller is not None:
            names["$caller"] = await given.caller.class_object()
            found = f"unreflectSpecial($type.getDeclaredMethod({member}, {parameters}), $caller)"
    text = f"java.lang.invoke.MethodHandles.Lookup.IMPL_LOOKUP.{found}"
    return await evaluator.evaluate(frame, text, names=names)
