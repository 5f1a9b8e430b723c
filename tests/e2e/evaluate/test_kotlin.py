# SPDX-License-Identifier: Apache-2.0
"""Kotlin code as its user wrote it: names of variables and functions, and expressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import jvmdebug
from tests.support import process
from tests.support.libraries import maven
from tests.support.other_languages import kotlin_debuggee

if TYPE_CHECKING:
    from tests.support.jdks import Jdk

pytestmark = [
    pytest.mark.network,
    pytest.mark.skipif(maven() is None, reason="the libraries are fetched by Maven; no mvn here"),
]

FRAMES = {
    "in-lambda": ("lambda in names", {"sum": "1"}),
    "in-inlined": ("names()", {"each": "User", "found": "0", "sum": "2", "this@countAll": "Arr"}),
    "in-member": ("Shelf.above(List)", {"this": "Shelf", "each": "9", "block": "5"}),
    "in-apply": ("names()", {"this@apply": "StringBuilder", "adults": "1"}),
    "shout": ("shout(String, Int)", {"this@shout": '"shop"', "times": "2", "loud": '"SHOP"'}),
    "owner": ("User.Account.owner()", {"this": "Account"}),
    "secret": ("User.secret()", {"this": "User"}),
    "pay": ("User.pay(Int)", {"price": "3"}),
    "greet": ("User.greet(String, Char)", {"word": '"hi"', "mark": "'?'"}),
    "worked": ("work(Int)", {"before": "2", "got": "40", "sum": "42"}),
}
"""By line: the function, and the beginnings of variables' values."""

VALUES = {
    "user.label": '"<ann>"',
    "user.isAdult": "true",
    "!user.isAdult": "false",
    "user.age": "20",
    "-user.age + 1": "-19",
    'none?.label ?: "none"': '"none"',
    '"$sum: ${user.label} \\$ ${prices.size}"': '"3: <ann> $ 2"',
    "prices[1] + prices.size": "7",
    'users[0].first == "ann"': "true",
    "users[0] === user": "true",
    "user == any": "true",
    "none == null": "true",
    'byName["ann"]?.label': '"<ann>"',
    '"ann" in byName': "true",
    "5 !in 1..5": "false",
    "any is User && user.isAdult": "true",
    "(any as User).first": '"ann"',
    "any as? String": "null",
    "any !is String": "true",
    "level == Level.HIGH": "true",
    "boxed == 1000": "true",
    "boxed!! + 1": "1001",
    "if (sum > 2) 'a' + 1 else 'c'": "'b'",
    "1 shl 4 or 1": "17",
    "user.greet()": '"hiann!"',
    "user.greet(mark = '?')": '"hiann?"',
    "user.secret()": "20",
    "User.LIMIT": "10",
    "User.known.size": "2",
    'User.create("x").first': '"x"',
    'User("a", 3).label': '"<a>"',
    "Registry.count": "3",
    "shopName.shout(2)": '"CORNERCORNER"',
    '"x".uppercase()': '"X"',
    "users.first().first": '"ann"',
    "2.toDouble() / 4": "0.5",
    '"a" < "b"': "true",
    "val twice = sum * 2; twice + 1": "7",
    "((shop.User) any).getLabel()": '"<ann>"',
    "any instanceof User": "true",
}
"""Expressions at the line `names`; the last two are Java."""

IN_INLINED = {
    "this.step": "2",
    "this": "Shelf@",
    "step": "2",
    "found": "1",
    "each > found + block": "true",
    "this@countAll.size": "1",
    "size": "there is no variable, property or class size here",
}
"""Expressions in a lambda that an inline function of a list calls."""

ERRORS = {
    "user.lable": "shop.User has no property lable: no getLable() and no field lable; did you mean"
    " label?",
    "user.greet": "shop.User has no property greet: no getGreet() and no field greet; there is a"
    " function greet()",
    "none.label": "cannot get label: the value before the dot is null",
    "none!!.label": "java.lang.NullPointerException: none!!: the value is null",
    "nobody": "there is no variable, property or class nobody here",
    "users.map { it.first }": "a Kotlin lambda cannot be evaluated: it needs Kotlin's compiler,"
    " which is not here",
    "user.label && true": "expected Boolean, found java.lang.String",
    "this": "there is no this: the function is outside of classes",
}


