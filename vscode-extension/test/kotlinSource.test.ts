// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";

import { kotlinFieldAt, kotlinMains, kotlinMethodAt } from "../src/sources/kotlinSource";

test.each([
  ["package shop\n\nfun main() {}", "cart", [{ className: "shop.CartKt", line: 2 }]],
  ["fun main(args: Array<String>) {}", "Main", [{ className: "MainKt", line: 0 }]],
  ["suspend fun main() {}", "main", [{ className: "MainKt", line: 0 }]],
  ['@file:JvmName("Shop")\npackage a.b\nfun main() {}', "x", [{ className: "a.b.Shop", line: 2 }]],
  ["// fun main()\n/*\nfun main()\n*/\nclass A {\n  fun main() {}\n}", "A", []],
])("the main function of %j", (text, stem, expected) => {
  expect(kotlinMains(text, stem)).toEqual(expected);
});

const CART = `package shop

var sold = 0

fun Cart.shout(loud: Boolean) = name.uppercase()

class Cart(
    val items: List<Int>,
    var name: String,
) {
    fun total(): Int {
        fun local() = 1
        return items.sumOf { it } + local()
    }
    internal fun clear() {}
    companion object {
        var made = 0
        fun of(text: String) = Cart(listOf(), text)
    }
    var seen = false
}

object Registry { fun add(cart: Cart) {} }
`;

test.each([
  ["total", 12, "items", "shop.Cart#total"],
  ["a local function", 11, "local", "shop.Cart#total"],
  ["an extension", 4, "shout", "shop.CartKt#shout"],
  ["the constructor", 7, "items", "shop.Cart#<init>"],
  ["a call of a constructor", 17, "Cart", "shop.Cart#<init>"],
  ["an internal member", 14, "clear", "shop.Cart#clear$*"],
  ["a companion", 17, "text", "shop.Cart$Companion#of"],
  ["an object", 22, "add", "shop.Registry#add"],
  ["nothing", 0, "package", ""],
])("the method at the cursor in Kotlin: %s", (_, line, word, expected) => {
  expect(kotlinMethodAt(CART, "cart", line, word)).toBe(expected);
});

test.each([
  [2, "sold", "shop.CartKt.sold"],
  [8, "name", "shop.Cart.name"],
  [16, "made", "shop.Cart.made"],
  [19, "seen", "shop.Cart.seen"],
  [22, "carts", "shop.Registry.carts"],
])("the field at the cursor in Kotlin: line %i", (line, word, expected) => {
  expect(kotlinFieldAt(CART, "cart", line, word)).toBe(expected);
  expect(kotlinFieldAt(CART, "cart", line)).toBe("");
});
