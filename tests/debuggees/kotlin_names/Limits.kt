// SPDX-License-Identifier: Apache-2.0
@file:JvmName("Loads")
@file:JvmMultifileClass

package names

val limit: Int by lazy { 42 }

private val depth = 5
private var draught = 3
private val Int.doubled: Int
    get() = this * 2

private fun deeper(n: Int, by: Int = 1): Int = n + depth + by

fun deepest(): Int {
    draught = 4
    return deeper(draught.doubled) // @limits
}

fun lighter(n: Int, by: Int = 2): Int = n - by
