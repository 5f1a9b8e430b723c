// SPDX-License-Identifier: Apache-2.0
package shop

import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.resume
import kotlin.coroutines.startCoroutine
import kotlin.coroutines.suspendCoroutine

@JvmInline
value class Cents(val amount: Int)

object Registry {
    var count = 3
}

enum class Level { LOW, HIGH }

class User(val first: String, private var age: Int) {
    val label: String
        get() = "<$first>"
    val isAdult: Boolean
        get() = age >= 18
    var nick: String? = null
    private val hidden = listOf(1, 2)

    internal fun secret(): Int {
        return age // @secret
    }

    fun pay(price: Cents): Int {
        return price.amount // @pay
    }

    fun greet(word: String = "hi", mark: Char = '!'): String {
        return word + first + mark // @greet
    }

    inner class Account(val number: Int) {
        fun owner(): String {
            return first + number // @owner
        }
    }

    companion object {
        const val LIMIT = 10
        val known = mutableListOf("ann", "bob")

        fun create(first: String): User = User(first, LIMIT)
    }
}

val shopName = "corner"

fun String.shout(times: Int): String {
    val loud = this.uppercase()
    return loud.repeat(times) // @shout
}

inline fun <T> Iterable<T>.countAll(block: (T) -> Boolean): Int {
    var found = 0
    for (element in this) {
        if (block(element)) { // @asks
            found += 1
        }
    }
    return found
}

class Shelf(val found: Int, val step: Int) {
    fun above(of: List<Int>): Int {
        val block = 5
        return of.countAll { each ->
            each > found + block // @in-member
        }
    }
}

fun later(task: () -> Unit) = task()

suspend fun pause(): Int = suspendCoroutine { waiting = it }

var waiting: Continuation<Int>? = null

suspend fun work(start: Int): Int {
    val before = start + 1
    val got = pause()
    val sum = before + got
    return sum // @worked
}

fun names() {
    val user = User("ann", 20)
    val none: User? = null
    var sum = 1
    val prices = intArrayOf(4, 5)
    val users = listOf(user, User("bob", 7))
    val byName = mapOf("ann" to user)
    val any: Any = user
    val level = Level.HIGH
    val boxed: Int? = 1000
    later {
        sum += 1 // @in-lambda
    }
    val adults = users.countAll { each ->
        each.isAdult // @in-inlined
    }
    val described = StringBuilder().apply {
        append(user.label) // @in-apply
    }
    println("$sum $none $adults $described ${prices.size} $byName $any $level $boxed") // @names
    println("shop".shout(2) + user.Account(7).owner() + user.secret() + user.pay(Cents(3)))
    println(user.greet(mark = '?'))
    println(Shelf(1, 2).above(listOf(9)))
}

fun coroutines() {
    suspend { work(1) }.startCoroutine(Continuation(EmptyCoroutineContext) { println(it) })
    val kept = waiting
    println(shopName) // @waiting
    kept?.resume(40)
}
