// SPDX-License-Identifier: Apache-2.0
package launched

import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import kotlinx.coroutines.withContext

/** Launches coroutines on a dispatcher's threads; the second one is suspended on its way. */
fun main() {
    runBlocking {
        val job = launch(Dispatchers.Default) { // @launch
            reached()
        }
        job.join()
        launch(Dispatchers.Default) {
            outer("two") // @outermost
            println("done")
        }
    }
}

suspend fun outer(text: String): Int {
    val length = text.length
    val found = withContext(Dispatchers.IO) { // @outer
        middle(length) + 1 // @scope
    }
    return found + length
}

suspend fun middle(length: Int): Int {
    val made = Inner(length).resumed() // @middle
    return made * 2
}

class Inner(private val length: Int) {
    suspend fun resumed(): Int {
        delay(20)
        reached() // @inner
        return length
    }
}

fun reached() {
    Thread.yield() // @reached
}
