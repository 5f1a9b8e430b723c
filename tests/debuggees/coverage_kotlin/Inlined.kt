// SPDX-License-Identifier: Apache-2.0
package inlined

/** Kinds of code that Kotlin's compiler emits, each run in part. */
inline fun <T> measured(times: Int, block: (Int) -> T): T {
    var last = block(0)
    for (i in 1 until times) {
        last = block(i)
    }
    return last
}

inline fun atLeast(value: Int, least: Int): Int {
    if (value < least) {
        return least
    }
    return value
}

inline fun crossed(crossinline block: () -> Int): () -> Int = { block() + 1 }

class Cart(val items: List<Int>, val name: String = "none") {
    lateinit var owner: String

    fun total(): Int {
        var sum = 0
        items.forEach { sum += it }
        return measured(2) { sum + it }
    }

    fun large(): List<Int> = items.filter { it > 2 }.map { it * 2 }

    fun first(): Int? = items.firstOrNull()

    fun length(): Int = owner.length
}

enum class Size { SMALL, LARGE }

sealed interface Shape
data class Circle(val radius: Int) : Shape
data class Square(val side: Int) : Shape

fun word(size: Size): String = when (size) {
    Size.SMALL -> "small"
    Size.LARGE -> "large"
}

fun area(shape: Shape): Int = when (shape) {
    is Circle -> shape.radius * 3
    is Square -> shape.side * shape.side
}

fun text(key: String): Int = when (key) {
    "one" -> 1
    "two" -> 2
    else -> 0
}

fun greeting(name: String, mark: String = "!", times: Int = 1): String {
    return "Hello $name" + mark.repeat(times)
}

fun nullable(text: String?): Int {
    val length = text?.length ?: -1
    return if (length > 3) text!!.length else length
}

fun cast(value: Any): Int {
    val text = value as String
    return text.length
}

fun never(value: Int): Int {
    return atLeast(value, 3)
}

fun main() {
    val cart = Cart(listOf(1, 2, 3))
    cart.owner = "me"
    println(cart.total() + cart.length())
    println(cart.large())
    println(cart.first())
    println(atLeast(1, 5))
    println(crossed { cart.total() }())
    println(word(Size.SMALL) + area(Circle(2)) + text("two"))
    println(greeting("you") + greeting("you", "?"))
    println(nullable("long text") + nullable(null))
    println(cast("text"))
    println(Circle(3) == Circle(4))
    use().use { println(it) }
}

fun use(): AutoCloseable = AutoCloseable { println("closed") }
