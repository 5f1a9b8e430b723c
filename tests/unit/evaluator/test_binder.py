# SPDX-License-Identifier: Apache-2.0
"""Names, static types, conversions and errors, bound against fake classes."""

from __future__ import annotations

import pytest

from jvmdebug.errors import EvaluationError
from jvmdebug.evaluator.bind import bound
from jvmdebug.evaluator.bind.dispatch import binder_for
from jvmdebug.evaluator.parse import parser
from tests.unit.evaluator.fake_types import FakeTypes, scope_in

LOCALS = {
    "i": "I",
    "l": "J",
    "b": "B",
    "c": "C",
    "d": "D",
    "flag": "Z",
    "text": "Ljava/lang/String;",
    "object": "Ljava/lang/Object;",
    "box": "Ljava/lang/Integer;",
    "longBox": "Ljava/lang/Long;",
    "list": "Ljava/util/List<Ljava/lang/String;>;",
    "wild": "Ljava/util/List<+Ljava/lang/Number;>;",
    "raw": "Ljava/util/List;",
    "map": "Ljava/util/Map<Ljava/lang/String;Ljava/util/List<Ljava/lang/Integer;>;>;",
    "numbers": "[I",
    "grid": "[[J",
    "cart": "Lshop/Cart;",
    "item": "Lshop/Cart$Item;",
}


async def bind(
    text: str, declaring: str = "shop.Cart", *, is_static: bool = False, read_only: bool = False
) -> bound.Bound:
    scope = scope_in(declaring, is_static=is_static, **LOCALS)
    binder = binder_for(scope, FakeTypes(), is_read_only=read_only)
    return await binder.bind(parser.parse(text))


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("i + 1", "int"),
        ("b + b", "int"),
        ("b + l", "long"),
        ("c + d", "double"),
        ("i + 1f", "float"),
        ("b << l", "int"),
        ("l << i", "long"),
        ("box + longBox", "long"),
        ("-b", "int"),
        ("+c", "int"),
        ("i < d", "boolean"),
        ("box == 1", "boolean"),
        ("flag & flag", "boolean"),
        ("text + 1", "java.lang.String"),
        ("null + text", "java.lang.String"),
        ("flag ? i : l", "long"),
        ("flag ? b : 1", "byte"),
        ("flag ? b : 1000", "int"),
        ("flag ? b : i", "int"),
        ("flag ? 'a' : 98", "char"),
        ("flag ? box : box", "java.lang.Integer"),
        ("flag ? box : 1", "int"),
        ("flag ? box : null", "java.lang.Integer"),
        ("flag ? 1 : null", "java.lang.Integer"),
        (
            "flag ? text : box",
            "java.lang.Comparable<? extends " * 2 + "java.lang.Comparable<?>>>",
        ),
        ("flag ? cart : null", "shop.Cart"),
        ("(byte) i", "byte"),
        ("(Object) i", "java.lang.Object"),
        ("(int) object", "int"),
        ("i++", "int"),
        ("b += 1000", "byte"),
        ("text += 1", "java.lang.String"),
        ("box++", "java.lang.Integer"),
        ("numbers.length", "int"),
        ("grid[0]", "long[]"),
        ("grid[0][1]", "long"),
        ("numbers.clone()", "int[]"),
        ("list.get(0)", "java.lang.String"),
        ("list.get(0).length()", "int"),
        ("wild.get(0)", "java.lang.Number"),
        ("raw.get(0)", "java.lang.Object"),
        ("map.get(text)", "java.util.List<java.lang.Integer>"),
        ("map.get(text).get(0) + 1", "int"),
        ("items.get(0)", "java.lang.String"),
        ("prices.get(name)", "java.lang.Integer"),
        ("text.getClass()", "java.lang.Class<? extends java.lang.String>"),
        ("int.class", "java.lang.Class<java.lang.Integer>"),
        ("Cart.class", "java.lang.Class<shop.Cart>"),
        ("new int[2][]", "int[][]"),
        ("new ArrayList<String>().get(0)", "java.lang.String"),
        ("List.of(text).get(0)", "java.lang.String"),
        ("List.of(1).get(0) + 1", "int"),
        ("Cart.same(1, 2)", "java.lang.Integer"),
        ("Cart.same(text, text).length()", "int"),
        ("total", "int"),
        ("this.total", "int"),
        ("this instanceof String", "boolean"),
        ("this instanceof String s && s.length() > 0", "boolean"),
        ("secret", "long"),
        ("made + Base.made + shop.Cart.LIMIT", "int"),
        ("other.Cart.class", "java.lang.Class<other.Cart>"),
        ("Shape.SIDES", "int"),
        ("super.name", "java.lang.String"),
        ("$exception", "java.lang.Object"),
        ("cart instanceof Base", "boolean"),
        ("java.util.Map.Entry.class", "java.lang.Class<java.util.Map.Entry>"),
        ("String.valueOf(c)", "java.lang.String"),
        ("hashCode()", "int"),
    ],
)
async def test_static_types(text: str, type_: str) -> None:
    assert str((await bind(text)).type) == type_