COMPLETIONS = {
    "user.": (("first", "label", "isAdult", "nick", "greet(java.lang.String, char)"), "getLabel()"),
    "user.la": (("label",), "first"),
    "user.label.": (("length", "trim()"), "length()"),
    "none?.label?.len": (("length",), "length()"),
    "users.si": (("size",), "size()"),
    "byName.": (("keys", "entries", "size"), "keySet()"),
}
"""Text → labels that are offered, and one that is not."""


async def test_kotlin_is_shown_and_evaluated_as_it_is_written(jdk: Jdk) -> None:
    program = kotlin_debuggee("kotlin", "shop.ShopKt")
    source = program.source("Names.kt")
    async with jvmdebug.launch(
        program.main_class,
        class_path=program.class_path,
        source_path=[program.source_dir],
        java=jdk.java,
        **process.launch_options("jvmdebug"),
    ) as session:
        lines = {program.marker(each): each for each in (*FRAMES, "names", "waiting")}
        for line in lines:
            await session.break_at(f"{source}:{line}", once=True)
        seen = set()
        async for stop in session.stops():
            assert stop.frame.line is not None
            name = lines[stop.frame.line]
            if name in FRAMES:
                await check_frame(stop, *FRAMES[name])
                if name == "in-member":
                    await check_inlined(stop)
            elif name == "names":
                await check_values(stop)
            else:
                (kept,) = await stop.frame.variables()
                assert (kept.name, "Continuation[" in await kept.as_text()) == ("kept", True)
            seen.add(name)
        assert seen == set(lines.values())


async def check_inlined(stop: jvmdebug.Stop) -> None:
    """The lambda means its class by `this`, not the list that the function is called on."""
    inlined = await stop.frames_with_inlined(0, 1)
    for text, expected in IN_INLINED.items():
        for frame in (stop.frame, *inlined):
            if frame is not stop.frame and "@" in text:
                continue  # the other frame's
            try:
                said = await (await frame.evaluate(text)).as_text()
            except jvmdebug.EvaluationError as error:
                said = str(error)
            assert expected in said, (text, frame)


async def check_frame(stop: jvmdebug.Stop, function: str, values: dict[str, str]) -> None:
    assert stop.frame.function == function
    shown = {each.name: await each.as_text() for each in await stop.frame.locals()}
    assert not [each for each in shown if "$i" in each or each.startswith("$result")], shown
    for name, beginning in values.items():
        assert shown[name].startswith(beginning), (name, shown)
    for name in values:
        if name != "this":
            assert await (await stop.frame.evaluate(name)).as_text() == shown[name]


async def check_values(stop: jvmdebug.Stop) -> None:
    frame = stop.frame
    await frame.set("sum", "3")
    for text, expected in VALUES.items():
        assert await (await frame.evaluate(text)).as_text() == expected, text
    for text, (offered, missing) in COMPLETIONS.items():
        labels = [each.label for each in await frame.completions(text, len(text))]
        assert set(offered) <= set(labels), (text, labels[:20])
        assert missing not in labels, text
    for text, expected in ERRORS.items():
        with pytest.raises(jvmdebug.EvaluationError) as caught:
            await frame.evaluate(text)
        assert str(caught.value).split(" (at", maxsplit=1)[0] == expected
    # They are computed from what is read as well, getters and functions too.
    for text, expected in VALUES.items():
        assert await (await frame.evaluate(text, read_only=True)).as_text() == expected, text
    with pytest.raises(jvmdebug.EvaluationError, match="an assignment may change"):
        await frame.evaluate("sum = 1", read_only=True)
    await frame.evaluate('user.nick = "n" + sum')
    await frame.evaluate("sum += prices[0]")
    await frame.evaluate("prices[0] = 8")
    await frame.evaluate("prices[1]++")
    written = await frame.evaluate('"${user.nick} $sum ${prices[0]} ${prices[1]}"')
    assert await written.as_text() == '"n3 7 8 6"'
