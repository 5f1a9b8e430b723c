// SPDX-License-Identifier: Apache-2.0
package parts

fun <T> later(made: () -> T): T = made()

fun main() {
    val words = listOf("one", "three")
    println(words.map { it.length }.filter { it > 3 }.size) // @inlined
    println(later { words.size } + later { later { words.size + 1 } }) // @called
    println(words.filter { word -> later { word.length > 3 } }.size) // @both
    println(words) // @end
}
