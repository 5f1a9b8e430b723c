# SPDX-License-Identifier: Apache-2.0
"""Values on one line, and what is inside of them, in a real VM; without running its code."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from jvmdebug import display, evaluator
from jvmdebug.model.values import ObjectReference

if TYPE_CHECKING:
    from jvmdebug.model.frame import Frame
    from jvmdebug.model.values import Value
    from tests.e2e.evaluate.conftest import StartEvaluating

# What stands for an object's id is written as @.
SHOWN = {
    "flag": "true",
    "letter": "'c'",
    "quote": "'\\''",
    "nul": "'\\u0000'",
    "small": "-3",
    "big": "1099511627776",
    "third": "0.33333334",
    "tiny": "1.0E-5",
    "box": "5",
    "charBox": "'\\n'",
    "text": '"a \\"quoted\\"\\tline\\né😀\\u0001"',
    "nothing": "null",
    "numbers": "int[3] {1, 2, 3}",
    "empty": "int[0] {}",
    "grid": "String[2][] {String[1], null}",
    "mixed": "Object[5] {1, \"b\", 'c', null, Cart@}",
    "color": "RED",
    "special": "GREEN",
    "cart": 'Cart@ {total=3, next=Cart@, total=1, name="base"}',
    "loud": "Loud@",
    "list": "ArrayList(3) {1, 2, 3}",
    "none": "ArrayList(0) {}",
    "asList": 'ArrayList(2) {"p", "q"}',
    "listOf": "List12(1) {1}",
    "listOf2": "List12(2) {1, 2}",
    "listOf4": "ListN(4) {1, 2, 3, 4}",
    "linked": "LinkedList(3) {7, 8, 9}",
    "copyOnWrite": "CopyOnWriteArrayList(2) {1, 2}",
    "unmodifiable": "UnmodifiableRandomAccessList(3) {1, 2, 3}",
    "synchronized_": "SynchronizedRandomAccessList(3) {1, 2, 3}",
    "emptyList": "EmptyList(0) {}",
    "single": 'SingletonList(1) {"only"}',
    "deque": "ArrayDeque(12) {6, 7, 8, 9, 10, 11, 100, 101, 102, 103, 104, 105}",
    "queue": "PriorityQueue(3) {1, 3, 2}",
    "map": 'HashMap(2) {"a"=1, "b"=2}',
    "ordered": 'LinkedHashMap(3) {"z"=1, "y"="two", "x"=null}',
    "byCart": "HashMap(1) {Cart@=1}",
    "tree": 'TreeMap(3) {"c"=2, "m"=1, "x"=3}',
    "mapOf1": 'Map1(1) {"k"=1}',
    "concurrent": 'ConcurrentHashMap(1) {"c"=1}',
    "table": 'Hashtable(1) {"t"=1}',
    "set": 'HashSet(1) {"s"}',
    "linkedSet": "LinkedHashSet(3) {3, 1, 2}",
    "treeSet": "TreeSet(3) {1, 2, 3}",
    "setOf": "Set12(1) {1}",
    "some": 'Optional["here"]',
    "absent": "Optional.empty",
    "someInt": "OptionalInt[0]",
    "builder": 'StringBuilder "built 1"',
    "wide": 'StringBuffer "€"',
    "error": 'IllegalStateException@ "went wrong"',
    "type": "interface java.util.Map$Entry",
    "thread": 'Thread@ "main"',
}


async def _values(frame: Frame) -> dict[str, Value]:
    variables = await frame.variables()
    values = await frame.values(variables)
    return {each.name: value for each, value in zip(variables, values, strict=True)}


async def test_values_are_shown_on_one_line_without_running_code(
    evaluating: StartEvaluating,
) -> None:
    async with evaluating("display", "display.Main") as program:
        frame = await program.frame_at("shown")
        values = await _values(frame)
        names = list(SHOWN)
        texts = await display.render_all([values[name] for name in names])
        shown = {
            name: re.sub(r"@[0-9a-f]+", "@", text) for name, text in zip(names, texts, strict=True)
        }
        assert shown == SHOWN
        assert re.match(r"Main\$\$Lambda.*@", await display.render(values["lambda"]))
        set_of = await display.render(values["setOf3"])
        assert sorted(set_of.removeprefix("SetN(3) {").removesuffix("}").split(", ")) == (
            ["1", "2", "3"]
        )
        called = await evaluator.evaluate(frame, "Loud.called")
        assert await display.render(called) == "0"


async def test_long_values_are_cut_and_given_whole_on_demand(evaluating: StartEvaluating) -> None:
    async with evaluating("display", "display.Main") as program:
        values = await _values(await program.frame_at("shown"))
        text = await display.render(values["longText"], max_length=20)
        assert text == '"' + "x" * 17 + '…"'
        assert await display.full_text(values["longText"]) == "x" * 5000
        assert await display.full_text(values["builder"]) == "built 1"
        listed = await display.render(values["longList"], max_length=40)
        assert len(listed) <= 40
        assert listed.startswith("ArrayList(1000) {0, 1, 2")
        assert listed.endswith(", …}")
        large = await display.render(values["large"], max_length=40)
        assert large.startswith("int[10000000] {0, 0")


async def test_children_come_in_pages(evaluating: StartEvaluating) -> None:
    async with evaluating("display", "display.Main") as program:
        frame = await program.frame_at("shown")
        values = await _values(frame)
        assert await display.child_count(values["large"]) == 10_000_000
        assert await display.is_indexed(values["large"])
        (last,) = await display.children(
            values["large"], 9_999_999, 5, evaluate_name="large", declared_type="int[]"
        )
        assert (last.name, await display.render(last.value)) == ("[9999999]", "7")
        assert last.evaluate_name == "large[9999999]"
        assert await display.children(values["large"], 10_000_000, 5) == []

        page = await display.children(values["longList"], 500, 2, evaluate_name="longList")
        assert [child.name for child in page] == ["[500]", "[501]"]
        assert [child.evaluate_name for child in page] == ["longList.get(500)", "longList.get(501)"]

        assert await display.child_count(values["largeMap"]) == 3000
        page = await display.children(values["largeMap"], 2990, 100, evaluate_name="largeMap")
        assert [child.name for child in page] == [str(key) for key in range(2990, 3000)]
        assert page[0].evaluate_name == "largeMap.get(2990)"
        assert await display.child_count(values["text"]) == 0
        assert await display.child_count(values["nothing"]) == 0


async def test_evaluate_names_give_the_children(evaluating: StartEvaluating) -> None:
    async with evaluating("display", "display.Main") as program:
        frame = await program.frame_at("shown")
        values = await _values(frame)
        checked = 0
        for name in ("cart", "numbers", "grid", "list", "linked", "map", "ordered", "mapOf2"):
            for child in await display.children(values[name], evaluate_name=name):
                assert child.evaluate_name is not None, (name, child)
                value = await evaluator.evaluate(frame, child.evaluate_name)
                assert await display.render(value) == await display.render(child.value), child
                checked += 1
        assert checked == 4 + 3 + 2 + 3 + 3 + 2 + 3 + 2


async def test_fields_come_with_inherited_and_hidden_ones(evaluating: StartEvaluating) -> None:
    async with evaluating("display", "display.Main") as program:
        frame = await program.frame_at("shown")
        cart = (await _values(frame))["cart"]
        children = await display.children(cart, evaluate_name="cart")
        assert [(each.name, each.declared_type) for each in children] == [
            ("total", "long"),
            ("next", "java.lang.Object"),
            ("total", "int"),
            ("name", "java.lang.String"),
        ]
        raw = await display.children(cart, evaluate_name="cart", mode="raw")
        assert [each.name for each in raw if each.is_static] == ["made"]
        assert await display.type_name(cart) == "display.Main$Cart"


async def test_a_key_that_is_an_object_can_be_opened(evaluating: StartEvaluating) -> None:
    async with evaluating("display", "display.Main") as program:
        values = await _values(await program.frame_at("shown"))
        (entry,) = await display.children(values["byCart"], evaluate_name="byCart")
        assert entry.name == "[0]"
        assert re.fullmatch(r"Cart@[0-9a-f]+=1", await display.render(entry.value))
        inside = {each.name: each.value for each in await display.children(entry.value)}
        assert inside["key"] == values["cart"]


async def test_the_raw_view_shows_the_fields_of_a_collection(evaluating: StartEvaluating) -> None:
    async with evaluating("display", "display.Main") as program:
        values = await _values(await program.frame_at("shown"))
        raw = await display.children(values["list"], mode="raw")
        assert {"elementData", "size", "modCount"} <= {child.name for child in raw}
        assert await display.child_count(values["list"], mode="raw") == len(raw)


async def test_showing_takes_few_round_trips(evaluating: StartEvaluating) -> None:
    async with evaluating("display", "display.Main") as program:
        frame = await program.frame_at("shown")
        values = await _values(frame)
        connection = frame.thread.vm.connection
        await display.render_all(list(values.values()))
        before = connection.round_trips
        objects = [each for each in values.values() if isinstance(each, ObjectReference)]
        await display.render(values["cart"])
        assert len(objects) > 40
        assert connection.round_trips - before <= 4
