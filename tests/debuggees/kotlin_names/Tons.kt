// SPDX-License-Identifier: Apache-2.0
// A value class, accessors with `field`, and functions of a file whose class has several parts.
@file:JvmName("Loads")
@file:JvmMultifileClass

package names

@JvmInline
value class Tons(val heavy: Double) {
    val half: Double
        get() = heavy / 2 // @half

    fun plus(more: Double): Double {
        val sum = heavy + more
        return sum // @plus
    }
}

class Crane(var load: Int) {
    var lifted = 1
        set(value) {
            field = value + load // @setter
        }
    var open = true
        get() = field && load > 0 // @getter
}

private fun secret(n: Int) = n * 100

private var kept = 8

fun outside(text: String): String {
    val said = secret(text.length)
    return "$text $said" // @outside
}

fun main() {
    println(outside("abc"))
    println(Tons(1.5).plus(2.0) + Tons(3.0).half)
    val crane = Crane(4)
    crane.lifted = 9
    println("${crane.lifted} ${crane.open} $limit ${lighter(7)} ${deepest() + kept}")
}