@pytest.mark.parametrize(
    ("text", "descriptor"),
    [
        ("cart.add(1)", "(I)V"),
        ("cart.add(b)", "(I)V"),
        ("cart.add('c')", "(I)V"),
        ("cart.add(1L)", "(J)V"),
        ("cart.add(1.0)", "(Ljava/lang/Object;)V"),
        ("cart.add(box)", "(Ljava/lang/Integer;)V"),
        ("cart.add(text)", "(Ljava/lang/Object;)V"),
        ("cart.add(null)", "(Ljava/lang/Integer;)V"),
        ("list.remove(0)", "(I)TE;"),
        ("list.remove(box)", "(Ljava/lang/Object;)Z"),
        ("list.remove(text)", "(Ljava/lang/Object;)Z"),
        ("String.valueOf('c')", "(C)Ljava/lang/String;"),
        ("String.valueOf(b)", "(I)Ljava/lang/String;"),
        ("String.valueOf(null)", "([C)Ljava/lang/String;"),
        ("String.valueOf(text)", "(Ljava/lang/Object;)Ljava/lang/String;"),
        # The private method of Base takes an int, but this place may not call it.
        ("cart.own(1)", "(Ljava/lang/Object;)Z"),
        ("both(box, i)", "(Ljava/lang/Integer;J)V"),
        ("both(i, box)", "(JLjava/lang/Integer;)V"),
        ("text.compareTo(text)", "(Ljava/lang/String;)I"),
    ],
)
async def test_overloads(text: str, descriptor: str) -> None:
    node = await bind(text)
    while isinstance(node, bound.ReferenceCast):
        node = node.operand
    assert isinstance(node, bound.StaticCall | bound.InstanceCall)
    assert node.method.descriptor == descriptor


async def test_variable_arguments_are_packed() -> None:
    for text, count in (("sum()", 0), ("sum(1)", 1), ("sum(1, 'a', b)", 3)):
        call = await bind(text)
        assert isinstance(call, bound.InstanceCall)
        (packed,) = call.arguments
        assert isinstance(packed, bound.NewArrayOf)
        assert str(packed.array_type) == "int[]"
        assert len(packed.elements) == count
    call = await bind("sum(numbers)")
    assert isinstance(call, bound.InstanceCall)
    assert isinstance(call.arguments[0], bound.FrameLocal)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1 + 2 * 3", 7),
        ("2147483647 + 1", -(2**31)),
        ("'a' + 1", 98),
        ("(byte) 200", -56),
        ("1 << 33", 2),
        ("10 / 3.0 > 3", True),
        ("\"a\" + 1 + 'c' + 2.0f + null", None),
        ("\"a\" + 1 + 'c' + 2.0f", "a1c2.0"),
        ('"a" + "b" == "ab"', True),
        ("true && !false", True),
        ("true ? 1 : 2", 1),
        ("-(5)", -5),
    ],
)
async def test_constants_are_folded(text: str, value: object) -> None:
    node = await bind(text)
    found = node.value if isinstance(node, bound.Constant) else None
    assert found == value


async def test_a_division_by_zero_is_not_folded() -> None:
    assert isinstance(await bind("1 / 0"), bound.Arithmetic)


async def test_an_inner_class_sees_its_outer_instance_and_captured_variables() -> None:
    total = await bind("total", "shop.Cart$Item")
    assert isinstance(total, bound.InstanceField)
    assert isinstance(total.target, bound.InstanceField)
    assert total.target.field.name == "this$0"
    captured = await bind("captured", "shop.Cart$Item")
    assert isinstance(captured, bound.InstanceField)
    assert captured.field.name == "val$captured"
    outer = await bind("Cart.this", "shop.Cart$Item")
    assert isinstance(outer, bound.InstanceField)
    assert isinstance(await bind("LIMIT", "shop.Cart$Item"), bound.StaticField)


