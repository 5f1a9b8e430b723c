# SPDX-License-Identifier: Apache-2.0
"""Known classes against what the program says itself; each shown value by its expression again."""

from __future__ import annotations

import asyncio
import re
from typing import TYPE_CHECKING

from jvmdebug import Variable, VariableKind, display
from jvmdebug.model.values import ArrayReference, ObjectReference, StringReference, UnavailableValue
from tests.e2e.evaluate.conftest import static_list
from tests.support.sessions import stop_at

if TYPE_CHECKING:
    import jvmdebug
    from jvmdebug.model.values import Value
    from tests.e2e.evaluate.conftest import StartEvaluating
    from tests.support.sessions import DebuggeeSession

_AT_ONCE = 50
_MAX_INSIDE = 6
_LEVELS = 2


async def _stop(program: DebuggeeSession, marker: str) -> jvmdebug.FrameHandle:
    return (await stop_at(program.session, program.program, marker)).frame


async def _inside(value: Value) -> list[str]:
    """The entries of a map as the debuggee prints them: `key=value`."""
    texts = []
    for child in await display.children(value):
        text = await display.full_text(child.value)
        is_entry = not child.name.startswith("[") and child.name != "value"
        key = re.sub(r"^['\"]|['\"]$", "", child.name)
        texts.append(f"{key}={text}" if is_entry else _plain(text))
    return texts


async def test_known_classes_are_shown_as_the_program_prints_them(
    evaluating: StartEvaluating,
) -> None:
    async with evaluating("known", "known.Main") as program:
        frame = await program.frame_at("shown")
        subjects = await static_list(frame, "known.Said", "SUBJECTS")
        said = await static_list(frame, "known.Said", "SAID")
        assert len(subjects) == len(said) > 300
        wrong = []
        for at in range(0, len(subjects), _AT_ONCE):
            pairs = zip(subjects[at : at + _AT_ONCE], said[at : at + _AT_ONCE], strict=True)
            found = await asyncio.gather(*(_compared(*pair) for pair in pairs))
            wrong += [each for each in found if each[1] != each[2]]
        assert not wrong, "\n".join(map(str, wrong))


async def _compared(subject: Value, expected: Value) -> tuple[str, object, object]:
    """The subject's class, what is shown of it, and what the program has said."""
    type_name = await display.type_name(subject)
    if isinstance(expected, StringReference):
        shown = _plain(await display.full_text(subject))
        return type_name, shown, _plain(await expected.as_text())
    assert isinstance(expected, ArrayReference)
    elements = await expected.get()
    wanted = [_plain(await display.full_text(each)) for each in elements]
    inside = await _inside(subject)
    if "Clash" in str(inside):  # objects as keys, in an order of the buckets
        nodes = [await _value_of(each) for each in await _nodes(subject)]
        inside = sorted(nodes, key=int)
    assert await display.child_count(subject) == len(wanted), type_name
    return type_name, inside, wanted


def _plain(text: str) -> str:
    """The text without the ids of objects, and without the quotes that the program's own text has
    not.
    """
    text = re.sub(r"(?<=\w)@[0-9a-f]+(?![\w.])", "@", text)
    return re.sub(r"(?<![A-Za-z])['\"]([^'\"]*)['\"]", r"\1", text) if '["' not in text else text


async def _nodes(subject: Value) -> list[Value]:
    return [child.value for child in await display.children(subject)]


async def _value_of(node: Value) -> str:
    inside = {child.name: child.value for child in await display.children(node)}
    return await display.full_text(inside.get("value", inside.get("val", node)))


async def test_scopes_and_expressions(evaluating_with_ours: StartEvaluating) -> None:
    async with evaluating_with_ours("values", "values.Main") as program:
        names: set[str] = set()
        frame = await _stop(program, "inside")
        await _check_scopes_of_an_anonymous_class(frame)
        names |= await _check_frame(frame)
        frame = await _stop(program, "shown")
        names |= await _check_frame(frame)
        assert {
            *("this", "word", "argument", "this.field", "made", "TITLE"),
            *("this.names", "((values.Base) this).total", "this.inner.own", "longs[1]"),
            *("simple.get(1L)", "simple.get('c')", "simple.get(null)", "simple.get(1.5f)"),
            *("simple.get((short) 3)", "simple.get(java.lang.Thread.State.NEW)"),
            *("set.toArray()[2]", "deque.toArray()[1]", "optional.get()", "wrapped.get(2)"),
            *("((int[]) this.anything)[1]", "lambda.arg$2", "error.cause.cause"),
        } <= names
        await _check_statics(frame)


async def _check_frame(frame: jvmdebug.FrameHandle) -> set[str]:
    names: set[str] = set()
    for scope in await frame.scopes():
        for variable in await scope.variables():
            names |= await _check(variable, _LEVELS)
    return names


async def _check(variable: Variable, levels: int) -> set[str]:
    """The expressions of a variable and what is below it; each must give the same value again."""
    if variable.kind is VariableKind.CALL:
        assert variable.evaluate_name is not None
        return {variable.evaluate_name}
    if isinstance(variable.value, UnavailableValue):
        return set()
    name = variable.evaluate_name
    assert name is not None, variable
    again = (await variable.frame.evaluate(name)).value
    if not (isinstance(again, ObjectReference) and again == variable.value):
        assert await display.render(again) == await display.render(variable.value), name
    names = {name}
    if levels:
        inside = [*await variable.children(0, _MAX_INSIDE), *await variable.views()]
        for child in inside:
            names |= await _check(child, levels - 1)
    return names


