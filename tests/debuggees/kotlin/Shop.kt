// SPDX-License-Identifier: Apache-2.0
package shop

// @before-part
data class Part(
    val name: String,
    val price: Int,
)

interface Priced {
    fun total(): Int
}
// @before-cart
class Cart(private val parts: List<Part>) : Priced {

    // @before-total
    override fun total(): Int {
        var sum = 0 // @total
        parts.forEach { part -> // @forEach
            sum += part.price // @each
        } // @each-end
        return sum // @sum
    }

    fun cheap(limit: Int): List<Part> {
        val found = parts // @cheap
            .filter { it.price < limit } // @filter
            .sortedBy { it.name } // @sorted
        return found // @found
    }
}

inline fun twice(block: (Int) -> Unit) {
    block(1) // @first-time
    block(2) // @second-time
}
// @before-late
class Late {
    fun run(): Int {
        val answer = 42 // @answer
        return answer
    }
}

fun repeated(): Int {
    var seen = 0 // @seen
    twice { number -> // @call-twice
        seen += number // @in-block
    } // @block-end
    return seen // @repeated
}

fun main() {
    val cart = Cart(listOf(Part("nut", 1), Part("bolt", 2))) // @main
    println(cart.total()) // @print-total
    println(cart.cheap(2)) // @print-cheap
    println(repeated()) // @print-repeated
    println(Late().run()) // @print-late
    names()
    coroutines()
}