async def test_a_local_variable_shadows_a_field() -> None:
    assert isinstance(await bind("raw"), bound.FrameLocal)
    assert isinstance(await bind("this.raw"), bound.InstanceField)


async def test_compound_assignment_reads_its_place_once() -> None:
    node = await bind("numbers[i++] += 2.5")
    assert isinstance(node, bound.CompoundAssign)
    assert isinstance(node.combined, bound.PrimitiveConversion)
    assert not node.gives_old
    assert str(node.type) == "int"


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("ttal", 0, "did you mean total"),
        ("cart.ttal", 5, "did you mean total"),
        ("cart.tostring()", 5, "did you mean toString"),
        ("cart.add()", 5, "candidates: add(int), add(long)"),
        ("i.length()", 2, "int has no methods"),
        ("null.length()", 5, "null has no methods"),
        ("i + cart", 2, "+ is not defined for int and shop.Cart"),
        ("flag + 1", 5, "+ is not defined for boolean and int"),
        ("text - 1", 5, "- is not defined"),
        ("flag > true", 5, "> is not defined"),
        ("text == box", 5, "== is not defined"),
        ("i == null", 2, "== is not defined for int and null"),
        ("flag == 1", 5, "== is not defined"),
        ("~d", 1, "~ expects an integer, found double"),
        ("!i", 1, "expected boolean, found int"),
        ("-text", 1, "- expects a number"),
        ("i = l", 4, "a cast (int) would truncate it"),
        ("b = 128", 4, "int cannot be converted to byte"),
        ("text = null + null", 12, "+ is not defined for null and null"),
        ("box = l", 6, "cannot be converted"),
        ("cart = text", 7, "java.lang.String cannot be converted to shop.Cart"),
        ("cart.add(1) + 1", 0, "gives no value (void)"),
        ("(Cart) text", 7, "cannot be cast"),
        ("(boolean) i", 10, "cannot be cast"),
        ("(T) object", 1, "there is no class T"),
        ("object instanceof int", 18, "expected a class, found int"),
        ("i instanceof Object", 0, "expects an object"),
        ("text instanceof Cart", 16, "can never be"),
        ("numbers[l]", 8, "expected an int index"),
        ("numbers.length = 3", 0, "length of an array cannot change"),
        ("LIMIT++", 0, "static final"),
        ("flag++", 0, "expects a number"),
        ("new Shape()", 4, "is an interface"),
        ("new Nothing()", 4, "there is no class Nothing"),
        ("new Cart(text)", 4, "candidates: Cart(), Cart(int)"),
        ("Cart.total", 5, "total is not static"),
        ("Cart.describe()", 5, "describe() is not static"),
        ("Cart", 0, "is a class, not a value"),
        ("a.b.c", 0, "there is no variable or class a"),
        ("both(box, box)", 0, "is ambiguous"),
        ("same(text, cart)", 0, "cannot take"),
    ],
)
async def test_errors(text: str, column: int, message: str) -> None:
    with pytest.raises(EvaluationError) as caught:
        await bind(text)
    assert message in str(caught.value)
    assert caught.value.column == column


@pytest.mark.parametrize("text", ["this", "total", "describe()", "super.name", "new Item()"])
async def test_a_static_method_has_no_this(text: str) -> None:
    with pytest.raises(EvaluationError):
        await bind(text, is_static=True)


@pytest.mark.parametrize("text", ["i = 1", "i++", "text += i", "numbers[0] = 1", "cart.add(i = 1)"])
async def test_read_only_rejects_side_effects(text: str) -> None:
    with pytest.raises(EvaluationError, match="only reading is allowed"):
        await bind(text, read_only=True)


async def test_read_only_allows_reading() -> None:
    for text in ("i + total", "list", "numbers[0]", "text + i", "cart.items", "object == null"):
        await bind(text, read_only=True)


async def test_a_mistyped_name_loads_no_classes() -> None:
    types = FakeTypes()
    binder = binder_for(scope_in("shop.Cart"), types)
    with pytest.raises(EvaluationError):
        await binder.bind(parser.parse("nothing.there"))
    assert set(types.asked) <= set(types.classes)
