// SPDX-License-Identifier: Apache-2.0
// Statements that Kotlin's compiler writes several times, or in parts. Each counts its own passes.
import kotlin.coroutines.Continuation
import kotlin.coroutines.EmptyCoroutineContext
import kotlin.coroutines.resume
import kotlin.coroutines.startCoroutine
import kotlin.coroutines.suspendCoroutine

val counted = java.util.TreeMap<String, Int>()

fun pass(name: String) {
    counted.merge(name, 1, Int::plus)
}

fun at(name: String, value: Int): Int {
    pass(name)
    return value
}

fun and(n: Int): Boolean {
    return at("and", n) > 2 // @and
        && n != 4
        && n < 9
}

fun choice(n: Int): String =
    if (at("choice", n) > 2) // @choice
        "big"
    else
        "small"

fun cases(n: Int): String {
    return when (at("when", n)) { // @when
        1 -> "one"
        2, 3 -> "some"
        else -> "many"
    }
}

fun argument(n: Int): Int {
    return maxOf(at("argument", n), // @argument
        if (n > 3)
            4
        else
            5)
}

fun oneLine(n: Int): Boolean = at("one-line", n) > 1 && n < 9 || n == 12 // @one-line

fun elvis(n: Int): Int {
    val text = if (n > 4) null else "text"
    pass("elvis")
    return text?.length // @elvis
        ?: n
}

fun called(n: Int): Int {
    return Math.addExact(at("called", n), // @called
        Math.min(
            n,
            5))
}

fun chain(n: Int): List<Int> =
    listOf(at("chain", n), 2, 3) // @chain
        .filter { it > 0 }
        .map {
            at("map", it) // @map
                .plus(1)
        }

fun forLoop(n: Int): Int {
    var sum = 0
    for (i in 0 until n) {
        pass("for-body") // @for-body
        sum += i
    }
    return sum
}

fun whileLoop(n: Int): Int {
    var left = n
    while (at("while", left) > 0 // @while
        && left < 100) {
        left--
    }
    return left
}

fun returnInTry(n: Int): Int {
    try {
        return at("return-in-try", n) // @return-in-try
    } finally {
        pass("finally") // @finally
    }
}

fun valueOfTry(n: Int): Int {
    val value = try {
        at("tried", 10) / (n % 3) // @tried
    } catch (e: ArithmeticException) {
        at("caught", n) // @caught
    } finally {
        pass("finally-of-value") // @finally-of-value
    }
    return value
}

fun text(n: Int): String {
    return "a${at("text", n)}" + // @text
        (if (n > 3) "b" else "c") +
        n
}

class Built(n: Int) {
    val first = at("initializer", n) + // @initializer
        2
    val second: Boolean

    init {
        second = at("init", n) > 1 // @init
            && n < 5
    }

    constructor(text: String) : this(text.length) {
        pass("second-constructor") // @second-constructor
    }
}

fun built(n: Int): Any = if (n > 3) Built(n) else Built("text")

fun defaulted(n: Int, more: Int = 2): Int = at("defaulted", n) + more // @defaulted

private var waiting: Continuation<Unit>? = null

suspend fun pause(): Unit = suspendCoroutine { waiting = it }

suspend fun oneLineSuspended(n: Int): Int { pass("suspended"); pause(); pass("suspended"); return n } // @suspended

suspend fun bodySuspended(n: Int): Int {
    pass("suspending")
    pause() // @suspending
    pass("resumed") // @resumed
    if (n > 2) {
        pass("paused-again"); pause() // @paused-again
    }
    var sum = 0
    for (i in 1..n) {
        sum += paused(at("paused-in-loop", i)) + 1 // @paused-in-loop
    }
    return sum
}

suspend fun paused(n: Int): Int {
    pause()
    return n
}

fun run(block: suspend () -> Unit) {
    block.startCoroutine(Continuation(EmptyCoroutineContext) { it.getOrThrow() })
    while (true) {
        val next = waiting ?: return
        waiting = null
        next.resume(Unit)
    }
}

fun main() {
    pass("begun") // @begun
    for (n in 1..9) {
        and(n); choice(n); cases(n); argument(n); oneLine(n); elvis(n); called(n)
        chain(n); forLoop(n); whileLoop(n); returnInTry(n); valueOfTry(n); text(n); built(n); defaulted(n)
        run {
            oneLineSuspended(n)
            bodySuspended(n)
        }
    }
    println(counted) // @end
}
