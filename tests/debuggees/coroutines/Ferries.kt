// SPDX-License-Identifier: Apache-2.0
// Suspending functions that are resumed in other threads, while others run the same functions.
package ferries

import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.async
import kotlinx.coroutines.delay
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

suspend fun load(cars: Int): Int {
    val more = cars + 1 // @load
    delay(20) // @delay
    return more * 2 // @loaded
}

suspend fun at_once(cars: Int): Int = cars + 1

suspend fun twice(cars: Int): Int {
    return load(cars) * 2 // @doubled
}

inline fun <T> measured(block: () -> T): T {
    val before = 1
    val made = block()
    return if (before > 0) made else block()
}

class Ferry(private val decks: List<Int>) {
    suspend fun sail(): Int {
        var sum = 0 // @sum
        for (deck in decks) { // @for
            sum += load(deck) // @call
            sum += 1 // @behind
        }
        sum += at_once(1) // @once
        withContext(Dispatchers.IO) { // @context
            delay(5)
            sum += 100
        }
        try { // @try
            sinks() // @sinks
        } catch (error: IllegalStateException) {
            sum += 1000 // @caught
        }
        sum += measured { // @measured
            load(1)
        }
        sum += load(1) + load(2) // @two
        return sum // @return
    }

    private suspend fun sinks() {
        delay(5)
        error("sunk")
    }
}

fun main() = runBlocking {
    val others = List(3) { async(Dispatchers.Default) { Ferry(listOf(7, 8)).sail() } } // @others
    val gate = CompletableDeferred<Unit>()
    val ours = async(Dispatchers.Default) {
        val ferry = Ferry(listOf(3, 2)) // @begin
        gate.await() // @gate
        val sum = ferry.sail() // @sail
        val more = twice(4) // @twice
        sum + more // @sailed
    }
    delay(50)
    gate.complete(Unit)
    println("${ours.await()} ${others.map { it.await() }}") // @end
}