async def _check_scopes_of_an_anonymous_class(frame: jvmdebug.FrameHandle) -> None:
    (scope,) = await frame.scopes()
    assert [(each.name, each.kind) for each in await scope.variables()] == [
        ("this", VariableKind.THIS),
        ("captured", VariableKind.CAPTURED),
        ("word", VariableKind.CAPTURED),
        ("argument", VariableKind.ARGUMENT),
        ("here", VariableKind.LOCAL),
    ]
    inside = {each.name: each for each in await (await frame.get("this")).children()}
    assert {"Main.this", "word", "field", "self"} <= set(inside)
    assert inside["word"].is_captured


async def _check_statics(frame: jvmdebug.FrameHandle) -> None:
    _, statics = await frame.scopes()
    assert statics.name == "Static fields of Main"
    shown = {each.name: each for each in await statics.variables()}
    assert list(shown) == ["made", "TITLE"]
    assert (shown["made"].visibility, shown["TITLE"].visibility) == ("private", "public")
    assert (shown["made"].is_final, shown["TITLE"].is_final) == (False, True)
    assert await (await shown["made"].set("made + 1")).as_text() == "4"


async def test_looks_styles_and_costs(evaluating_with_ours: StartEvaluating) -> None:
    async with evaluating_with_ours("values", "values.Main") as program:
        frame = await _stop(program, "shown")
        await _check_costs(frame)
        await _check_lambdas(frame)
        await _check_styles(program.session, frame)
        await _check_looks(frame)
        await _check_to_string(program.session, frame)
        # Neither was consumed by being looked at: the program sums 2 + 3 and the first element.
        await program.session.resume()
        assert await program.session.wait() == 0


async def _check_costs(frame: jvmdebug.FrameHandle) -> None:
    """The cost of 25 variables, collections and maps among them, whose classes are known.

    `said` is left out: four objects of classes of its own, there for their `toString`.
    """
    connection = frame.stop.vm.connection

    async def show() -> int:
        before = connection.round_trips
        shown = [each for each in await frame.locals() if each.name != "said"]
        await asyncio.gather(*(each.as_text() for each in shown))
        await asyncio.gather(*(each.child_count() for each in shown))
        return connection.round_trips - before

    await show()
    assert await show() <= 120
    # Our agent has answered most of it together with the stack.
    await frame.stop.frames(0, 20)
    assert await show() <= 25


async def _check_lambdas(frame: jvmdebug.FrameHandle) -> None:
    shown = await frame.get("lambda")
    text = re.sub(r"(\$\d+)?@[0-9a-f]+", "@", await shown.as_text())
    assert text == "Main$$Lambda@ → Main.lambda$run$0 {this=Main@, captured=10}"
    inside = {each.name: each for each in await shown.children()}
    assert await inside["captured"].as_text() == "10"
    assert "→ String.trim" in await (await frame.get("reference")).as_text()


async def _check_styles(session: jvmdebug.Session, frame: jvmdebug.FrameHandle) -> None:
    longs = await frame.get("longs")
    assert await longs.as_text(in_hex=True) == "long[2] {0x1, 0xffffffffffffffff}"
    assert await longs.as_text(max_length=12) == "long[2] {1,…"
    style = session.settings.style
    session.settings.style = display.ValueStyle(hex=True, qualified_names=True)
    assert await (await frame.get("captured")).as_text() == "0xa"
    assert (await (await frame.get("this")).as_text()).startswith("values.Main@")
    session.settings.style = style
    loop = await (await frame.get("loop")).as_text()
    assert loop.startswith("AtomicReference[AtomicReference[AtomicReference")


async def _views(frame: jvmdebug.FrameHandle, name: str) -> dict[str, Variable]:
    variable = await frame.get(name)
    assert await variable.has_views()
    return {each.name: each for each in await variable.views()}


async def _check_looks(frame: jvmdebug.FrameHandle) -> None:
    raw = (await _views(frame, "deque"))["Raw view"]
    fields = [each.name for each in await raw.children() if not each.is_static]
    assert sorted(fields) == ["elements", "head", "tail"]
    assert await raw.as_text() == ""

    talking = await _views(frame, "talking")
    assert list(talking) == ["Static fields", "toString()"]
    (asked,) = await talking["Static fields"].children()
    assert (asked.name, await asked.as_text(), asked.is_static) == ("asked", "0", True)
    assert await (await talking["toString()"].call()).as_text() == '"talking"'

    error = await _views(frame, "error")
    stack = await error["getStackTrace()"].call()
    (top, *_) = await stack.children(0, 1)
    assert re.fullmatch(r"values\.Main\.run\(Main\.java:\d+\)", await top.as_text())
    inside = {each.name: each for each in await (await frame.get("error")).children()}
    assert list(inside) == ["detailMessage", "cause", "suppressedExceptions"]
    causes = {each.name: each for each in await inside["cause"].children()}
    assert await causes["detailMessage"].as_text() == '"middle"'
    last = {each.name: each for each in await causes["cause"].children()}
    assert await last["cause"].as_text() == "null"


async def _check_to_string(session: jvmdebug.Session, frame: jvmdebug.FrameHandle) -> None:
    session.settings.to_string = "call"
    assert await (await frame.get("talking")).as_text() == '"talking"'
    failed = await (await frame.get("failing")).as_text()
    assert failed.startswith("Failing@")
    assert "IllegalStateException" in failed
    assert await (await frame.get("deque")).as_text() == "ArrayDeque(2) {1, 2}"
    session.settings.to_string = "off"
